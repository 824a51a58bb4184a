// The key types of the published libraries. Code inside uses the wider ones of `token-key.ts`.
import { type Environment, type PlatformRegion, type TokenType } from '../deployment/platform';

/** Identifies a deployment: of the built-in learning platform, or of another issuer, which may have no regions. */
export type DeploymentKey =
  | { issuer?: undefined; environment: Environment; platformRegion: PlatformRegion }
  | {
      /** The name of the issuer's profile. */
      issuer: string;
      environment: string;
      platformRegion?: string | undefined;
    };

/** A tenant in its deployment. */
export type TenantKey = DeploymentKey & { tenantId: string };

/**
 * Identifies one access token. Different keys never share a secret. For other issuers, `scope` has spaces between several scopes,
 * and is empty for a token without one.
 */
export type TokenKey =
  | (Extract<TenantKey, { issuer?: undefined }> & TokenType)
  | (Extract<TenantKey, { issuer: string }> & { interface: string; scope: string });
