import { type CredentialSnapshot, type TokenSnapshot } from '../../core/deployment/deployment-snapshot';
import { type Metric, type MetricDimension } from '../../core/alarms/metrics';
import { type ActingUser, type ProbeAnswer } from '../../core/restore/restore-operation';
import { type CredentialKind } from '../../core/secrets/secret-names';
import { type TenantKey, type TokenKey, type TokenType } from '../../core/tokens/token-key';
import { type AcceptedSecret } from '../../core/secrets/accepted-secret';
import { type SeenVersion } from '../../core/secrets/compare-and-set';
import { type CredentialValue } from '../../core/secrets/credential-values';
import { type StoredToken } from '../../core/tokens/stored-token';
import { type IssuedToken } from '../../core/tokens/token-answer';

/** A clock that tests can replace. */
export interface Clock {
  /** Milliseconds since the epoch. May be set back. */
  nowMs(): number;
  /** Milliseconds since an arbitrary moment. Never goes back, but may stop while the process is frozen. */
  monotonicMs(): number;
  sleep(ms: number): Promise<void>;
}

/** Returns a number in [0, 1), for jitter. */
export type Random = () => number;

/** A tenant's client credentials, with the id of their version. */
export interface ClientCredentials {
  clientId: string;
  clientSecret: string;
  versionId: string;
  /** When that version was created, in ms since the epoch; undefined if unknown. */
  createdAtMs?: number | undefined;
  /** Whether they were read for another token, and may have been replaced since. @default false */
  isShared?: boolean;
}

/** Reads tenants' client credentials. `timeoutMs` limits each call, including retries. */
export interface CredentialStore {
  /** @throws {StoreError | TokenError} `not_loaded`, with the command to run, if there are no valid credentials */
  read(tenant: TenantKey, timeoutMs?: number): Promise<ClientCredentials>;
  /** Makes the next read ask the store again. Absent if reads are not shared. */
  forget?(tenant: TenantKey): void;
  /** Id of the current version; undefined if nothing was loaded yet. @throws {StoreError} */
  currentVersionId(tenant: TenantKey, timeoutMs?: number): Promise<string | undefined>;
  /**
   * The credentials of a version that was current, and the version that is current instead; undefined if that version was
   * revoked, is gone, or is current itself.
   * @throws {StoreError}
   */
  former(tenant: TenantKey, versionId: string, timeoutMs?: number): Promise<FormerCredentials | undefined>;
}

export interface FormerCredentials extends ClientCredentials {
  /** The version that is current instead. */
  currentVersionId: string | undefined;
}

export interface DescribedSecret {
  arn: string;
  name: string;
  tags: Readonly<Record<string, string>>;
  /** Staging labels by version id. Versions without labels are left out. */
  labels: ReadonlyMap<string, readonly string[]>;
  /** When the secret was last changed in any way, in ms since the epoch. */
  changedAtMs: number | undefined;
}

/** The versions of credential secrets and their staging labels. `timeoutMs` limits each call, including retries. */
export interface CredentialVersions {
  /** @throws {StoreError} */
  describe(secretId: string, timeoutMs?: number): Promise<DescribedSecret>;
  /** Returns undefined if the version has no value yet. @throws {StoreError} */
  read(secretId: string, versionId: string, timeoutMs?: number): Promise<ReadVersion | undefined>;
  /** Sets these tags and leaves others. @throws {StoreError} */
  tag(secretId: string, tags: Readonly<Record<string, string>>, timeoutMs?: number): Promise<void>;
  /** When a version with a label was created, in ms since the epoch; undefined if not found. @throws {StoreError} */
  createdAtMs(secretId: string, versionId: string, timeoutMs?: number): Promise<number | undefined>;
  /** Writes a version's value with AWSPENDING. Does nothing if it already has a value, even another one. @throws {StoreError} */
  putPending(secretId: string, version: PendingValue, timeoutMs?: number): Promise<void>;
  /** Moves, attaches or removes a label, if it is on the version `from`. @throws {StoreError} */
  moveLabel(secretId: string, move: LabelMove, timeoutMs?: number): Promise<LabelOutcome>;
}

/** A version with a value. */
export interface ReadVersion {
  /** Undefined if it is binary. */
  value: string | undefined;
  createdAtMs: number;
}

export interface PendingValue {
  versionId: string;
  value: string;
  /** The RotationToken of the event, if there is one. */
  rotationToken?: string | undefined;
}

export interface LabelMove {
  label: string;
  /** Version that has the label; undefined if none has. */
  from: string | undefined;
  /** Version that gets the label; undefined to remove it. */
  to: string | undefined;
}

/**
 * `conflict`: the label is not on the version `from`. Also the result if an earlier attempt succeeded but its response was
 * lost, so after a conflict the caller reads the labels again.
 */
export type LabelOutcome = 'moved' | 'conflict';

/** The result of proving a credential. The reasons contain no secrets. */
export type ProofOutcome =
  | { kind: 'proven' }
  /** `lacks`: the client credentials work, but these declared tokens are not granted. */
  | { kind: 'refused'; reason: string; lacks?: readonly TokenType[] }
  | { kind: 'could_not_test'; reason: string };

/** Asks the platform whether a credential works. */
export interface CredentialProof {
  /**
   * Uses the credential once for each declared token, with retries before the deadline, and discards what it gets.
   * @param tenant the tenant with its declared tokens
   * @param deadlineMs by the monotonic clock
   * @param mayLag whether the platform may not know the credential yet, so that a refusal is asked about again @default true
   */
  prove(
    tenant: { tenantId: string; tokens: readonly TokenType[] },
    credential: CredentialValue,
    deadlineMs: number,
    mayLag?: boolean,
  ): Promise<ProofOutcome>;
}

/**
 * Reads the state of secrets and changes none. Returns a failure for a secret that cannot be inspected, so that it does not
 * stop the inspection of others. `timeoutMs` limits each call, including retries.
 */
export interface SecretInspector {
  /** @param createdAtMs of versions whose creation is known, by their id */
  credential(
    tenant: TenantKey,
    kind: CredentialKind,
    timeoutMs: number,
    createdAtMs?: ReadonlyMap<string, number>,
  ): Promise<CredentialSnapshot>;
  token(tenant: TenantKey, tokenType: TokenType, timeoutMs: number): Promise<TokenSnapshot>;
}

/** The current entry of a token secret. */
export interface TokenEntry extends SeenVersion {
  /** Undefined if there is no current version, or it is not a token of this key. */
  token: StoredToken | undefined;
}

export interface TokenVersion {
  secretArn: string;
  versionId: string;
  /** Undefined if the value is not a token of this key. */
  token: StoredToken | undefined;
}

/** An entry that another writer has written, with its staging labels. */
export interface NextEntry extends TokenEntry {
  labels: readonly string[];
}

/** Reads and writes token secrets. `timeoutMs` limits each call, including retries. */
export interface TokenStore {
  /**
   * @param isProbablyStored whether a token is probably stored: if not, its value is only read if there is one @default true
   * @throws {StoreError}
   */
  read(key: TokenKey, timeoutMs?: number, isProbablyStored?: boolean): Promise<TokenEntry>;
  /**
   * Makes the token current, unless another writer has changed the secret since `seen` was read.
   * A retry of the same call succeeds and changes nothing.
   * @throws {StoreError}
   */
  compareAndSet(
    key: TokenKey,
    seen: SeenVersion,
    token: StoredToken,
    timeoutMs?: number,
  ): Promise<WriteOutcome>;
  /**
   * What another writer that had read `seen` has written; undefined if that is not visible, or there is nothing.
   * @throws {StoreError}
   */
  readNext(key: TokenKey, seen: SeenVersion, timeoutMs?: number): Promise<NextEntry | undefined>;
}

export type WriteOutcome = { kind: 'written'; versionId: string } | { kind: 'conflict' };

export interface TokenRequest {
  tenantId: string;
  tokenType: TokenType;
  clientId: string;
  clientSecret: string;
  timeoutMs: number;
}

/** The platform's token endpoints. */
export interface TokenIssuer {
  /** Sends one request. @throws {TokenError} */
  requestToken(request: TokenRequest): Promise<IssuedToken>;
}

/** The only fields that a log line can have, in their order, so that no secret is logged by mistake. */
export const LOG_FIELDS = [
  'tenantId',
  'interface',
  'scope',
  'code',
  'reason',
  'detail',
  'expiresAt',
  'tokens',
  'refreshed',
  'failed',
  'durationMs',
  'status',
  'upstreamStatus',
  'apiRequestId',
  'credential',
  'step',
  'contentId',
  'authorRef',
  'collaborationId',
  'scheme',
  'caller',
  'callerVersion',
  'callerVersionId',
  'traceId',
] as const;

type NumberField = 'tokens' | 'refreshed' | 'failed' | 'durationMs' | 'status' | 'upstreamStatus';

export type LogFields = {
  [Name in (typeof LOG_FIELDS)[number]]?: Name extends NumberField ? number : string;
};

export interface Log {
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
}

export interface Metrics {
  /**
   * @param value in the unit of the metric, see METRIC_UNITS @default 1
   * @param dimension in addition to those of the deployment
   */
  count(name: Metric, value?: number, dimension?: MetricDimension): void;
}

/** A change of a credential, as an event names it. */
export interface CredentialChange {
  tenantId: string;
  credential: CredentialKind;
  secretArn: string;
  versionId: string;
}

/** Tells others of changes, by events. No method throws or waits for an answer, except `settle`. */
export interface ChangeEvents {
  /** @param token the entry that is current now */
  tokenRenewed(key: TokenKey, token: TokenEntry): void;
  credentialChanged(type: 'Credential Rotated' | 'Credential Revoked', change: CredentialChange): void;
  /** Waits a second at most until the events are sent. Those that were not are sent again with the next ones. Never rejects. */
  settle(): Promise<void>;
}

/** A token for a request to the platform. */
export interface UpstreamToken {
  accessToken: string;
}

/** Gets the tenant's content token `api/write` for the restore function. */
export interface UpstreamTokens {
  /**
   * Returns a token that is valid for long enough for one request.
   * @param rejected a token that the platform refused; another one is returned
   * @param deadlineMs latest useful answer, in ms by the monotonic clock
   * @throws {UpstreamTokenError}
   */
  get(tenant: TenantKey, deadlineMs: number, rejected?: UpstreamToken): Promise<UpstreamToken>;
}

/** The result of one request to the platform's restore operation. */
export type UpstreamResult =
  | { kind: 'answered'; status: number; retryAfter: string | undefined; body: string }
  /** Certainly no byte of the request was sent. */
  | { kind: 'not_sent'; reason: string }
  /** The request was sent, but no complete response arrived in time. */
  | { kind: 'no_answer'; reason: string }
  /** A response arrived, but it is too large or not valid HTTP. */
  | { kind: 'unreadable'; reason: string };

/** The platform's restore operation. */
export interface ContentPlatform {
  /** Sends exactly one request. @param deadlineMs when to give up, in ms by the monotonic clock */
  restore(
    contentId: string,
    actingUser: ActingUser,
    token: UpstreamToken,
    deadlineMs: number,
  ): Promise<UpstreamResult>;
  /**
   * Sends a request that modifies nothing, because it names no acting user, with the method of the restore operation.
   * @param path below the content base URL
   */
  probe(path: string, token: UpstreamToken, deadlineMs: number): Promise<UpstreamResult>;
}

/** Asks the restore function whether the platform offers restore. */
export interface RestoreProbe {
  /** `undetermined` if the function gives no answer in time. */
  ask(timeoutMs: number): Promise<ProbeAnswer>;
}

/** Reads the secrets that authenticate callers of the restore API. */
export interface AcceptedSecrets {
  /** The tenant's API key and, within its grace period, the previous one; empty if none is valid. @throws {StoreError} */
  apiKeys(tenant: TenantKey): Promise<AcceptedSecret[]>;
  /** The tenant's tokens on the content interface, current and previous. @throws {StoreError} */
  contentTokens(tenant: TenantKey, declared: readonly TokenType[]): Promise<AcceptedSecret[]>;
}
