import { type CredentialKind } from '../secrets/secret-names';
import { type TenantKey, type TokenKey } from '../tokens/token-key';

/** The `source` of every event that Latchkey sends to EventBridge. */
export const EVENT_SOURCE = 'latchkey';

/** The `detail-type` of each event. */
export const EVENT_TYPES = {
  tokenRenewed: 'Token Renewed',
  credentialRotated: 'Credential Rotated',
  credentialRevoked: 'Credential Revoked',
} as const;
export type EventType = (typeof EVENT_TYPES)[keyof typeof EVENT_TYPES];

/**
 * The version of all details. Fields may be added without another version, so readers ignore those that they do not know.
 * @see docs/events.md
 */
export const EVENT_SCHEMA_VERSION = '1';

/** What the details of all events have. They hold ids and times, never a secret value. Times are ISO 8601, UTC. */
interface ChangeDetail {
  schemaVersion: typeof EVENT_SCHEMA_VERSION;
  /** The prefix of the deployment's names. */
  prefix: string;
  secretArn: string;
  /** The version of the secret that the event is about. */
  versionId: string;
}

/** Another token became current. */
export type TokenRenewedDetail = ChangeDetail &
  TokenKey & {
    /** When the token was issued: `issuedAt` of its secret's value. Of two events, the one with the later time is newer. */
    renewedAt: string;
    expiresAt: string;
  };

/** Another version of a credential became current, by a rotation or because it was the first. */
export type CredentialRotatedDetail = ChangeDetail &
  TenantKey & { credential: CredentialKind; rotatedAt: string };

/** An operator revoked the previous version of a credential: the restore API rejects that API key from now on. */
export type CredentialRevokedDetail = ChangeDetail &
  TenantKey & { credential: CredentialKind; revokedAt: string };

/** The details by `detail-type`. */
export interface ChangeDetails {
  'Token Renewed': TokenRenewedDetail;
  'Credential Rotated': CredentialRotatedDetail;
  'Credential Revoked': CredentialRevokedDetail;
}

/** Asks rotate-credentials to send the event of a change that a command made. */
export interface AnnounceEvent {
  action: 'announce';
  change: 'rotated' | 'revoked';
  tenantId: string;
  credential: CredentialKind;
  /** The version that became current, or was revoked. */
  versionId: string;
}

/** Whether the event was sent: not if the secret's labels do not show the change, or EventBridge refused it. */
export interface AnnounceAnswer {
  sent: boolean;
}
