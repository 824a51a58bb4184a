import {
  DescribeSecretCommand,
  GetSecretValueCommand,
  type GetSecretValueResponse,
  type SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';

import { adoptedSecret, credentialSecretId, type DeploymentFile } from '../../../contract/deployment-file';
import { placeFlags } from '../../../contract/place-flags';
import { type TenantKey } from '../../../contract/token-key';
import { parseClientCredentials } from '../domain/credential-values';
import { TokenError } from '../domain/token-errors';
import { type ClientCredentials, type CredentialStore } from '../ports';
import { endingAfter } from './call-timeout';
import { storeErrorOfName } from './missing-secret';
import { storeErrorOf } from './secrets-manager-error';

/** Client credentials in Secrets Manager. A secret without a current version has not been loaded yet. */
export class SecretsManagerCredentialStore implements CredentialStore {
  private readonly client: SecretsManagerClient;
  private readonly deployment: DeploymentFile;

  constructor(client: SecretsManagerClient, deployment: DeploymentFile) {
    this.client = client;
    this.deployment = deployment;
  }

  async read(tenant: TenantKey, timeoutMs?: number): Promise<ClientCredentials> {
    const secretId = this.secretIdOf(tenant);
    const { SecretString, VersionId } = await this.valueOf(tenant, secretId, timeoutMs);
    const { fields } = adoptedSecret(this.deployment, tenant, 'client-credentials') ?? {};
    const credentials = parseClientCredentials(SecretString, fields);
    if (credentials !== undefined) return { ...credentials, versionId: VersionId! };
    // `not_loaded`, because the remedy is the same.
    throw new TokenError('not_loaded', `${secretId} holds no client credentials; ${howToLoad(tenant)}`, {
      fault: 'credential_malformed',
    });
  }

  async currentVersionId(tenant: TenantKey, timeoutMs?: number): Promise<string | undefined> {
    const secretId = this.secretIdOf(tenant);
    try {
      const { VersionIdsToStages = {} } = await this.client.send(
        new DescribeSecretCommand({ SecretId: secretId }),
        endingAfter(timeoutMs),
      );
      return Object.entries(VersionIdsToStages).find(([, stages]) => stages.includes('AWSCURRENT'))?.[0];
    } catch (error) {
      const failure = storeErrorOf(error, 'secretsmanager:DescribeSecret', secretId);
      if (failure.code === 'not_found') return undefined;
      throw failure;
    }
  }

  private async valueOf(
    tenant: TenantKey,
    secretId: string,
    timeoutMs: number | undefined,
  ): Promise<GetSecretValueResponse> {
    try {
      return await this.client.send(
        new GetSecretValueCommand({ SecretId: secretId }),
        endingAfter(timeoutMs),
      );
    } catch (error) {
      const action = 'secretsmanager:GetSecretValue';
      const failure = await storeErrorOfName(this.client, error, action, secretId, timeoutMs);
      if (failure.code !== 'not_found') throw failure;
      const message = `no client credentials are loaded in ${secretId}; ${howToLoad(tenant)}`;
      throw new TokenError('not_loaded', message, { cause: failure });
    }
  }

  private secretIdOf(tenant: TenantKey): string {
    return credentialSecretId(this.deployment, tenant, 'client-credentials');
  }
}

function howToLoad(tenant: TenantKey): string {
  return `to load them, run latchkey credentials put ${placeFlags(tenant)}`;
}
