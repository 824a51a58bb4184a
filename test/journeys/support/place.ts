import { DescribeAlarmsCommand } from '@aws-sdk/client-cloudwatch';
import { GetScheduleCommand, type ScheduleState, UpdateScheduleCommand } from '@aws-sdk/client-scheduler';
import {
  DescribeSecretCommand,
  PutSecretValueCommand,
  RotateSecretCommand,
} from '@aws-sdk/client-secrets-manager';
import { type Message } from '@aws-sdk/client-sqs';
import { GetParameterCommand } from '@aws-sdk/client-ssm';

import { alarmNamePrefix } from '../../../core/alarms/alarms';
import { placeFlags } from '../../../core/commands/place-flags';
import { type LocalDeployment, type LocalTenant } from '../../../core/deployment/local-run';
import { parameterName, type ParameterLeaf } from '../../../core/deployment/parameter-names';
import { scheduleName } from '../../../core/deployment/schedules';
import { type ProveAnswer } from '../../../core/rotation/api-key-proof';
import { CANDIDATE_LABEL } from '../../../core/secrets/credential-labels';
import { type CredentialKind, DEFAULT_PREFIX } from '../../../core/secrets/secret-names';
import {
  type ApiKeyValue,
  type ClientCredentialsValue,
  type TokenValue,
} from '../../../core/secrets/secret-values';
import { sha256Hex } from '../../../core/secrets/sha256';
import { tenantKeyOf } from '../../../core/tokens/token-key';
import { type EnsureAnswer, type SweepAnswer } from '../../../core/tokens/token-refresh';
import { type HttpsAnswer } from '../../support/restore-api/https-request';
import { type CommandOptions, type CommandResult, latchkey } from './command';
import { type RunningSystem } from './running-system';

/** A call of the restore API. */
export interface RestoreCall {
  authorization?: string;
  /**
   * Sent as it is, or an object as JSON.
   * @default the tenant's first author
   */
  body?: string | object;
  /** @default application/json */
  contentType?: string;
}

/** Secrets Manager tries to rotate three times within it. */
const ATTEMPTS_SEC = 5;

/** One tenant of a running system, with its deployment. */
export class Place {
  readonly system: RunningSystem;
  readonly deployment: LocalDeployment;
  readonly tenant: LocalTenant;

  /** @param tenant its index */
  constructor(system: RunningSystem, deployment: LocalDeployment, tenant = 0) {
    this.system = system;
    this.deployment = deployment;
    this.tenant = deployment.tenants[tenant]!;
  }

  private get key() {
    return tenantKeyOf(this.deployment, this.tenant.tenantId);
  }

  /** The flags that select this tenant. */
  get flags(): string[] {
    return placeFlags(this.key).split(' ');
  }

  /**
   * Runs a command for this tenant.
   * @param words the command with its flags
   */
  command(words: string, options?: CommandOptions): Promise<CommandResult> {
    return latchkey(this.system, [...words.split(' '), ...this.flags], options);
  }

  /** New client credentials from the platform. */
  newPair(): Promise<ClientCredentialsValue> {
    return this.system.control('POST', '/credentials', this.key);
  }

  /** A new API key from the platform. */
  newKey(): Promise<ApiKeyValue> {
    return this.system.control('POST', '/api-keys', this.key);
  }

  /** The headers that the browser of a freshly signed-in user sends. */
  newSession(): Promise<{ authorization: string; correlationId: string }> {
    return this.system.control('POST', '/sessions', this.key);
  }

  /** Loads new client credentials as the administrator, without the command. */
  async loadPair(): Promise<void> {
    await this.system.putSecret(this.tenant.clientCredentialsArn, await this.newPair());
  }

  /** Loads a new API key in the same way, which is proven at once, as commands do, instead of by the schedule. */
  async loadKey(more: Partial<ApiKeyValue> = {}): Promise<void> {
    await this.system.putSecret(this.tenant.apiKeyArn!, { ...(await this.newKey()), ...more });
    await this.proveKey();
  }

  /** Loads both, for journeys about other things. */
  async load(): Promise<void> {
    await this.loadPair();
    await this.loadKey();
  }

  /** The same, and has a sweep fetch the tokens. */
  async loadWithTokens(): Promise<void> {
    await this.load();
    await this.sweep();
  }

  async proveKey(): Promise<ProveAnswer['tenants'][number]> {
    const { rotateCredentials } = this.deployment.functions;
    const event = { action: 'prove', tenantIds: [this.tenant.tenantId] };
    const by = this.system.administrator;
    return (await this.system.invoke<ProveAnswer>(rotateCredentials!, event, by)).tenants[0]!;
  }

  /** Makes the platform revoke a client credential with all its tokens. */
  async revoke(clientId: string): Promise<void> {
    await this.system.control('DELETE', '/credentials', { clientId });
  }

  ensure(scope: string, more: object = {}): Promise<EnsureAnswer> {
    const event = { action: 'ensure', tenantId: this.tenant.tenantId, interface: 'content', scope, ...more };
    return this.system.invoke(this.deployment.functions.tokenRefresh!, event);
  }

  sweep(): Promise<SweepAnswer> {
    return this.system.invoke(this.deployment.functions.tokenSweep!, { action: 'sweep' });
  }

  tokenArn(scope: string): string {
    return this.tenant.tokens.find((token) => token.scope === scope)!.arn;
  }

  token(scope: string): Promise<TokenValue> {
    return this.system.secret(this.tokenArn(scope));
  }

  /** Reports the stored token as rejected, so that token-refresh requests another. */
  async rejected(scope: string): Promise<{ rejectedTokenSha256: string }> {
    const { accessToken } = await this.token(scope);
    return { rejectedTokenSha256: sha256Hex(accessToken) };
  }

  pair(): Promise<ClientCredentialsValue> {
    return this.system.secret(this.tenant.clientCredentialsArn);
  }

  apiKey(): Promise<ApiKeyValue> {
    return this.system.secret(this.tenant.apiKeyArn!);
  }

  /** The Authorization header of a caller with the tenant's API key, or with another one. */
  async basic(apiKey?: string): Promise<string> {
    const text = `${this.tenant.tenantId}:${apiKey ?? (await this.apiKey()).apiKey}`;
    return `Basic ${Buffer.from(text).toString('base64')}`;
  }

  /** The Authorization header of a caller who has read the tenant's token. */
  async bearer(scope: string): Promise<string> {
    return `Bearer ${(await this.token(scope)).accessToken}`;
  }

  /** The URL that restores a content. */
  restoreUrl(contentId: string): string {
    return `${this.deployment.restoreApiUrl}/tenants/${this.tenant.tenantId}/contents/${contentId}/restore`;
  }

  /** Calls the restore API over HTTPS. */
  restore(contentId: string, call: RestoreCall): Promise<HttpsAnswer> {
    const { authorization, contentType = 'application/json' } = call;
    const { body = { authorRef: this.tenant.authorRefs[0] } } = call;
    return this.system.send('POST', this.restoreUrl(contentId), {
      headers: { ...(authorization !== undefined && { authorization }), 'content-type': contentType },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
  }

  /** The contents that are archived now. */
  async archivedContents(): Promise<string[]> {
    const { tenants } = await this.system.control<{ tenants: LocalTenant[] }>('GET', '/tenants');
    return tenants.find(({ tenantId }) => tenantId === this.tenant.tenantId)!.archivedContentIds;
  }

  /** Makes the platform fail requests for this tenant. */
  async fail(target: 'token' | 'content', fault: object): Promise<void> {
    const match = { tenantId: this.tenant.tenantId };
    await this.system.control('POST', '/faults', { target, match, ...fault });
  }

  /** The staging labels of all versions of a credential. */
  async labels(kind: CredentialKind): Promise<string[]> {
    const { clientCredentialsArn, apiKeyArn } = this.tenant;
    const SecretId = kind === 'api-key' ? apiKeyArn : clientCredentialsArn;
    const { VersionIdsToStages = {} } = await this.system.administrator.secrets.send(
      new DescribeSecretCommand({ SecretId }),
    );
    return Object.values(VersionIdsToStages).flat();
  }

  /** Stages a value without proving it first, rotates to it, and waits until Secrets Manager has succeeded or given up. */
  async rotate(SecretId: string, value: object): Promise<void> {
    const { secrets } = this.system.operator;
    await secrets.send(
      new PutSecretValueCommand({
        SecretId,
        SecretString: JSON.stringify(value),
        VersionStages: [CANDIDATE_LABEL],
      }),
    );
    await secrets.send(new RotateSecretCommand({ SecretId }));
    await this.system.advance(ATTEMPTS_SEC);
  }

  /** Leaves AWSPENDING on an empty version: a rotation without a candidate, which cannot remove its label. */
  async leavePending(secretId: string): Promise<void> {
    await this.system.callLaptop('faults', {
      service: 'secretsmanager',
      operation: 'UpdateSecretVersionStage',
      error: 'AccessDeniedException',
      times: 3,
      match: { secretId },
    });
    await this.system.operator.secrets.send(new RotateSecretCommand({ SecretId: secretId }));
    await this.system.advance(ATTEMPTS_SEC);
  }

  /** A parameter that the deployment publishes. */
  async parameter(leaf: ParameterLeaf, { ssm } = this.system.administrator): Promise<string> {
    const Name = parameterName(DEFAULT_PREFIX, this.deployment, leaf);
    const { Parameter } = await ssm.send(new GetParameterCommand({ Name }));
    return Parameter!.Value!;
  }

  /** The dead letters of the deployment, which this receives and deletes. */
  async deadLetters(): Promise<Message[]> {
    return this.system.messages(await this.parameter('dead-letter-queue-url'));
  }

  /** The descriptions of the deployment's alarms, by name without the deployment's prefix, as the operator sees them. */
  async alarms(StateValue?: 'ALARM'): Promise<Map<string, string>> {
    const AlarmNamePrefix = alarmNamePrefix(DEFAULT_PREFIX, this.deployment);
    const { MetricAlarms = [], CompositeAlarms = [] } = await this.system.operator.cloudWatch.send(
      new DescribeAlarmsCommand({
        AlarmNamePrefix,
        StateValue,
        AlarmTypes: ['MetricAlarm', 'CompositeAlarm'],
      }),
    );
    return new Map(
      [...MetricAlarms, ...CompositeAlarms].map(({ AlarmName, AlarmDescription = '' }) => [
        AlarmName!.replace(AlarmNamePrefix, ''),
        AlarmDescription,
      ]),
    );
  }

  /** Disables or enables the schedule of token-sweep without other changes, as an operator. */
  async setSchedule(State: ScheduleState): Promise<void> {
    const { scheduler } = this.system.operator;
    const Name = scheduleName(DEFAULT_PREFIX, this.deployment, 'token-sweep');
    const { ScheduleExpression, FlexibleTimeWindow, Target } = await scheduler.send(
      new GetScheduleCommand({ Name }),
    );
    await scheduler.send(
      new UpdateScheduleCommand({ Name, ScheduleExpression, FlexibleTimeWindow, Target, State }),
    );
  }
}
