import { ENVIRONMENTS, PLATFORM_NAME, PLATFORM_REGIONS, SCOPES } from '../deployment/platform';
import { type DeploymentKey } from '../tokens/token-key';
import { type IssuerProfile } from './issuer-profile';

/**
 * The built-in issuer: that of a deployment without the option `issuer`.
 * @see the platform's specification, "Authentication" and "Endpoints" 1
 */
export const LEARNING_PLATFORM = {
  name: PLATFORM_NAME,
  title: 'Learning platform',
  environments: ENVIRONMENTS,
  regions: PLATFORM_REGIONS,
  interfaces: { content: { scopes: SCOPES.content }, webhooks: { scopes: SCOPES.webhooks } },
  tokenEndpoint: { path: '/oauth2/token/{tenantId}' },
  request: {
    body: 'json',
    oneScope: true,
    fields: {
      scope: '{scope}',
      grant_type: 'client_credentials',
      client_id: '{clientId}',
      client_secret: '{clientSecret}',
    },
  },
  offers: ['api-keys', 'restore'],
} as const satisfies IssuerProfile;

/** The name of the issuer's profile. */
export function issuerName({ issuer = LEARNING_PLATFORM.name }: Pick<DeploymentKey, 'issuer'>): string {
  return issuer;
}
