import { GetSecretValueCommand, type SecretsManagerClient } from '@aws-sdk/client-secrets-manager';

import { tokenSecretName } from '../../../core/secrets/secret-names';
import { type TokenKey } from '../../../core/tokens/token-key';
import { parseStoredToken } from '../../../core/tokens/stored-token';
import { type TokenReader, type TokenVersion } from '../ports';
import { endingAfter } from './call-timeout';
import { storeErrorOf } from './secrets-manager-error';

/** Reads tokens from Secrets Manager. Needs only `secretsmanager:GetSecretValue`. */
export class SecretsManagerTokenReader implements TokenReader {
  private readonly client: SecretsManagerClient;
  private readonly prefix: string;

  constructor(client: SecretsManagerClient, prefix: string) {
    this.client = client;
    this.prefix = prefix;
  }

  async read(
    key: TokenKey,
    stage: 'AWSCURRENT' | 'AWSPREVIOUS',
    timeoutMs?: number,
  ): Promise<TokenVersion | undefined> {
    return (await this.get(key, { VersionStage: stage }, timeoutMs))?.version;
  }

  /** The version with this label or id, and its labels; undefined if there is none. @throws {StoreError} */
  async get(
    key: TokenKey,
    version: { VersionStage: string } | { VersionId: string },
    timeoutMs: number | undefined,
  ): Promise<{ version: TokenVersion; labels: readonly string[] } | undefined> {
    const secretId = tokenSecretName(this.prefix, key);
    try {
      const {
        ARN,
        VersionId,
        SecretString,
        VersionStages = [],
      } = await this.client.send(
        new GetSecretValueCommand({ SecretId: secretId, ...version }),
        endingAfter(timeoutMs),
      );
      const token = SecretString === undefined ? undefined : parseStoredToken(SecretString, key);
      return { version: { secretArn: ARN!, versionId: VersionId!, token }, labels: VersionStages };
    } catch (error) {
      const failure = storeErrorOf(error, 'secretsmanager:GetSecretValue', secretId);
      if (failure.code === 'not_found') return undefined;
      throw failure;
    }
  }
}
