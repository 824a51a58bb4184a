import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import {
  GetSecretValueCommand,
  PutSecretValueCommand,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';

import { type AccessKey, type LocalRun } from '../../contract/local-run';
import { type JsonAnswer, sendJson } from './https-json';

/** A step of the main job failed. The message is for the person running it. */
export class JobError extends Error {
  override readonly name = 'JobError';
  readonly code = 'main_job_failed';
}

/** The running laptop system as an outsider sees it: through `.latchkey/local.json`, the AWS SDK and HTTPS. */
export class LocalSystem {
  readonly run: LocalRun;
  private readonly ca: string;
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
    const answer = await this.https(method, `${this.run.sandboxControl}${path}`, { body });
    if (answer.status >= 300) {
      const said = (answer.body as { message?: string }).message ?? JSON.stringify(answer.body);
      throw new JobError(`the sandbox's control answered ${answer.status} to ${method} ${path}: ${said}`);
    }
    return answer;
  }

  https(
    method: string,
    url: string,
    options: { headers?: Record<string, string>; body?: unknown } = {},
  ): Promise<JsonAnswer> {
    return reach(new URL(url).origin, () => sendJson(this.ca, method, url, options));
  }

  /** Stores a secret value, as the operator. */
  async putSecret(arn: string, value: unknown): Promise<void> {
    await reach(this.run.aws.endpoint, () =>
      this.operator.secrets.send(
        new PutSecretValueCommand({ SecretId: arn, SecretString: JSON.stringify(value) }),
      ),
    );
  }

  /**
   * Reads a secret value, as the account's administrator.
   * @throws {JobError} if the configuration denies it
   */
  async readSecret<T>(arn: string): Promise<T> {
    const { SecretString } = await reach(this.run.aws.endpoint, () =>
      this.administrator.send(new GetSecretValueCommand({ SecretId: arn })),
    ).catch((error: Error) => {
      if (error.name !== 'AccessDeniedException') throw error;
      const administrator = `arn:aws:iam::${this.run.aws.accountId}:user/administrator`;
      const fix = `this run reads tokens as its administrator: add "${administrator}" to secretReaders.tokens`;
      throw new JobError(`${error.message}\n  ${fix}`, { cause: error });
    });
    return JSON.parse(SecretString ?? '') as T;
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
