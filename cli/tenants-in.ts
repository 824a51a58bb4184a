import { adoptedSecret, credentialSecretId, type DeploymentFile } from '../core/deployment/deployment-file';
import { tokenSecretName } from '../core/secrets/secret-names';
import { type DeploymentKey, tenantKeyOf } from '../core/tokens/token-key';
import { type Tenant } from './system';

/** The tenants with the names of their secrets. */
export function tenantsIn(file: DeploymentKey & Pick<DeploymentFile, 'prefix' | 'tenants'>): Tenant[] {
  return file.tenants.map(({ tenantId, tokens, apiKey }) => {
    const tenant = tenantKeyOf(file, tenantId);
    return {
      tenantId,
      apiKey,
      secretIds: {
        'client-credentials': credentialSecretId(file, tenant, 'client-credentials'),
        'api-key': credentialSecretId(file, tenant, 'api-key'),
      },
      secretFields: {
        'client-credentials': adoptedSecret(file, tenant, 'client-credentials')?.fields,
        'api-key': adoptedSecret(file, tenant, 'api-key')?.fields,
      },
      tokens: tokens.map((token) => ({
        ...token,
        secretId: tokenSecretName(file.prefix, { ...tenant, ...token }),
      })),
    };
  });
}
