import {
  GetSecretValueCommand,
  type GetSecretValueResponse,
  type SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';

import {
  adoptedSecret,
  credentialSecretId,
  type DeploymentFile,
  type FieldNames,
} from '../../../core/deployment/deployment-file';
import { holderOf, isFormerUnrevoked, type Labels } from '../../../core/secrets/former-version';
import { placeFlags } from '../../../core/commands/place-flags';
import { type TenantKey } from '../../../core/tokens/token-key';
import { parseClientCredentials } from '../../../core/secrets/credential-values';
import { TokenError } from '../../../core/tokens/token-errors';
import { type ClientCredentials, type CredentialStore, type FormerCredentials } from '../ports';
import { endingAfter } from './call-timeout';
import { checkedStoreError } from './missing-secret';
import { undefinedIfMissing } from './secrets-manager-calls';
import { SecretsManagerCredentialVersions } from './secrets-manager-credential-versions';

/** Client credentials in Secrets Manager. A secret without a current version has not been loaded yet. */
export class SecretsManagerCredentialStore implements CredentialStore {
  private readonly client: SecretsManagerClient;
  private readonly versions: SecretsManagerCredentialVersions;
  private readonly deployment: DeploymentFile;

  constructor(client: SecretsManagerClient, deployment: DeploymentFile) {
    this.client = client;
    this.versions = new SecretsManagerCredentialVersions(client);
    this.deployment = deployment;
  }

  async read(tenant: TenantKey, timeoutMs?: number): Promise<ClientCredentials> {
    const secretId = this.secretIdOf(tenant);
    const { SecretString, VersionId, CreatedDate } = await this.valueOf(tenant, secretId, timeoutMs);
    const credentials = parseClientCredentials(SecretString, this.fieldsOf(tenant));
    if (credentials !== undefined)
      return { ...credentials, versionId: VersionId!, createdAtMs: CreatedDate?.getTime() };
    // `not_loaded`, because the remedy is the same.
    throw new TokenError('not_loaded', `${secretId} holds no client credentials; ${howToLoad(tenant)}`, {
      fault: 'credential_malformed',
    });
  }

  async currentVersionId(tenant: TenantKey, timeoutMs?: number): Promise<string | undefined> {
    const secretId = this.secretIdOf(tenant);
    const labels = await this.labelsOf(secretId, timeoutMs);
    return labels && holderOf(labels, 'AWSCURRENT');
  }

  async former(
    tenant: TenantKey,
    versionId: string,
    timeoutMs?: number,
  ): Promise<FormerCredentials | undefined> {
    const secretId = this.secretIdOf(tenant);
    const labels = await this.labelsOf(secretId, timeoutMs);
    if (labels === undefined || !isFormerUnrevoked(versionId, labels)) return undefined;
    // A version without labels can be read by its id until Secrets Manager deletes it.
    const version = await this.versions.read(secretId, versionId, timeoutMs);
    const credentials = parseClientCredentials(version?.value, this.fieldsOf(tenant));
    return credentials && { ...credentials, versionId, currentVersionId: holderOf(labels, 'AWSCURRENT') };
  }

  /** The labels by version id; undefined if the secret does not exist. */
  private async labelsOf(secretId: string, timeoutMs: number | undefined): Promise<Labels | undefined> {
    return (await this.versions.describe(secretId, timeoutMs).catch(undefinedIfMissing))?.labels;
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
      const failure = await checkedStoreError(this.client, error, action, secretId, timeoutMs);
      if (failure.code !== 'not_found') throw failure;
      const message = `no client credentials are loaded in ${secretId}; ${howToLoad(tenant)}`;
      throw new TokenError('not_loaded', message, { cause: failure });
    }
  }

  private fieldsOf(tenant: TenantKey): FieldNames | undefined {
    return adoptedSecret(this.deployment, tenant, 'client-credentials')?.fields;
  }

  private secretIdOf(tenant: TenantKey): string {
    return credentialSecretId(this.deployment, tenant, 'client-credentials');
  }
}

function howToLoad(tenant: TenantKey): string {
  return `to load them, run latchkey credentials put ${placeFlags(tenant)}`;
}
