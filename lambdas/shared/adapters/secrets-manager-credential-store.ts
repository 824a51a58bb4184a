import {
  DescribeSecretCommand,
  GetSecretValueCommand,
  type SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';

import { type DeploymentFile } from '../../../contract/deployment-file';
import { credentialSecretName } from '../../../contract/secret-names';
import { type ClientCredentialsValue } from '../../../contract/secret-values';
import { type TenantKey } from '../../../contract/token-key';
import { StoreError } from '../domain/store-error';
import { type ClientCredentials, type CredentialStore } from '../ports';
import { storeErrorOf } from './secrets-manager-error';

/** Client credentials in Secrets Manager. A secret without a current version is one that was not loaded yet. */
export class SecretsManagerCredentialStore implements CredentialStore {
  private readonly client: SecretsManagerClient;
  private readonly deployment: DeploymentFile;

  constructor(client: SecretsManagerClient, deployment: DeploymentFile) {
    this.client = client;
    this.deployment = deployment;
  }

  async read(tenant: TenantKey): Promise<ClientCredentials | undefined> {
    const secretId = this.secretIdOf(tenant);
    try {
      const answer = await this.client.send(new GetSecretValueCommand({ SecretId: secretId }));
      return { ...parseCredentials(answer.SecretString, secretId), versionId: answer.VersionId! };
    } catch (error) {
      if (error instanceof StoreError) throw error;
      const failure = storeErrorOf(error, 'secretsmanager:GetSecretValue', secretId);
      if (failure.code === 'not_found') return undefined;
      throw failure;
    }
  }

  async currentVersionId(tenant: TenantKey): Promise<string | undefined> {
    const secretId = this.secretIdOf(tenant);
    try {
      const { VersionIdsToStages = {} } = await this.client.send(
        new DescribeSecretCommand({ SecretId: secretId }),
      );
      return Object.entries(VersionIdsToStages).find(([, stages]) => stages.includes('AWSCURRENT'))?.[0];
    } catch (error) {
      const failure = storeErrorOf(error, 'secretsmanager:DescribeSecret', secretId);
      if (failure.code === 'not_found') return undefined;
      throw failure;
    }
  }

  private secretIdOf(tenant: TenantKey): string {
    const { prefix, tenants } = this.deployment;
    const adopted = tenants.find(({ tenantId }) => tenantId === tenant.tenantId)?.adopted.clientCredentials;
    return adopted ?? credentialSecretName(prefix, tenant, 'client-credentials');
  }
}

function parseCredentials(secretString: string | undefined, secretId: string): ClientCredentialsValue {
  let value: unknown;
  try {
    value = JSON.parse(secretString ?? '');
  } catch {
    // Falls through: the parser's message would quote the secret.
  }
  const { clientId, clientSecret } = (value ?? {}) as Partial<Record<keyof ClientCredentialsValue, unknown>>;
  if (typeof clientId !== 'string' || typeof clientSecret !== 'string') {
    throw new StoreError('malformed', `${secretId} does not hold {"clientId","clientSecret"}`);
  }
  return { clientId, clientSecret };
}
