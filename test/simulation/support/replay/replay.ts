import { type MetricAlarm } from '@aws-sdk/client-cloudwatch';

import { alarmNamePrefix } from '../../../../core/alarms/alarms';
import { type DeploymentFile } from '../../../../core/deployment/deployment-file';
import { CREDENTIAL_KINDS } from '../../../../core/secrets/secret-names';
import { type TokenValue } from '../../../../core/secrets/secret-values';
import { parameterName, type ParameterLeaf } from '../../../../core/deployment/parameter-names';
import {
  type AlarmReadings as Readings,
  type AlarmStateValue,
  requestMetrics,
} from 'cdk-on-loopback/testing';
import { ALARM_EMAIL, configured, type Configured } from '../../../support/live/configured';
import { LiveAccount } from '../../../support/live/live-account';
import { CONTENT_ID, requestOf } from '../../../support/lambdas/restore-functions';
import { restorePath } from '../../../support/restore-api/restore-path';
import { type WrittenDeployment } from '../../../support/lib/configuration';
import { type Fault } from './faults';
import { Operator } from './operator';

export const TOKEN_OF_TENANT_1 = 'latchkey/staging/mea/tenant-1/token/content/api-read';

interface Page {
  /** The alarm's name without the deployment's part. */
  alarm: string;
  description: string;
}

export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
const BETWEEN_RESTORES_MS = 2 * MINUTE_MS;

/** Synthesizes a deployment with this many tenants, named `tenant-1` and so on. Every other one has a webhooks token. */
export function replayedTemplates(tenantCount: number, change: Partial<WrittenDeployment> = {}): Configured {
  const content = (['api/read', 'api/write'] as const).map(
    (scope) => ({ interface: 'content', scope }) as const,
  );
  const webhooks = { interface: 'webhooks', scope: 'api/webhooks' } as const;
  const tenants = Array.from({ length: tenantCount }, (_, index) => ({
    tenantId: `tenant-${index + 1}`,
    tokens: index % 2 === 0 ? content : [...content, webhooks],
  }));
  return configured({ platformRegion: 'mea', tenants, ...change });
}

/** One deployment of a live account, whose alarms are read as its operator reads them. */
export class Replay extends LiveAccount {
  readonly deployment: DeploymentFile;
  readonly operator = new Operator(this);

  private constructor(deployment: DeploymentFile) {
    super(deployment.tenants.map(({ tenantId }) => tenantId));
    this.deployment = deployment;
    this.deploymentChange = deployment;
  }

  /**
   * A freshly deployed stack with its credentials, in which a record is restored every two minutes for each tenant.
   * @param isLoaded whether a credential is loaded
   * @param readings of CloudWatch's documentation that are not the default
   */
  static async start(
    templates: Configured,
    {
      isLoaded = () => true,
      readings = {},
      isRestoring = true,
    }: { isLoaded?: Fault['isLoaded']; readings?: Partial<Readings>; isRestoring?: boolean } = {},
  ): Promise<Replay> {
    const replay = new Replay(templates.deployments[0]!);
    Object.assign(replay.cloudWatch.alarms.readings, readings);
    replay.provision(templates);
    await replay.time.advance(1_000);
    for (const { tenantId } of replay.deployment.tenants) {
      for (const kind of CREDENTIAL_KINDS)
        if (isLoaded(tenantId, kind)) replay.operator.paste(tenantId, kind);
      if (isRestoring) void replay.#restoreForEver(tenantId);
    }
    return replay;
  }

  /** E-mails so far about an alarm that went into alarm. */
  pages(): Page[] {
    return this.#published('ALARM');
  }

  /** E-mails so far about an alarm that is over. */
  allClears(): Page[] {
    return this.#published('OK');
  }

  /** All alarms that went into alarm so far, notifying or not. */
  alarmed(): string[] {
    return [...this.rang].map((name) => this.#shortNameOf(name));
  }

  #published(state: AlarmStateValue): Page[] {
    return [...this.account.topics.values()]
      .flatMap(({ messages }) => messages)
      .filter(({ recipients }) => recipients.includes(ALARM_EMAIL))
      .map(({ message }) => JSON.parse(message) as Record<string, string>)
      .filter(({ NewStateValue }) => NewStateValue === state)
      .map(({ AlarmName = '', AlarmDescription = '' }) => ({
        alarm: this.#shortNameOf(AlarmName),
        description: AlarmDescription,
      }));
  }

  alarmStates(): MetricAlarm[] {
    return this.cloudWatch.alarms.states().map(({ name, description, state, stateUpdatedMs, notifies }) => ({
      AlarmName: name,
      AlarmDescription: description,
      StateValue: state,
      StateTransitionedTimestamp: new Date(stateUpdatedMs),
      AlarmActions: notifies ? ['arn:topic'] : [],
    }));
  }

  ringing(): string[] {
    const states = this.cloudWatch.alarms.states().filter(({ state }) => state === 'ALARM');
    return states.map(({ name }) => this.#shortNameOf(name));
  }

  /** ARN of a function, as other stacks look it up. */
  readonly arnOf = (leaf: ParameterLeaf): string =>
    this.account.parameters.get(parameterName(this.deployment.prefix, this.deployment, leaf))!.value;

  ensure(requirement: object = {}): Promise<unknown> {
    const token = { tenantId: 'tenant-1', interface: 'content', scope: 'api/read' };
    const event = Buffer.from(JSON.stringify({ action: 'ensure', ...token, ...requirement }));
    return this.functions.invoke(this.arnOf('token-refresh-arn'), event);
  }

  tokenIn(secretName: string): TokenValue {
    return JSON.parse(this.secrets.versionWith(secretName, 'AWSCURRENT')!.secretString!) as TokenValue;
  }

  /** The names of the secrets of tokens. @param tenantId of this tenant alone */
  readonly tokenNames = (tenantId = ''): string[] =>
    [...this.account.secrets.values()]
      .map(({ name }) => name)
      .filter((name) => name.includes('/token/') && name.includes(tenantId));

  async #restoreForEver(tenantId: string): Promise<void> {
    for (;;) {
      await this.time.sleep(BETWEEN_RESTORES_MS);
      await this.#restoreFor(tenantId);
    }
  }

  /** Restores a record for a caller whom the authorizer has let in, and counts what API Gateway answers. */
  async #restoreFor(tenantId: string): Promise<void> {
    const [api] = this.apis.byId.values();
    const receivedAtMs = this.time.nowMs();
    const event = {
      path: restorePath(tenantId, CONTENT_ID),
      pathParameters: { tenantId, contentId: CONTENT_ID },
      multiValueHeaders: { 'content-type': ['application/json'] },
      body: requestOf().body,
      requestContext: { requestId: 'request-1' },
    };
    const payload = Buffer.from(JSON.stringify(event));
    const result = await this.functions.invoke(this.arnOf('restore-arn'), payload);
    const answer = result.kind === 'ok' ? (JSON.parse(result.payload.toString()) as object) : undefined;
    const { statusCode } = { statusCode: 500, ...answer };
    const [stageName] = api!.stages.keys();
    const latencyMs = this.time.nowMs() - receivedAtMs;
    this.cloudWatch.put(
      requestMetrics({ apiName: api!.name, stageName: stageName!, receivedAtMs, statusCode, latencyMs }),
    );
  }

  #shortNameOf(alarmName: string): string {
    return alarmName.replace(alarmNamePrefix(this.deployment.prefix, this.deployment), '');
  }
}
