import { type SecretsManagerClient } from '@aws-sdk/client-secrets-manager';

import { tokenSecretName } from '../../../core/secrets/secret-names';
import { type TokenKey } from '../../../core/tokens/token-key';
import { parseStoredToken } from '../../../core/tokens/stored-token';
import { type TokenVersion } from '../ports';
import { endingAfter } from './call-timeout';
import { getSecretValue, undefinedIfMissing } from './secrets-manager-calls';

/** Reads tokens from Secrets Manager. Needs only `secretsmanager:GetSecretValue`. */
export class SecretsManagerTokenReader {
  private readonly client: SecretsManagerClient;
  private readonly prefix: string;

  constructor(client: SecretsManagerClient, prefix: string) {
    this.client = client;
    this.prefix = prefix;
  }

  /** The version with this label; undefined if there is none. @throws {StoreError} */
  async read(
    key: TokenKey,
    stage: 'AWSCURRENT' | 'AWSPREVIOUS',
    timeoutMs?: number,
  ): Promise<TokenVersion | undefined> {
    return (await this.readWithLabels(key, { VersionStage: stage }, timeoutMs))?.version;
  }

  /** The version with this label or id, and its labels; undefined if there is none. @throws {StoreError} */
  async readWithLabels(
    key: TokenKey,
    version: { VersionStage: string } | { VersionId: string },
    timeoutMs: number | undefined,
  ): Promise<{ version: TokenVersion; labels: readonly string[] } | undefined> {
    const secretId = tokenSecretName(this.prefix, key);
    const call = getSecretValue(this.client, { SecretId: secretId, ...version }, endingAfter(timeoutMs));
    const value = await call.catch(undefinedIfMissing);
    if (value === undefined) return undefined;
    const { ARN, VersionId, SecretString, VersionStages = [] } = value;
    const token = SecretString === undefined ? undefined : parseStoredToken(SecretString, key);
    return { version: { secretArn: ARN!, versionId: VersionId!, token }, labels: VersionStages };
  }
}
