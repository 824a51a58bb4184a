import { readFileSync } from 'node:fs';
import { type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { Readable } from 'node:stream';

import { type DeploymentFile } from '../../../core/deployment/deployment-file';
import {
  Account,
  apiGatewayResourceTypes,
  assumeAsService,
  authorize,
  type CloudAssembly,
  CloudWatch,
  Credentials,
  deleteStack,
  deployStack,
  type FunctionInvoker,
  type LambdaFunction,
  LocalQueueSender,
  type Principal,
  type ProvisionedStack,
  provisionAssembly,
  type ProvisionOptions,
  RecordingReporter,
  RequestHandler,
  requestMetrics,
  RestApis,
  rotationResourceTypes,
  Rotator,
  RunClock,
  Scheduler,
  type StackSteps,
  writeLogEvents,
} from 'cdk-on-loopback/testing';
import { virtualTransport } from '../platform/virtual-transport';
import { DrivenTime } from './driven-time';
import { type Program, PROGRAMS } from './programs';
import { LiveFunctions, type Watched } from './live-functions';
import { LiveMetrics } from './live-metrics';
import { LivePlatform } from './live-platform';
import { SeededRandom } from './seeded-random';
import { type Outside } from './token-process';
import {
  type SentCommand,
  serviceException,
  SimulatedSecretsManager,
} from '../aws/simulated-secrets-manager';
import { SEED } from '../test-size';

// A life cycle takes some seconds, and many on a busy machine.
jest.setTimeout(120_000);

/** How long CloudFormation takes for one resource. */
const STEP_MS = 2_000;
const SECRETS_MANAGER_MS = 5;
const PLATFORM_MS = 200;

const LEAVES: [string, keyof typeof PROGRAMS][] = [
  ['TokensTokenRefresh', 'token-refresh-arn'],
  ['TokensTokenSweep', 'token-sweep-arn'],
  ['RotationRotate', 'rotate-credentials-arn'],
  ['WatchCredential', 'credential-watch-arn'],
  ['RestoreAuthorizer', 'authorizer-arn'],
  ['RestoreFunction', 'restore-arn'],
];

interface StoreCall {
  operation: string;
  secretId: string;
  command: SentCommand;
  /** The name of the calling function; undefined for the operator. */
  caller: string | undefined;
}

/** Returns the name of the exception with which a call fails; undefined if it succeeds. */
export type StoreTrouble = (call: StoreCall) => string | undefined;

/**
 * An account whose stacks are created, updated and deleted while their functions, schedules, alarms and APIs run, all on
 * virtual time. Functions run the real use cases and adapters with the permissions of their roles.
 */
export class LiveAccount {
  readonly time = new DrivenTime();
  readonly account = new Account('111111111111', 'eu-west-1');
  readonly platform: LivePlatform;
  readonly secrets: SimulatedSecretsManager;
  /** An operator's access to the outside, as the account's administrator. */
  readonly outside: Outside;
  readonly functions: LiveFunctions;
  storeTrouble: StoreTrouble = () => undefined;
  /** Replaces fields of each function's deployment file. */
  deploymentChange: Partial<DeploymentFile> = {};
  skewMs = 0;
  /** The names of all alarms that went into alarm so far, notifying or not. */
  readonly rang = new Set<string>();
  /** The alarms that notified so far: their names, with their reasons. */
  readonly notified: string[] = [];
  readonly #clock = new RunClock({}, this.time);
  readonly apis = new RestApis();
  readonly #stacks = new Map<string, ProvisionedStack>();
  readonly cloudWatch: CloudWatch;
  readonly #rotator: Rotator;
  readonly #scheduler: Scheduler;
  readonly #gateway: RequestHandler;

  constructor(tenantIds: readonly string[]) {
    // On virtual time, signals of real timeouts are useless.
    jest.spyOn(AbortSignal, 'timeout').mockImplementation(() => new AbortController().signal);
    const { account, time } = this;
    const clock = this.#clock;
    const services = { account, clock, reporter: new RecordingReporter() };
    this.platform = new LivePlatform(tenantIds, () => time.nowMs());
    this.cloudWatch = new CloudWatch(services);
    this.cloudWatch.alarms.onTransition(({ alarm, topicArns }) => {
      if (alarm.state !== 'ALARM') return;
      this.rang.add(alarm.name);
      if (topicArns.length > 0) this.notified.push(`${alarm.name}: ${alarm.reason}`);
    });
    this.functions = new LiveFunctions({
      account,
      clock,
      cloudWatch: this.cloudWatch,
      start: (functionArn, watched) => this.#start(account.functions.get(functionArn)!, watched),
    });
    const live = { ...services, invoker: this.functions };
    this.#rotator = new Rotator(live);
    this.#scheduler = new Scheduler({ ...live, queueSender: new LocalQueueSender(account, clock) });
    this.secrets = new SimulatedSecretsManager(time, this.#rotator, account);
    this.outside = this.#outsideOf();
    this.#gateway = new RequestHandler({
      ...live,
      apis: this.apis,
      writeLogs: writeLogEvents,
      credentials: new Credentials(account.accountId, clock),
      startTimer: (run, delayMs) => time.startTimer(run, delayMs),
      onAnswer: (answered) => this.cloudWatch.put(requestMetrics(answered)),
    });
    this.#rotator.start();
    this.cloudWatch.ticks.start();
  }

  /**
   * Deploys stacks as `cdk deploy` does, one after another; those that exist are updated.
   * @throws {TemplateError} as soon as one fails
   */
  async deploy({ stacks }: Pick<CloudAssembly, 'stacks'>): Promise<void> {
    for (const stack of stacks) {
      const steps = deployStack(stack, this.#options(), this.#stacks.get(stack.name));
      this.#stacks.set(stack.name, await this.#run(steps));
    }
  }

  /** Deletes stacks as `cdk destroy` does, in the reverse order. */
  async destroy(names: readonly string[] = [...this.#stacks.keys()]): Promise<void> {
    for (const name of [...names].reverse()) {
      await this.#run(deleteStack(this.#stacks.get(name)!, this.#options()));
      this.#stacks.delete(name);
    }
  }

  /** Deploys stacks for the first time, at once. */
  provision(assembly: CloudAssembly): void {
    provisionAssembly(assembly, this.#options());
    this.#follow();
  }

  /** Requests a restore through API Gateway. @returns the status, or 0 if there is no API */
  async restore({
    url,
    tenantId,
    apiKey,
  }: {
    url: string;
    tenantId: string;
    apiKey: string;
  }): Promise<number> {
    const { hostname, pathname } = new URL(url);
    const path = `${pathname.replace(/\/$/, '')}/tenants/${tenantId}`;
    const headers = {
      authorization: `Basic ${Buffer.from(`${tenantId}:${apiKey}`).toString('base64')}`,
      'content-type': 'application/json',
      host: hostname,
    };
    const incoming = Object.assign(Readable.from([Buffer.from('{"authorRef":"author-1"}')]), {
      method: 'POST',
      url: `${path}/contents/64b7f0c2a1b2c3d4e5f60718/restore`,
      headers,
      rawHeaders: Object.entries(headers).flat(),
      headersDistinct: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]])),
      socket: { getProtocol: () => 'TLSv1.3', getCipher: () => undefined, remoteAddress: '127.0.0.1' },
    });
    const answer = await this.#gateway.handle(incoming as unknown as IncomingMessage);
    return answer?.statusCode ?? 0;
  }

  /** Everything that is stored: ARN, labels and values of each secret, by name. */
  stored(): Record<string, { arn: string; values: Record<string, string> }> {
    const secrets = [...this.account.secrets.values()].map(({ name, arn, versions }) => {
      const labelled = [...versions.values()].flatMap(({ stages, secretString = '' }) =>
        [...stages].map((label) => [label, secretString] as const),
      );
      return [name, { arn, values: Object.fromEntries(labelled) }] as const;
    });
    return Object.fromEntries(secrets);
  }

  #options(): ProvisionOptions {
    return {
      account: this.account,
      nowMs: this.time.nowMs(),
      endpointUrl: 'http://127.0.0.1:1',
      types: { ...apiGatewayResourceTypes(this.apis), ...rotationResourceTypes(this.#rotator) },
    };
  }

  async #run<Result>(steps: StackSteps<Result>): Promise<Result> {
    try {
      for (;;) {
        const { done, value } = steps.next();
        if (done) return value;
        this.#follow();
        await this.time.advance(STEP_MS);
      }
    } finally {
      this.#follow();
    }
  }

  #follow(): void {
    this.#scheduler.start();
    this.cloudWatch.ticks.follow();
  }

  #outsideOf(principal?: Principal, caller?: string): Outside {
    const { time, platform, secrets } = this;
    return {
      clock: {
        nowMs: () => time.nowMs() + this.skewMs,
        monotonicMs: () => time.monotonicMs(),
        sleep: (ms) => time.sleep(ms),
      },
      random: new SeededRandom(SEED).next,
      send: async (command) => {
        time.pass(SECRETS_MANAGER_MS);
        const { SecretId: secretId } = command.input as { SecretId: string };
        const operation = command.constructor.name.replace(/Command$/, '');
        const failure = this.storeTrouble({ operation, secretId, command, caller });
        if (failure !== undefined) throw serviceException(failure);
        return principal === undefined ? secrets.send(command) : secrets.sendAs(principal, command);
      },
      sendRequest: virtualTransport(platform, time, PLATFORM_MS),
    };
  }

  /** Starts a new process of a function, with the permissions of its role. */
  #start(fn: LambdaFunction, watched: Watched): Program {
    const { account } = this;
    const principal = assumeAsService(account, fn.roleArn, fn.name, {
      service: 'lambda.amazonaws.com',
      sourceArn: fn.arn,
    });
    const file = readFileSync(join(fn.codeDir, 'deployment.json'), 'utf8');
    const deployment = { ...(JSON.parse(file) as DeploymentFile), ...this.deploymentChange };
    const outside = watched(this.#outsideOf(principal, fn.name));
    const leaf = LEAVES.find(([part]) => fn.name.includes(part))![1];
    return PROGRAMS[leaf]({
      deployment,
      outside,
      metrics: new LiveMetrics(deployment, outside.clock, (data) => this.cloudWatch.put(data)),
      invoker: this.#invokerFor(principal),
      environment: fn.environment,
      platform: this.platform.content,
    });
  }

  #invokerFor(principal: Principal): Pick<FunctionInvoker, 'invoke'> {
    const { account } = this;
    return {
      invoke: (functionArn, payload) => {
        const decision = authorize(account, {
          principal,
          action: 'lambda:InvokeFunction',
          resource: functionArn,
          resourceAccount: account.accountId,
          resourcePolicy: account.functions.get(functionArn)?.resourcePolicy,
        });
        if (!decision.allowed) throw serviceException('AccessDeniedException', decision.message);
        return this.functions.invoke(functionArn, payload);
      },
    };
  }
}
