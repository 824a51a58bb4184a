import { type DeploymentFile } from './deployment-file';
import { type TokenType } from './platform';
import { type CredentialKind } from './secret-names';
import { type EnsureErrorCode } from './token-refresh';

/**
 * Asks credential-watch for a snapshot of the deployment: `report` answers it. Nothing secret is in the answer, so every
 * operator may ask. The schedule sends `watch`, which turns the snapshot into metrics and answers the findings.
 */
export interface WatchEvent {
  action: 'watch' | 'report';
  /** Only these tenants. @default all */
  tenantIds?: string[];
}

/** The state of one deployment at one moment. Times are ISO 8601, UTC. */
export interface DeploymentSnapshot {
  takenAt: string;
  /** As the functions were deployed with it. */
  deployment: DeploymentFile;
  tenants: TenantSnapshot[];
}

export interface TenantSnapshot {
  tenantId: string;
  credentials: CredentialSnapshot[];
  tokens: TokenSnapshot[];
}

/** Why a secret could not be inspected. */
export type SecretFailure =
  | { access: 'missing' }
  | { access: 'scheduled_for_deletion' }
  /** The function's role may not. `action` and `resource` as IAM names them. */
  | { access: 'denied'; action: string; resource: string }
  | { access: 'unavailable'; reason: string };

export type CredentialSnapshot = {
  kind: CredentialKind;
  /** ARN where it is known, else the name. */
  secretId: string;
} & (SecretFailure | CredentialState);

export interface CredentialState {
  access: 'ok';
  /** The versions that have a label. Without one labelled AWSCURRENT, nothing was loaded yet. */
  versions: SnapshotVersion[];
  /** When the current version became current; absent where nothing is loaded. */
  promotedAt?: string;
  /** Of the current API key. Absent for other kinds, and where the value holds none. */
  validUntil?: string;
  rotationEnabled: boolean;
  /** When the schedule fires next, as Secrets Manager tells it. */
  nextRotationAt?: string;
}

export interface SnapshotVersion {
  versionId: string;
  labels: string[];
  createdAt?: string;
}

export type TokenSnapshot = TokenType & { secretId: string } & (SecretFailure | TokenState);

export interface TokenState {
  access: 'ok';
  /** Absent where no token of this key is stored. */
  token?: {
    versionId: string;
    issuedAt: string;
    expiresAt: string;
    /** Version of the client credentials that minted it. */
    credentialVersionId: string;
  };
  /** Why it could not be renewed, where somebody asked token-refresh just now. */
  renewalError?: { code: EnsureErrorCode; message: string };
}
