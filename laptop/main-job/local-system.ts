import { readFileSync } from 'node:fs';
import { Agent } from 'node:https';
import { resolve } from 'node:path';

import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import {
  BatchGetSecretValueCommand,
  type APIErrorType,
  PutSecretValueCommand,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import { SignatureV4 } from '@smithy/signature-v4';

import { type AccessKey, type LocalRun } from '../../core/deployment/local-run';
import { type JsonAnswer, sendJson } from './https-json';

const CONTROL_CONNECTIONS = 8;
/** Maximum secrets in one request. @see https://docs.aws.amazon.com/secretsmanager/latest/apireference/API_BatchGetSecretValue.html */
const MAX_BATCH = 20;

/** A step of the main job failed. The message is for the person running it. */
export class JobError extends Error {
  override readonly name = 'JobError';
  readonly code = 'main_job_failed';
}

/** The running laptop system as an outsider sees it: through `.latchkey/local.json`, the AWS SDK and HTTPS. */
export class LocalSystem {
  readonly run: LocalRun;
  private readonly ca: string;
  /** Keeps connections to the sandbox's control API, because a TLS handshake takes longer than any of its answers. */
  private readonly controlAgent = new Agent({ keepAlive: true, maxSockets: CONTROL_CONNECTIONS });
  private readonly administrator: SecretsManagerClient;
  private readonly operator: { secrets: SecretsManagerClient; lambda: LambdaClient };

  constructor(projectRoot: string, stateDir: string) {
    this.run = JSON.parse(readFileSync(resolve(projectRoot, stateDir, 'local.json'), 'utf8')) as LocalRun;
    this.ca = readFileSync(resolve(projectRoot, this.run.caFile), 'utf8');
    this.administrator = new SecretsManagerClient(this.clientOptions(this.run.aws));
    const operator = this.clientOptions(this.run.operator);
    this.operator = { secrets: new SecretsManagerClient(operator), lambda: new LambdaClient(operator) };
  }

  /** Calls the sandbox's control API, which plays the platform's support. */
  async control(method: string, path: string, body?: unknown): Promise<JsonAnswer> {
    const url = `${this.run.sandboxControl}${path}`;
    const answer = await this.https(method, url, { body, agent: this.controlAgent });
    if (answer.status >= 300) {
      const said = (answer.body as { message?: string }).message ?? JSON.stringify(answer.body);
      throw new JobError(`the sandbox's control answered ${answer.status} to ${method} ${path}: ${said}`);
    }
    return answer;
  }

  https(
    method: string,
    url: string,
    options: { headers?: Record<string, string>; body?: unknown; agent?: Agent } = {},
  ): Promise<JsonAnswer> {
    return reach(new URL(url).origin, () => sendJson(this.ca, method, url, options));
  }

  /** Sends an HTTPS request to API Gateway, signed by the administrator. */
  async signed(method: string, address: string, body: unknown): Promise<JsonAnswer> {
    const { hostname, port, host, pathname: path } = new URL(address);
    const headers = { host, 'content-type': 'application/json' };
    const { region, ...credentials } = this.run.aws;
    const { sha256 } = this.administrator.config;
    const signer = new SignatureV4({ service: 'execute-api', region, credentials, sha256 });
    const request = { method, protocol: 'https:', hostname, port: Number(port), path, headers };
    const signed = await signer.sign({ ...request, body: JSON.stringify(body) });
    return this.https(method, address, { headers: signed.headers, body });
  }

  /** Stores a secret value, as the operator. */
  async putSecret(arn: string, value: unknown): Promise<void> {
    await reach(this.run.aws.endpoint, () =>
      this.operator.secrets.send(
        new PutSecretValueCommand({ SecretId: arn, SecretString: JSON.stringify(value) }),
      ),
    );
  }

  /** Reads a secret value, as {@link readSecrets} does. */
  async readSecret<T>(arn: string): Promise<T> {
    const values = await this.readSecrets<T>([arn]);
    return values.get(arn)!;
  }

  /**
   * Reads secret values, as the account's administrator.
   * @returns the values by ARN
   * @throws {JobError} if one has none, or the configuration denies it
   */
  async readSecrets<T>(arns: readonly string[]): Promise<Map<string, T>> {
    const values = new Map<string, T>();
    for (let start = 0; start < arns.length; start += MAX_BATCH) {
      const command = new BatchGetSecretValueCommand({ SecretIdList: arns.slice(start, start + MAX_BATCH) });
      const { SecretValues = [], Errors = [] } = await reach(this.run.aws.endpoint, () =>
        this.administrator.send(command),
      );
      const [failure] = Errors;
      if (failure) throw this.readFailure(failure);
      for (const { ARN, SecretString } of SecretValues) values.set(ARN!, JSON.parse(SecretString!) as T);
    }
    return values;
  }

  private readFailure({ SecretId, ErrorCode, Message }: APIErrorType): JobError {
    if (ErrorCode !== 'AccessDeniedException') return new JobError(`${SecretId}: ${ErrorCode} ${Message}`);
    const administrator = `arn:aws:iam::${this.run.aws.accountId}:user/administrator`;
    const fix = `this run reads tokens as its administrator: add "${administrator}" to secretReaders.tokens`;
    return new JobError(`${Message}\n  ${fix}`);
  }

  /** Invokes a function, as the operator. */
  async invoke<T>(arn: string, event: unknown): Promise<T> {
    const { Payload, FunctionError } = await reach(this.run.aws.endpoint, () =>
      this.operator.lambda.send(
        new InvokeCommand({ FunctionName: arn, Payload: Buffer.from(JSON.stringify(event)) }),
      ),
    );
    const text = Buffer.from(Payload ?? []).toString('utf8');
    if (FunctionError === undefined) return JSON.parse(text) as T;
    throw new JobError(`function ${arn} failed: ${text}`);
  }

  private clientOptions({ accessKeyId, secretAccessKey }: AccessKey) {
    const { endpoint, region } = this.run.aws;
    return { endpoint, region, credentials: { accessKeyId, secretAccessKey } };
  }
}

async function reach<T>(origin: string, call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === undefined || !/^(ECONN|EPIPE|ENOENT|ETIMEDOUT)/.test(code)) throw error;
    throw new JobError(`${origin} does not answer (${code}): the local system has stopped`, { cause: error });
  }
}
