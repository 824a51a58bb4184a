import {
  type DescribeSecretResponse,
  PutSecretValueCommand,
  ResourceExistsException,
  type SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';

import { holderOf } from '../../../core/secrets/former-version';
import { tokenSecretName } from '../../../core/secrets/secret-names';
import { type TokenKey } from '../../../core/tokens/token-key';
import { nextVersionId, type SeenVersion } from '../../../core/secrets/compare-and-set';
import { serializeStoredToken, type StoredToken } from '../../../core/tokens/stored-token';
import { type NextEntry, type TokenEntry, type TokenStore, type WriteOutcome } from '../ports';
import { StoreError } from '../../../core/secrets/store-error';
import { endingAfter } from './call-timeout';
import { checkedStoreError } from './missing-secret';
import { describeSecret, labelsOf } from './secrets-manager-calls';
import { storeErrorOf } from './secrets-manager-error';
import { SecretsManagerTokenReader } from './secrets-manager-token-reader';

const READ = 'secretsmanager:GetSecretValue';

/** Tokens in Secrets Manager, one secret per key. */
export class SecretsManagerTokenStore implements TokenStore {
  private readonly client: SecretsManagerClient;
  private readonly prefix: string;
  private readonly reader: SecretsManagerTokenReader;
  /** The ARNs of secrets without a version, by name: the first write needs them. */
  private readonly arnsOfEmpty = new Map<string, string>();

  constructor(client: SecretsManagerClient, prefix: string) {
    this.client = client;
    this.prefix = prefix;
    this.reader = new SecretsManagerTokenReader(client, prefix);
  }

  async read(key: TokenKey, timeoutMs?: number, isProbablyStored = true): Promise<TokenEntry> {
    const secretId = tokenSecretName(this.prefix, key);
    if (!isProbablyStored) {
      const secret = await describeSecret(this.client, secretId, endingAfter(timeoutMs));
      if (isEmpty(secret)) return this.emptyEntry(secretId, secret.ARN!);
    }
    const version = await this.reader.read(key, 'AWSCURRENT', timeoutMs).catch(async (error: unknown) => {
      if (!(error instanceof StoreError)) throw error;
      throw await checkedStoreError(this.client, error.cause, READ, secretId, timeoutMs);
    });
    if (version === undefined) {
      const arn =
        this.arnsOfEmpty.get(secretId) ??
        (await describeSecret(this.client, secretId, endingAfter(timeoutMs))).ARN!;
      return this.emptyEntry(secretId, arn);
    }
    this.arnsOfEmpty.delete(secretId);
    return version;
  }

  async compareAndSet(
    key: TokenKey,
    seen: SeenVersion,
    token: StoredToken,
    timeoutMs?: number,
  ): Promise<WriteOutcome> {
    // If the write fails, the secret may be another one with this name by now.
    this.arnsOfEmpty.delete(tokenSecretName(this.prefix, key));
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

  async readNext(key: TokenKey, seen: SeenVersion, timeoutMs?: number): Promise<NextEntry | undefined> {
    const next = await this.reader.readWithLabels(key, { VersionId: nextVersionId(seen) }, timeoutMs);
    return next && { ...next.version, labels: next.labels };
  }

  private emptyEntry(secretId: string, secretArn: string): TokenEntry {
    this.arnsOfEmpty.set(secretId, secretArn);
    return { secretArn, versionId: undefined, token: undefined };
  }
}

/** Whether no version is current. False if the secret is scheduled for deletion: reading its value then fails, and says why. */
function isEmpty(secret: DescribeSecretResponse): boolean {
  return secret.DeletedDate === undefined && holderOf(labelsOf(secret), 'AWSCURRENT') === undefined;
}
