import {
  BatchGetSecretValueCommand,
  type GetSecretValueResponse,
  type SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';

import { meaningOfAwsError } from '../../../core/calls/aws-errors';
import { type CallOptions } from './call-timeout';
import { getSecretValue } from './secrets-manager-calls';

/** The maximum that Secrets Manager allows. */
const MAX_BATCH = 20;

export type CurrentValue = Pick<
  GetSecretValueResponse,
  'ARN' | 'Name' | 'VersionId' | 'SecretString' | 'CreatedDate'
>;

/** Reads the current value of a secret. @throws {StoreError} */
export type ReadValue = (secretId: string, options: CallOptions) => Promise<CurrentValue>;

interface Waiting {
  secretId: string;
  options: CallOptions;
  resolve: (value: CurrentValue | Promise<CurrentValue>) => void;
}

/**
 * Reads values that are needed at about the same time with one call for up to twenty. A value that the batch does not have, and
 * every value if batches are denied, is read alone, so that its error is that of GetSecretValue.
 * @see https://docs.aws.amazon.com/secretsmanager/latest/apireference/API_BatchGetSecretValue.html
 */
export class BatchedValues {
  private readonly client: SecretsManagerClient;
  private waiting: Waiting[] = [];
  /** How many pieces of work may still read a value. */
  private readers = 0;
  private isDenied = false;

  constructor(client: SecretsManagerClient) {
    this.client = client;
  }

  /** Runs work that reads at most one value. A batch goes out once it is full, or no other work may add to it. */
  async run<T>(work: (read: ReadValue) => Promise<T>): Promise<T> {
    this.readers += 1;
    let mayRead = true;
    const leave = (): void => {
      if (mayRead) this.readers -= 1;
      mayRead = false;
      // Work that starts in the same turn takes part.
      queueMicrotask(() => this.send());
    };
    try {
      return await work((secretId, options) => {
        const value = new Promise<CurrentValue>((resolve) =>
          this.waiting.push({ secretId, options, resolve }),
        );
        leave();
        return value;
      });
    } finally {
      leave();
    }
  }

  private send(): void {
    while (this.waiting.length >= MAX_BATCH || (this.readers === 0 && this.waiting.length > 0)) {
      const batch = this.waiting.splice(0, MAX_BATCH);
      const values = batch.length === 1 || this.isDenied ? undefined : this.readTogether(batch);
      for (const { secretId, options, resolve } of batch) {
        const readAlone = () => getSecretValue(this.client, { SecretId: secretId }, options);
        resolve(values?.then((read) => read.get(secretId) ?? readAlone()) ?? readAlone());
      }
    }
  }

  /** The values by name and by ARN; none if the call fails. */
  private async readTogether(batch: readonly Waiting[]): Promise<Map<string | undefined, CurrentValue>> {
    try {
      const SecretIdList = batch.map(({ secretId }) => secretId);
      const command = new BatchGetSecretValueCommand({ SecretIdList });
      const { SecretValues = [] } = await this.client.send(command, batch[0]!.options);
      return new Map(
        SecretValues.flatMap((value) => [[value.Name, value] as const, [value.ARN, value] as const]),
      );
    } catch (error) {
      if (meaningOfAwsError((error as Error).name) === 'access_denied') this.isDenied = true;
      return new Map();
    }
  }
}
