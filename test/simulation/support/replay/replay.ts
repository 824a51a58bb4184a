import { type MetricAlarm } from '@aws-sdk/client-cloudwatch';

import { alarmNamePrefix } from '../../../../core/alarms/alarms';
import { type DeploymentFile } from '../../../../core/deployment/deployment-file';
import { parameterName, type ParameterLeaf } from '../../../../core/deployment/parameter-names';
import {
  Account,
  type AlarmReadings as Readings,
  type AlarmStateValue,
  apiGatewayResourceTypes,
  CloudWatch,
  LocalQueueSender,
  type Principal,
  provisionAssembly,
  RecordingReporter,
  requestMetrics,
  RestApis,
  rotationResourceTypes,
  Rotator,
  RunClock,
  Scheduler,
} from 'cdk-on-loopback/testing';
import { virtualTransport } from '../../../support/platform/virtual-transport';
import { DrivenTime } from '../driven-time';
import { SEED } from '../../../support/test-size';
import { SeededRandom } from '../seeded-random';
import {
  type Send,
  type SentCommand,
  serviceException,
  SimulatedSecretsManager,
} from '../../../support/aws/simulated-secrets-manager';
import { type Outside } from '../token-process';
import {
  type ProcessStart,
  type Program,
  refreshProgram,
  type RestoreEvent,
  restoreProgram,
  rotationProgram,
  sweepProgram,
  watchProgram,
} from './programs';
import { type Process, ReplayedFunctions, type Watched } from './replayed-functions';
import { ReplayedMetrics } from './replayed-metrics';
import { ReplayedPlatform } from './replayed-platform';
import { ALARM_EMAIL, type ReplayedTemplates } from './replayed-templates';

const SECRETS_MANAGER_MS = 5;
const PLATFORM_MS = 200;

/** A notification of an alarm. */
export interface Page {
  /** The alarm's name without the deployment's part. */
  alarm: string;
  description: string;
  /** Who got it. */
  recipients: readonly string[];
}

/** A call of Secrets Manager. */
export interface StoreCall {
  operation: string;
  secretId: string;
  command: SentCommand;
  /** The parameter that names the calling function; undefined for the operator. */
  caller: (typeof FUNCTIONS)[number] | undefined;
}

/** Returns the name of the exception with which a call fails; undefined if it succeeds. */
export type StoreTrouble = (call: StoreCall) => string | undefined;

const FUNCTIONS = [
  'token-sweep-arn',
  'token-refresh-arn',
  'rotate-credentials-arn',
  'credential-watch-arn',
  'restore-arn',
] as const satisfies ParameterLeaf[];

/**
 * The synthesized templates of one deployment, run on virtual time. Functions run the real use cases and
 * adapters on the templates' schedules. Their metrics and those of AWS drive the templates' alarms, which
 * notify the templates' topic.
 */
export class Replay {
  readonly time = new DrivenTime();
  readonly deployment: DeploymentFile;
  readonly account: Account;
  readonly platform: ReplayedPlatform;
  readonly secrets: SimulatedSecretsManager;
  readonly functions: ReplayedFunctions;
  /** An operator's access to the outside. */
  readonly outside: Outside;
  /** The failures of Secrets Manager calls. */
  storeTrouble: StoreTrouble = () => undefined;
  /** How far the functions' clocks are ahead. */
  skewMs = 0;
  /** All alarms that went into alarm so far, notifying or not. */
  readonly rang = new Set<string>();
  readonly #cloudWatch: CloudWatch;
  readonly #rotator: Rotator;
  readonly #scheduler: Scheduler;
  readonly #apis = new RestApis();

  private constructor({ accountId, region, deployment }: ReplayedTemplates) {
    const { time } = this;
    const account = new Account(accountId, region);
    const clock = new RunClock({}, time);
    const tenantIds = deployment.tenants.map(({ tenantId }) => tenantId);
    const services = { account, clock, reporter: new RecordingReporter() };
    this.deployment = deployment;
    this.account = account;
    this.platform = new ReplayedPlatform(tenantIds, () => time.nowMs());
    this.outside = this.#waysOut();
    this.#cloudWatch = new CloudWatch(services);
    this.#cloudWatch.alarms.onTransition(({ alarm }) => {
      if (alarm.state === 'ALARM') this.rang.add(this.#shortNameOf(alarm.name));
    });
    this.functions = new ReplayedFunctions({
      account,
      clock,
      cloudWatch: this.#cloudWatch,
      start: (functionArn, watched) => this.#start(functionArn, watched),
    });
    const live = { ...services, invoker: this.functions };
    this.#rotator = new Rotator(live);
    this.#scheduler = new Scheduler({ ...live, queueSender: new LocalQueueSender(account, clock) });
    this.secrets = new SimulatedSecretsManager(time, () => this.#rotator, account);
  }

  /**
   * A freshly deployed stack: no credentials are loaded, and the schedules are running.
   * @param readings of CloudWatch's documentation that are not the default
   */
  static async start(templates: ReplayedTemplates, readings: Partial<Readings> = {}): Promise<Replay> {
    const replay = new Replay(templates);
    Object.assign(replay.#cloudWatch.alarms.readings, readings);
    const { account, time } = replay;
    const types = { ...apiGatewayResourceTypes(replay.#apis), ...rotationResourceTypes(replay.#rotator) };
    const nowMs = time.nowMs();
    provisionAssembly(templates, { account, nowMs, endpointUrl: 'http://127.0.0.1:1', types });
    replay.#rotator.start();
    replay.#scheduler.start();
    await time.advance(1_000);
    replay.#cloudWatch.ticks.start();
    return replay;
  }

  /** E-mails so far about an alarm that went into alarm. */
  pages(): Page[] {
    return this.#published('ALARM').filter(({ recipients }) => recipients.includes(ALARM_EMAIL));
  }

  /** E-mails so far about an alarm that is over. */
  allClears(): Page[] {
    return this.#published('OK').filter(({ recipients }) => recipients.includes(ALARM_EMAIL));
  }

  /** All messages that the topic got so far about an alarm in state OK. */
  publishedOks(): Page[] {
    return this.#published('OK');
  }

  #published(state: AlarmStateValue): Page[] {
    return [...this.account.topics.values()]
      .flatMap(({ messages }) => messages)
      .map(({ message, recipients }) => ({ body: JSON.parse(message) as Record<string, string>, recipients }))
      .filter(({ body }) => body.NewStateValue === state)
      .map(({ body: { AlarmName = '', AlarmDescription = '' }, recipients }) => ({
        alarm: this.#shortNameOf(AlarmName),
        description: AlarmDescription,
        recipients,
      }));
  }

  /** The alarms as CloudWatch describes them. */
  alarmStates(): MetricAlarm[] {
    return this.#cloudWatch.alarms.states().map(({ name, description, state, stateUpdatedMs, isPaging }) => ({
      AlarmName: name,
      AlarmDescription: description,
      StateValue: state,
      StateTransitionedTimestamp: new Date(stateUpdatedMs),
      AlarmActions: isPaging ? ['arn:topic'] : [],
    }));
  }

  /** Alarms that are on now. */
  ringing(): string[] {
    const states = this.#cloudWatch.alarms.states().filter(({ state }) => state === 'ALARM');
    return states.map(({ name }) => this.#shortNameOf(name));
  }

  /** ARN of a function, as other stacks look it up. */
  readonly arnOf = (leaf: ParameterLeaf): string =>
    this.account.parameters.get(parameterName(this.deployment.prefix, this.deployment, leaf))!.value;

  /**
   * Restores a record.
   * @returns the status that API Gateway answers
   */
  async restore(tenantId: string): Promise<number> {
    const [api] = this.#apis.apis.values();
    const receivedAtMs = this.time.nowMs();
    const event = Buffer.from(JSON.stringify({ pathParameters: { tenantId } } satisfies RestoreEvent));
    const result = await this.functions.invoke(this.arnOf('restore-arn'), event);
    const answer = result.kind === 'ok' ? (JSON.parse(result.payload.toString()) as object) : undefined;
    const { statusCode } = { statusCode: 500, ...answer };
    const [stageName] = api!.stages.keys();
    const latencyMs = this.time.nowMs() - receivedAtMs;
    this.#cloudWatch.put(
      requestMetrics({ apiName: api!.name, stageName: stageName!, receivedAtMs, statusCode, latencyMs }),
    );
    return statusCode;
  }

  #waysOut(): Outside {
    const { time, platform } = this;
    return {
      clock: {
        nowMs: () => time.nowMs() + this.skewMs,
        monotonicMs: () => time.monotonicMs(),
        sleep: (ms) => time.sleep(ms),
      },
      random: new SeededRandom(SEED).next,
      send: this.#sendAs(undefined),
      sendRequest: virtualTransport(platform, time, PLATFORM_MS),
    };
  }

  #sendAs(caller: StoreCall['caller']): Send {
    return async (command) => {
      this.time.pass(SECRETS_MANAGER_MS);
      const { SecretId: secretId } = command.input as { SecretId: string };
      const operation = command.constructor.name.replace(/Command$/, '');
      const failure = this.storeTrouble({ operation, secretId, command, caller });
      if (failure !== undefined) throw serviceException(failure);
      return caller === undefined
        ? this.secrets.send(command)
        : this.secrets.sendAs(this.#sessionOf(caller), command);
    };
  }

  /** A function acts under its own role, because policies of secrets name it. */
  #sessionOf(caller: (typeof FUNCTIONS)[number]): Principal {
    const { accountId, functions } = this.account;
    const { roleArn, name } = functions.get(this.arnOf(caller))!;
    return { kind: 'role-session', accountId, arn: roleArn, roleArn, sessionName: name };
  }

  /** Starts a new process of a function, with its own access to the outside. */
  #start(functionArn: string, watched: Watched): Process {
    const caller = FUNCTIONS.find((leaf) => this.arnOf(leaf) === functionArn)!;
    const { deployment, outside: ways } = this;
    const metrics = new ReplayedMetrics(deployment, ways.clock, (data) => this.#cloudWatch.put(data));
    const outside = watched({ ...ways, send: this.#sendAs(caller) });
    const handle = this.#programOf(caller, { deployment, metrics, outside });
    return { handle, flush: () => metrics.flush() };
  }

  #programOf(caller: StoreCall['caller'], start: ProcessStart): Program {
    switch (caller) {
      case 'rotate-credentials-arn':
        return rotationProgram(start);
      case 'credential-watch-arn':
        return watchProgram(start, { arn: this.arnOf('restore-arn'), invoker: this.functions });
      case 'restore-arn': {
        const tokenRefresh = { arn: this.arnOf('token-refresh-arn'), invoker: this.functions };
        return restoreProgram(start, this.platform, tokenRefresh);
      }
      case 'token-sweep-arn':
        return sweepProgram(start);
      default:
        return refreshProgram(start);
    }
  }

  #shortNameOf(alarmName: string): string {
    return alarmName.replace(alarmNamePrefix(this.deployment.prefix, this.deployment), '');
  }
}
