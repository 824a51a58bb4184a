import { GetSecretValueCommand, type SecretsManagerClient } from '@aws-sdk/client-secrets-manager';

import { tokenSecretName } from '../../../contract/secret-names';
import { type TokenKey } from '../../../contract/token-key';
import { parseStoredToken } from '../domain/stored-token';
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
    const secretId = tokenSecretName(this.prefix, key);
    try {
      const { ARN, VersionId, SecretString } = await this.client.send(
        new GetSecretValueCommand({ SecretId: secretId, VersionStage: stage }),
        endingAfter(timeoutMs),
      );
      const token = SecretString === undefined ? undefined : parseStoredToken(SecretString, key);
      return { secretArn: ARN!, versionId: VersionId!, token };
    } catch (error) {
      const failure = storeErrorOf(error, 'secretsmanager:GetSecretValue', secretId);
      if (failure.code === 'not_found') return undefined;
      throw failure;
    }
  }
}
