import { CloudWatchClient } from '@aws-sdk/client-cloudwatch';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { LambdaClient } from '@aws-sdk/client-lambda';
import { SchedulerClient } from '@aws-sdk/client-scheduler';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { SQSClient } from '@aws-sdk/client-sqs';
import { SSMClient } from '@aws-sdk/client-ssm';
import {
  Account,
  type LambdaFunction,
  type PolicyStatement,
  type Queue,
  type Schedule,
  type Secret,
} from '../account';
import { type AwsEndpoint, startAwsEndpoint } from '../aws/endpoint';
import { type LocalHandlers } from '../aws/local-control';
import { CloudWatch } from '../cloudwatch/cloudwatch';
import { RunClock } from '../run-clock';
import { type AccessKey, Credentials } from '../iam/access-keys';
import { type FunctionInvoker, type InvocationResult } from '../interfaces';
import { Rotator } from '../rotation/rotator';
import { addRole, lambdaFunction } from './account-parts';

export const ACCOUNT_ID = '111111111111';
export const REGION = 'eu-west-1';
export const KEY_ARN = `arn:aws:kms:${REGION}:${ACCOUNT_ID}:key/0000`;
export const ROLE_ARN = `arn:aws:iam::${ACCOUNT_ID}:role/caller`;

/** Real time plus an offset that tests set. Clients created afterwards sign with the new time. */
class MovableClock {
  offsetMs = 0;

  nowMs(): number {
    return Date.now() + this.offsetMs;
  }

  advanceMs(ms: number): void {
    this.offsetMs += ms;
  }
}

/** Returns canned invocation results, and records the invocations. */
class CannedInvoker implements FunctionInvoker {
  /** Called by an invocation before it returns. */
  effect: (payload: string) => void = () => undefined;
  result: InvocationResult = {
    kind: 'ok',
    payload: Buffer.from('{"ok":true}'),
    logTail: '',
    requestId: 'r-1',
  };
  readonly invoked: { arn: string; payload: string; isAsync: boolean }[] = [];
  readonly removed: string[] = [];

  async invoke(arn: string, payload: Buffer): Promise<InvocationResult> {
    this.invoked.push({ arn, payload: payload.toString(), isAsync: false });
    this.effect(payload.toString());
    return this.result;
  }

  invokeAsync(arn: string, payload: Buffer): { requestId: string } {
    this.invoked.push({ arn, payload: payload.toString(), isAsync: true });
    return { requestId: 'r-2' };
  }

  async remove(arn: string): Promise<void> {
    this.removed.push(arn);
  }
}

/** A local account behind a running endpoint, and clients of the real SDK for it. */
export class LocalAws {
  readonly account: Account;
  readonly clock = new MovableClock();
  /** Its timers fire only when it is advanced. */
  readonly runClock = new RunClock(
    {},
    { nowMs: () => this.clock.nowMs(), startTimer: () => () => undefined },
  );
  readonly credentials: Credentials;
  readonly invoker = new CannedInvoker();
  readonly warnings: string[] = [];
  private readonly reporter = {
    step: () => {},
    functionLog: () => {},
    warning: (text: string) => this.warnings.push(text),
  };
  readonly rotator: Rotator;
  readonly administrator: AccessKey;
  readonly cloudWatch: CloudWatch;
  readonly replacedSchedules: [previous: Schedule, current: Schedule][] = [];
  private endpoint: AwsEndpoint | undefined;
  private readonly clients: { destroy(): void }[] = [];

  constructor(accountId = ACCOUNT_ID) {
    this.account = new Account(accountId, REGION);
    this.credentials = new Credentials(accountId, this.runClock);
    this.administrator = this.credentials.issueForAdministrator();
    const parts = { account: this.account, clock: this.runClock, reporter: this.reporter };
    this.rotator = new Rotator({ ...parts, invoker: this.invoker });
    this.cloudWatch = new CloudWatch(parts);
    this.account.keys.set(KEY_ARN, {
      arn: KEY_ARN,
      policy: {
        Version: '2012-10-17',
        Statement: {
          Effect: 'Allow',
          Principal: { AWS: `arn:aws:iam::${ACCOUNT_ID}:root` },
          Action: 'kms:*',
          Resource: '*',
        },
      },
    });
  }

  get url(): string {
    if (!this.endpoint) throw new Error('not started');
    return this.endpoint.url;
  }

  async start(localHandlers: LocalHandlers = {}, port = 0): Promise<void> {
    this.endpoint = await startAwsEndpoint({
      account: this.account,
      credentials: this.credentials,
      invoker: this.invoker,
      rotator: this.rotator,
      cloudWatch: this.cloudWatch,
      scheduleUpdates: { replaced: (...change) => this.replacedSchedules.push(change) },
      clock: this.runClock,
      reporter: this.reporter,
      port,
      localHandlers,
    });
    this.rotator.start();
  }

  async stop(): Promise<void> {
    for (const client of this.clients) client.destroy();
    this.rotator.close();
    await this.endpoint?.close();
  }

  /** A key of a role with these statements. */
  roleKey(...statements: PolicyStatement[]): AccessKey {
    addRole(this.account, 'caller', statements);
    return this.credentials.issueForRole(ROLE_ARN, 'session', { withSessionToken: true });
  }

  addSecret(name: string, part: Partial<Secret> = {}): Secret {
    const secret: Secret = {
      arn: `arn:aws:secretsmanager:${REGION}:${this.account.accountId}:secret:${name}-AbCdEf`,
      name,
      tags: {},
      createdAtMs: this.clock.nowMs(),
      lastChangedAtMs: this.clock.nowMs(),
      versions: new Map(),
      ...part,
    };
    this.account.secrets.set(secret.arn, secret);
    return secret;
  }

  /** Adds a version to a secret. @param value absent for a version that a rotation has just created */
  addVersion(secret: Secret, versionId: string, value?: string, stages: string[] = ['AWSCURRENT']): void {
    const createdAtMs = this.clock.nowMs();
    const secretString = value === undefined ? {} : { secretString: value };
    secret.versions.set(versionId, { versionId, createdAtMs, ...secretString, stages: new Set(stages) });
  }

  addFunction(name: string, part: Partial<LambdaFunction> = {}): LambdaFunction {
    const fn = lambdaFunction(name, { environment: { A: 'b' }, ...part });
    this.account.functions.set(fn.arn, fn);
    return fn;
  }

  addQueue(name: string, part: Partial<Queue> = {}): Queue {
    const queue: Queue = {
      arn: `arn:aws:sqs:${REGION}:${ACCOUNT_ID}:${name}`,
      name,
      url: `https://sqs.${REGION}.amazonaws.com/${ACCOUNT_ID}/${name}`,
      messages: [],
      ...part,
    };
    this.account.queues.set(queue.arn, queue);
    return queue;
  }

  secretsManager(key?: AccessKey, region = REGION): SecretsManagerClient {
    return this.keep(new SecretsManagerClient({ ...this.options(key), region }));
  }

  dynamoDb(key?: AccessKey): DynamoDBClient {
    return this.keep(new DynamoDBClient(this.options(key)));
  }

  eventBridge(key?: AccessKey): EventBridgeClient {
    return this.keep(new EventBridgeClient(this.options(key)));
  }

  lambda(key?: AccessKey): LambdaClient {
    return this.keep(new LambdaClient(this.options(key)));
  }

  sqs(key?: AccessKey): SQSClient {
    return this.keep(new SQSClient(this.options(key)));
  }

  ssm(key?: AccessKey): SSMClient {
    return this.keep(new SSMClient(this.options(key)));
  }

  cloudWatchClient(key?: AccessKey): CloudWatchClient {
    return this.keep(new CloudWatchClient(this.options(key)));
  }

  scheduler(key?: AccessKey): SchedulerClient {
    return this.keep(new SchedulerClient(this.options(key)));
  }

  private options(credentials: AccessKey = this.administrator) {
    return {
      endpoint: this.url,
      region: REGION,
      credentials,
      maxAttempts: 1,
      systemClockOffset: this.runClock.nowMs() - Date.now(),
    };
  }

  private keep<Client extends { destroy(): void }>(client: Client): Client {
    this.clients.push(client);
    return client;
  }
}

/** Expects a denial that names the action and the resource. */
export async function expectDenied(promise: Promise<unknown>, action: string, resource = ''): Promise<void> {
  const refusal = await refusalOf(promise);
  expect(refusal.name).toBe('AccessDeniedException');
  expect(refusal.message).toContain(`${action} on resource: ${resource}`);
}

/** The error of a rejected promise. */
export async function refusalOf(promise: Promise<unknown>): Promise<Error> {
  try {
    await promise;
  } catch (error) {
    return error as Error;
  }
  throw new Error('it was not refused');
}
