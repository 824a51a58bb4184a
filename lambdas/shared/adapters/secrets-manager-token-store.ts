import {
  DescribeSecretCommand,
  PutSecretValueCommand,
  ResourceExistsException,
  type SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';

import { tokenSecretName } from '../../../contract/secret-names';
import { type TokenKey } from '../../../contract/token-key';
import { nextVersionId, type SeenVersion } from '../domain/compare-and-set';
import { serializeStoredToken, type StoredToken } from '../domain/stored-token';
import { type TokenEntry, type TokenStore, type WriteOutcome } from '../ports';
import { StoreError } from '../domain/store-error';
import { endingAfter } from './call-timeout';
import { storeErrorOfName } from './missing-secret';
import { storeErrorOf } from './secrets-manager-error';
import { SecretsManagerTokenReader } from './secrets-manager-token-reader';

const READ = 'secretsmanager:GetSecretValue';

/** Tokens in Secrets Manager, one secret per key. */
export class SecretsManagerTokenStore implements TokenStore {
  private readonly client: SecretsManagerClient;
  private readonly prefix: string;
  private readonly reader: SecretsManagerTokenReader;

  constructor(client: SecretsManagerClient, prefix: string) {
    this.client = client;
    this.prefix = prefix;
    this.reader = new SecretsManagerTokenReader(client, prefix);
  }

  async read(key: TokenKey, timeoutMs?: number): Promise<TokenEntry> {
    const secretId = tokenSecretName(this.prefix, key);
    const version = await this.reader.read(key, 'AWSCURRENT', timeoutMs).catch(async (error: unknown) => {
      if (!(error instanceof StoreError)) throw error;
      throw await storeErrorOfName(this.client, error.cause, READ, secretId, timeoutMs);
    });
    if (version !== undefined) return { ...version, attempt: 0 };
    const secretArn = await this.arnOf(secretId, timeoutMs);
    return { secretArn, versionId: undefined, attempt: 0, token: undefined };
  }

  async compareAndSet(
    key: TokenKey,
    seen: SeenVersion,
    token: StoredToken,
    timeoutMs?: number,
  ): Promise<WriteOutcome> {
    try {
      const { VersionId } = await this.client.send(
        new PutSecretValueCommand({
          SecretId: seen.secretArn,
          ClientRequestToken: nextVersionId(seen),
          SecretString: serializeStoredToken(token, key),
        }),
        endingAfter(timeoutMs),
      );
      return { kind: 'written', versionId: VersionId! };
    } catch (error) {
      if (error instanceof ResourceExistsException) return { kind: 'conflict' };
      throw storeErrorOf(error, 'secretsmanager:PutSecretValue', seen.secretArn);
    }
  }

  /** The ARN of a secret without a version. @throws {StoreError} if the secret does not exist */
  private async arnOf(secretId: string, timeoutMs: number | undefined): Promise<string> {
    try {
      const { ARN } = await this.client.send(
        new DescribeSecretCommand({ SecretId: secretId }),
        endingAfter(timeoutMs),
      );
      return ARN!;
    } catch (error) {
      throw storeErrorOf(error, 'secretsmanager:DescribeSecret', secretId);
    }
  }
}
