import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

import { CloudWatchLogsClient, FilterLogEventsCommand } from '@aws-sdk/client-cloudwatch-logs';
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import {
  GetSecretValueCommand,
  PutSecretValueCommand,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import { DeleteMessageCommand, ReceiveMessageCommand, SQSClient } from '@aws-sdk/client-sqs';

import { type AccessKey, type LocalRun } from '../../../core/deployment/local-run';
import { type JsonAnswer, sendJson } from '../../../laptop/main-job/https-json';
import { type HttpsAnswer, type HttpsRequest, sendHttps } from '../../support/restore-api/https-request';
import { LocalProcess, PROJECT_ROOT } from './local-process';
import { signedHeaders } from '../../support/signed-request';
import { type LocalConfiguration, partOfSharedApp, readConfiguration, sharedApp } from './synthesized-app';

/** SDK clients for one access key. */
export class Clients {
  readonly secrets: SecretsManagerClient;
  readonly lambda: LambdaClient;
  readonly sqs: SQSClient;
  readonly logs: CloudWatchLogsClient;

  constructor({ endpoint, region }: LocalRun['aws'], credentials: AccessKey) {
    // Two attempts: after the clock is set forward, the first one only corrects the SDK's time.
    const options = { endpoint, region, credentials, maxAttempts: 2 };
    this.secrets = new SecretsManagerClient(options);
    this.lambda = new LambdaClient(options);
    this.sqs = new SQSClient(options);
    this.logs = new CloudWatchLogsClient(options);
  }
}

/** The running laptop system, driven only from outside: by AWS SDK, HTTPS and its output. */
export class RunningSystem {
  readonly process: LocalProcess;
  readonly run: LocalRun;
  readonly administrator: Clients;
  readonly operator: Clients;
  private readonly ca: string;
  /** How far this test has set the clock forward. */
  private advancedMs = 0;

  private constructor(process: LocalProcess) {
    this.process = process;
    this.run = JSON.parse(readFileSync(resolve(process.stateDir, 'local.json'), 'utf8')) as LocalRun;
    this.ca = readFileSync(resolve(PROJECT_ROOT, this.run.caFile), 'utf8');
    this.administrator = new Clients(this.run.aws, this.run.aws);
    this.operator = new Clients(this.run.aws, this.run.operator);
  }

  /**
   * Starts a system and waits until it is ready, by default with the app that all journeys share.
   * @param args may name another configuration
   */
  static async start(args: string[] = []): Promise<RunningSystem> {
    const given =
      args.includes('--config') || args.includes('--assembly')
        ? args
        : ['--assembly', await sharedApp(), ...args];
    return RunningSystem.startAsUsersDo(given);
  }

  /**
   * Like {@link start}, with only some deployments, for tests that look at no others.
   * @param stacks names of the deployments' stacks
   */
  static async startPart(stacks: readonly string[], args: string[] = []): Promise<RunningSystem> {
    return RunningSystem.start(['--assembly', await partOfSharedApp(stacks), ...args]);
  }

  /** Starts a system with an edited configuration of the laptop. */
  static startConfigured(
    change: (configuration: LocalConfiguration) => void,
    args: string[] = [],
    of = 'config/local.json',
  ): Promise<RunningSystem> {
    const folder = mkdtempSync(join(tmpdir(), 'latchkey-configured-'));
    const file = join(folder, 'config.json');
    const configuration = readConfiguration(of);
    change(configuration);
    writeFileSync(file, JSON.stringify(configuration));
    // The system reads the file once, before it is ready.
    return RunningSystem.start([...args, '--config', file]).finally(() =>
      rmSync(folder, { recursive: true }),
    );
  }

  /**
   * Starts a system with exactly these arguments, and no app synthesized in advance.
   * @param env more environment variables
   */
  static async startAsUsersDo(args: string[], env: Record<string, string> = {}): Promise<RunningSystem> {
    const process = new LocalProcess(args, env);
    await process.printed(/^ready/m);
    return new RunningSystem(process);
  }

  async stop(): Promise<void> {
    await this.process.interrupt();
  }

  /** Sends an HTTPS request that trusts only the system's CA. */
  https(
    method: string,
    url: string,
    options: { headers?: Record<string, string>; body?: unknown } = {},
  ): Promise<JsonAnswer> {
    return sendJson(this.ca, method, url, options);
  }

  /** Like {@link https}, but sends the request exactly as given, even if malformed. */
  send(method: string, url: string, request: HttpsRequest): Promise<HttpsAnswer> {
    return sendHttps(this.ca, method, url, request);
  }

  /** Calls the sandbox's control API. */
  async control<T>(method: string, path: string, body?: unknown): Promise<T> {
    const answer = await this.https(method, `${this.run.sandboxControl}${path}`, { body });
    if (answer.status >= 300)
      throw new Error(`control answered ${answer.status}: ${JSON.stringify(answer.body)}`);
    return answer.body as T;
  }

  /** Sets the clock of the whole system forward, and waits for everything that becomes due. */
  async advance(seconds: number): Promise<void> {
    await this.localControl('clock', { advanceSec: seconds });
    this.advancedMs += seconds * 1000;
  }

  /**
   * Makes Secrets Manager fail an operation on secrets whose ARN or name contains the text.
   * @param times how often; until cleared if undefined
   */
  async failSecrets(operation: string, error: string, secretId: string, times?: number): Promise<void> {
    await this.localControl('faults', {
      service: 'secretsmanager',
      operation,
      error,
      ...(times !== undefined && { times }),
      match: { secretId },
    });
  }

  /** Creates or updates the stacks of an assembly, as `cdk deploy` does. */
  deployStacks(assemblyDir: string): Promise<void> {
    return this.localControl('stacks', { action: 'deploy', assemblyDir });
  }

  /** Invokes a function with the given clients, and returns its answer. */
  async invoke<T>(clients: Clients, functionArn: string, event: unknown): Promise<T> {
    const { Payload, FunctionError } = await clients.lambda.send(
      new InvokeCommand({ FunctionName: functionArn, Payload: Buffer.from(JSON.stringify(event)) }),
    );
    const text = Buffer.from(Payload ?? []).toString('utf8');
    if (FunctionError !== undefined) throw new Error(`function error: ${text}`);
    return JSON.parse(text) as T;
  }

  /** The value of a secret, read by the administrator. */
  async secret<T>(arn: string): Promise<T> {
    const { SecretString } = await this.administrator.secrets.send(
      new GetSecretValueCommand({ SecretId: arn }),
    );
    return JSON.parse(SecretString!) as T;
  }

  async putSecret(clients: Clients, arn: string, value: unknown): Promise<void> {
    await clients.secrets.send(
      new PutSecretValueCommand({ SecretId: arn, SecretString: JSON.stringify(value) }),
    );
  }

  /** A function's log lines in CloudWatch Logs. */
  async logLines(logGroupName: string): Promise<string[]> {
    const { events = [] } = await this.administrator.logs.send(new FilterLogEventsCommand({ logGroupName }));
    return events.map(({ message }) => message ?? '');
  }

  /** Receives and deletes all messages of a queue. */
  async messages(queueUrl: string): Promise<{ body: string; attributes: Record<string, string> }[]> {
    const { Messages = [] } = await this.administrator.sqs.send(
      new ReceiveMessageCommand({
        QueueUrl: queueUrl,
        MaxNumberOfMessages: 10,
        MessageAttributeNames: ['All'],
      }),
    );
    for (const { ReceiptHandle } of Messages) {
      await this.administrator.sqs.send(new DeleteMessageCommand({ QueueUrl: queueUrl, ReceiptHandle }));
    }
    return Messages.map(({ Body, MessageAttributes = {} }) => ({
      body: Body ?? '',
      attributes: Object.fromEntries(
        Object.entries(MessageAttributes).map(([name, { StringValue }]) => [name, StringValue ?? '']),
      ),
    }));
  }

  private async localControl(name: string, input: object): Promise<void> {
    const { endpoint, region } = this.run.aws;
    const url = `${endpoint}/_local/${name}`;
    const body = JSON.stringify(input);
    const headers = await signedHeaders(
      {
        service: 'loopback',
        region,
        credentials: this.run.aws,
        signedAtMs: Date.now() + this.advancedMs,
      },
      { method: 'POST', url, headers: { 'content-type': 'application/json' }, body },
    );
    const answer = await fetch(url, { method: 'POST', headers, body });
    if (!answer.ok) throw new Error(`${name} answered ${answer.status}: ${await answer.text()}`);
  }
}
