import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { CloudWatchClient } from '@aws-sdk/client-cloudwatch';
import { CloudWatchLogsClient } from '@aws-sdk/client-cloudwatch-logs';
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { SchedulerClient } from '@aws-sdk/client-scheduler';
import {
  GetSecretValueCommand,
  PutSecretValueCommand,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import { DeleteMessageCommand, type Message, ReceiveMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { SSMClient } from '@aws-sdk/client-ssm';

import { type AccessKey, type LocalRun } from '../../../core/deployment/local-run';
import { callLaptop } from '../../../packages/aws-proof/src/laptop';
import { type HttpsAnswer, type HttpsRequest, sendHttps } from '../../support/restore-api/https-request';
import { LocalProcess, PROJECT_ROOT } from './local-process';
import { Place } from './place';
import { until } from './until';

/** What the configuration has of a deployment. */
interface ConfiguredDeployment {
  environment?: string;
  tenants: object[];
  [field: string]: unknown;
}

/** SDK clients for one access key. */
function clientsOf({ endpoint, region }: LocalRun['aws'], credentials: AccessKey) {
  // Two attempts: after the clock is set forward, the first one only corrects the SDK's time.
  const options = { endpoint, region, credentials, maxAttempts: 2 };
  return {
    cloudWatch: new CloudWatchClient(options),
    lambda: new LambdaClient(options),
    logs: new CloudWatchLogsClient(options),
    scheduler: new SchedulerClient(options),
    secrets: new SecretsManagerClient(options),
    sqs: new SQSClient(options),
    ssm: new SSMClient(options),
  };
}

/** The running laptop system, driven only from outside: by AWS SDK, HTTPS and its output. */
export class RunningSystem {
  readonly process: LocalProcess;
  readonly run: LocalRun;
  readonly administrator: ReturnType<typeof clientsOf>;
  readonly operator: ReturnType<typeof clientsOf>;
  private readonly ca: string;
  /** How far this test has set the clock forward. */
  private advancedMs = 0;

  private constructor(process: LocalProcess) {
    this.process = process;
    this.run = JSON.parse(readFileSync(join(process.stateDir, 'local.json'), 'utf8')) as LocalRun;
    this.ca = readFileSync(join(PROJECT_ROOT, this.run.caFile), 'utf8');
    this.administrator = clientsOf(this.run.aws, this.run.aws);
    this.operator = clientsOf(this.run.aws, this.run.operator);
  }

  /**
   * Starts a system with these arguments, and waits until it is ready.
   * @param env more environment variables
   */
  static async start(args: string[], env?: Record<string, string>): Promise<RunningSystem> {
    const process = new LocalProcess(args, env);
    await process.printed(/^ready/m);
    return new RunningSystem(process);
  }

  /**
   * Starts a system with other deployments.
   * @param change edits those of the configuration
   */
  static startConfigured(
    change: (deployments: ConfiguredDeployment[]) => void,
    args: string[] = [],
    of = 'config/local.json',
  ): Promise<RunningSystem> {
    const configuration = JSON.parse(readFileSync(join(PROJECT_ROOT, of), 'utf8')) as {
      deployments: ConfiguredDeployment[];
    };
    change(configuration.deployments);
    const folder = mkdtempSync(join(tmpdir(), 'latchkey-configured-'));
    const file = join(folder, 'config.json');
    writeFileSync(file, JSON.stringify(configuration));
    // The system reads the file once, before it is ready.
    return RunningSystem.start([...args, '--config', file]).finally(() =>
      rmSync(folder, { recursive: true }),
    );
  }

  async stop(): Promise<void> {
    await this.process.interrupt();
  }

  /** A tenant of the learning platform, by its index. */
  place(environment: string, platformRegion: string, tenant?: number): Place {
    const deployment = this.run.deployments.find(
      (each) => each.environment === environment && each.platformRegion === platformRegion,
    );
    return new Place(this, deployment!, tenant);
  }

  /** Sends an HTTPS request exactly as given, even if malformed. It trusts only the system's CA. */
  send(method: string, url: string, request: HttpsRequest = {}): Promise<HttpsAnswer> {
    return sendHttps(this.ca, method, url, request);
  }

  /** Calls the sandbox's control API. */
  async control<T>(method: string, path: string, body?: object): Promise<T> {
    const { status, text } = await this.send(method, `${this.run.sandboxControl}${path}`, {
      headers: { 'content-type': 'application/json' },
      body: body && JSON.stringify(body),
    });
    if (status >= 300) throw new Error(`control answered ${status}: ${text}`);
    return (text === '' ? undefined : JSON.parse(text)) as T;
  }

  /** Waits until the platform has used up all injected faults: until it gets a request that it is to delay. */
  faultsUsed(): Promise<void> {
    return until(async () => {
      const { faults } = await this.control<{ faults: object[] }>('GET', '/faults');
      return faults.length === 0;
    });
  }

  /** Sets the clock of the whole system forward, and waits for everything that becomes due. */
  async advance(seconds: number): Promise<void> {
    await this.callLaptop('clock', { advanceSec: seconds });
    this.advancedMs += seconds * 1000;
  }

  /** The time by the system's clock, in ms since the epoch. */
  get nowMs(): number {
    return Date.now() + this.advancedMs;
  }

  /** Calls `POST /_local/NAME`, as docs/local-aws.md has it. */
  callLaptop(name: string, input: object): Promise<unknown> {
    const { aws } = this.run;
    return callLaptop({ ...aws, credentials: aws, systemClockOffset: this.advancedMs }, name, input);
  }

  /** Invokes a function, and returns its answer. */
  async invoke<T>(FunctionName: string, event: object, { lambda } = this.operator): Promise<T> {
    const { Payload, FunctionError } = await lambda.send(
      new InvokeCommand({ FunctionName, Payload: JSON.stringify(event) }),
    );
    const text = Payload!.transformToString();
    if (FunctionError !== undefined) throw new Error(`function error: ${text}`);
    return JSON.parse(text) as T;
  }

  /** Queues an event for a function. */
  async queue(FunctionName: string, event: object): Promise<void> {
    const Payload = JSON.stringify(event);
    await this.operator.lambda.send(new InvokeCommand({ FunctionName, InvocationType: 'Event', Payload }));
  }

  /** The value of a secret, read by the administrator. */
  async secret<T>(SecretId: string): Promise<T> {
    const { SecretString } = await this.administrator.secrets.send(new GetSecretValueCommand({ SecretId }));
    return JSON.parse(SecretString!) as T;
  }

  /** @param value a text as it is, or an object as JSON */
  async putSecret(SecretId: string, value: string | object, { secrets } = this.administrator): Promise<void> {
    const SecretString = typeof value === 'string' ? value : JSON.stringify(value);
    await secrets.send(new PutSecretValueCommand({ SecretId, SecretString }));
  }

  /** Receives and deletes all messages of a queue. */
  async messages(QueueUrl: string): Promise<Message[]> {
    const { sqs } = this.administrator;
    const { Messages = [] } = await sqs.send(
      new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10, MessageAttributeNames: ['All'] }),
    );
    for (const { ReceiptHandle } of Messages)
      await sqs.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle }));
    return Messages;
  }
}
