import { type TokenType } from '../tokens/token-key';
import { type DeploymentFile } from './deployment-file';
import { type ProbeAnswer } from '../restore/restore-operation';
import { type CredentialKind } from '../secrets/secret-names';
import { type EnsureErrorCode } from '../tokens/token-refresh';

/**
 * The event of credential-watch. `report` returns a snapshot of the deployment, which holds no secrets, so every operator
 * may ask for it. The schedule sends `watch`, which records metrics of the snapshot and returns the findings.
 */
export interface WatchEvent {
  action: 'watch' | 'report';
  /** Limits the run to these tenants. @default all */
  tenantIds?: string[];
}

/** The state of a deployment at one moment. Times are ISO 8601, UTC. */
export interface DeploymentSnapshot {
  takenAt: string;
  /** The deployment file that the functions were deployed with. */
  deployment: DeploymentFile;
  tenants: TenantSnapshot[];
  /** Whether the platform offers restore; absent without a restore API. */
  restore?: ProbeAnswer;
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
  /** The function's role lacks a permission. `action` and `resource` are those of IAM. */
  | { access: 'denied'; action: string; resource: string }
  | { access: 'unavailable'; reason: string };

export type CredentialSnapshot = {
  kind: CredentialKind;
  /** The ARN if known, otherwise the name. */
  secretId: string;
} & (SecretFailure | CredentialState);

export interface CredentialState {
  access: 'ok';
  /** The versions that have a label. If none has AWSCURRENT, nothing has been loaded yet. */
  versions: SnapshotVersion[];
  /** When the current version became current; absent if nothing is loaded. */
  promotedAt?: string;
  /** When the secret was last changed in any way. Absent if an older Latchkey is deployed. */
  changedAt?: string;
  /** Expiry of the current API key. Absent for other kinds, and if the value has none. */
  validUntil?: string;
  /** Absent for other kinds, if nothing is loaded, and if an older Latchkey is deployed. */
  proof?: KeyProof;
  rotationEnabled: boolean;
  /** When Secrets Manager starts rotations: `cron(…)`, `rate(…)` or `none`. Absent if an older Latchkey is deployed. */
  rotationSchedule?: string;
  /** NextRotationDate of Secrets Manager. */
  nextRotationAt?: string;
}

/** What rotate-credentials has recorded about the current API key. */
export interface KeyProof {
  current: 'proven' | 'refused' | 'unproven';
  /** Whether a key opens the restore API beyond a grace period: the current one, or the one that was proven before it. */
  isServed: boolean;
}

export interface SnapshotVersion {
  versionId: string;
  labels: string[];
  createdAt?: string;
}

export type TokenSnapshot = TokenType & { secretId: string } & (SecretFailure | TokenState);

export interface TokenState {
  access: 'ok';
  /** Absent if no token of this key is stored. */
  token?: {
    versionId: string;
    issuedAt: string;
    expiresAt: string;
    /** Until then, the issuer returns this token to each request. Absent if it never does. */
    sameUntil?: string;
    /** Version of the client credentials that the token was requested with. */
    credentialVersionId: string;
    /** When that version was created. */
    credentialCreatedAt?: string;
    /** Version of the client credentials that the platform refused, so that a former one obtained the token. */
    refusedCredentialVersionId?: string | undefined;
    /** Expiries of earlier tokens that the platform refused in the last day, latest first. */
    refusedExpiresAt?: string[];
  };
  /** Why the requested renewal failed; present only after a request to token-refresh. */
  renewalError?: { code: EnsureErrorCode; message: string };
}
