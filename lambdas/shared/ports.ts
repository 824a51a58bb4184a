import { type CredentialSnapshot, type TokenSnapshot } from '../../contract/deployment-snapshot';
import { type Metric, type MetricDimension } from '../../contract/metrics';
import { type TokenType } from '../../contract/platform';
import { type ActingUser } from '../../contract/restore-operation';
import { type CredentialKind } from '../../contract/secret-names';
import { type TenantKey, type TokenKey } from '../../contract/token-key';
import { type AcceptedSecret } from './domain/accepted-secret';
import { type SeenVersion } from './domain/compare-and-set';
import { type CredentialValue } from './domain/credential-values';
import { type StoredToken } from './domain/stored-token';
import { type IssuedToken } from './domain/token-answer';

/** Time, so that tests own it. */
export interface Clock {
  /** Milliseconds since the epoch; may be set back. */
  nowMs(): number;
  /** Milliseconds since some moment: never goes back, but may stand still while the process is frozen. */
  monotonicMs(): number;
  sleep(ms: number): Promise<void>;
}

/** A number in [0, 1), for jitter. */
export type Random = () => number;

/** The platform's credentials of a tenant. */
export interface ClientCredentials {
  clientId: string;
  clientSecret: string;
  versionId: string;
}

/** Reads the client credentials of tenants. Every call ends after `timeoutMs`, if that is given. */
export interface CredentialStore {
  /** @throws {StoreError | TokenError} `not_loaded`, with the command to run, where there are none that can be used */
  read(tenant: TenantKey, timeoutMs?: number): Promise<ClientCredentials>;
  /** The current version's id, without its value; undefined where nothing was loaded yet. @throws {StoreError} */
  currentVersionId(tenant: TenantKey, timeoutMs?: number): Promise<string | undefined>;
}

/** What is known of a credential secret without its values. */
export interface DescribedSecret {
  arn: string;
  name: string;
  tags: Readonly<Record<string, string>>;
  /** Staging labels by version id, of the versions that have any. */
  labels: ReadonlyMap<string, readonly string[]>;
}

/** The versions of credential secrets and their staging labels. Every call ends after `timeoutMs`, if that is given. */
export interface CredentialVersions {
  /** @throws {StoreError} */
  describe(secretId: string, timeoutMs?: number): Promise<DescribedSecret>;
  /** Undefined for a version that has no value yet. @throws {StoreError} */
  value(secretId: string, versionId: string, timeoutMs?: number): Promise<string | undefined>;
  /** Fills a version with AWSPENDING. Does nothing where it has a value already, whichever. @throws {StoreError} */
  putPending(secretId: string, versionId: string, value: string, timeoutMs?: number): Promise<void>;
  /** Moves, attaches or removes a label, if it is where the move says. @throws {StoreError} */
  moveLabel(secretId: string, move: LabelMove, timeoutMs?: number): Promise<LabelOutcome>;
}

export interface LabelMove {
  label: string;
  /** Version that has the label; undefined where none has. */
  from: string | undefined;
  /** Version that gets it; undefined to take it off. */
  to: string | undefined;
}

/**
 * `conflict`: the label is not where the move says. That is also the answer if the same move succeeded before without an
 * acknowledgement, so after a conflict the caller reads the labels again.
 */
export type LabelOutcome = 'moved' | 'conflict';

/** What the platform says of a credential. The reasons hold nothing secret. */
export type ProofOutcome =
  { kind: 'proven' } | { kind: 'refused'; reason: string } | { kind: 'could_not_test'; reason: string };

/** Asks the platform whether a credential works. */
export interface CredentialProof {
  /**
   * Asks again where that may help, within the deadline. What comes of asking is discarded.
   * @param tenant with the tokens that are declared for it
   * @param deadlineMs by the monotonic clock
   */
  prove(
    tenant: { tenantId: string; tokens: readonly TokenType[] },
    credential: CredentialValue,
    deadlineMs: number,
  ): Promise<ProofOutcome>;
}

/**
 * Reads the state of secrets, and changes none. A secret that cannot be inspected is an answer too, so that it never stops
 * the inspection of others. Every call ends after `timeoutMs`.
 */
export interface SecretInspector {
  credential(tenant: TenantKey, kind: CredentialKind, timeoutMs: number): Promise<CredentialSnapshot>;
  token(tenant: TenantKey, tokenType: TokenType, timeoutMs: number): Promise<TokenSnapshot>;
}

/** A token secret as it was read. */
export interface TokenEntry extends SeenVersion {
  /** Undefined where there is no current version, or it is not one of this key's. */
  token: StoredToken | undefined;
}

/** A version of a token secret. */
export interface TokenVersion {
  secretArn: string;
  versionId: string;
  /** Undefined where the value is not one of this key's. */
  token: StoredToken | undefined;
}

/** Reads the secrets that hold tokens. */
export interface TokenReader {
  /** The version with that label; undefined where there is none. @throws {StoreError} */
  read(key: TokenKey, stage: 'AWSCURRENT' | 'AWSPREVIOUS'): Promise<TokenVersion | undefined>;
}

/** The secrets that hold tokens. Every call ends after `timeoutMs`, if that is given. */
export interface TokenStore {
  /** @throws {StoreError} */
  read(key: TokenKey, timeoutMs?: number): Promise<TokenEntry>;
  /**
   * Makes the token current, if no one else has written since `seen` was read.
   * The same call repeated is a success that changes nothing.
   * @throws {StoreError}
   */
  compareAndSet(
    key: TokenKey,
    seen: SeenVersion,
    token: StoredToken,
    timeoutMs?: number,
  ): Promise<WriteOutcome>;
}

export type WriteOutcome = { kind: 'written'; versionId: string } | { kind: 'conflict' };

/** One request for a token. */
export interface TokenRequest {
  /** Base address of the token endpoint. */
  baseUrl: string;
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

/** Fields that a log line may have: an allow-list, so that no secret can slip in. */
export interface LogFields {
  tenantId?: string;
  interface?: string;
  scope?: string;
  code?: string;
  reason?: string;
  detail?: string;
  expiresAt?: string;
  tokens?: number;
  refreshed?: number;
  failed?: number;
  durationMs?: number;
  status?: number;
  upstreamStatus?: number;
  apiRequestId?: string;
  credential?: string;
  step?: string;
}

export interface Log {
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
}

/** Counts and measures what happened, by the names of the CloudWatch metrics. */
export interface Metrics {
  /**
   * @param value in the unit of the metric, see METRIC_UNITS @default 1
   * @param dimension beside those of every metric
   */
  count(name: Metric, value?: number, dimension?: MetricDimension): void;
}

/** A token for the upstream request. */
export interface UpstreamToken {
  accessToken: string;
}

/** Where the restore function gets its token: the tenant's `api/write` token on the content interface. */
export interface UpstreamTokens {
  /**
   * A token that lives long enough for one request.
   * @param rejected a token that the platform refused: another one is wanted
   * @param deadlineMs an answer is of use until then, in ms by the monotonic clock
   * @throws {UpstreamTokenError}
   */
  get(tenant: TenantKey, deadlineMs: number, rejected?: UpstreamToken): Promise<UpstreamToken>;
}

/** What became of one request to the platform's restore operation. */
export type UpstreamResult =
  | { kind: 'answered'; status: number; retryAfter: string | undefined; body: string }
  /** It is certain that not a byte of the request has left. */
  | { kind: 'not_sent'; reason: string }
  /** It was sent, and no whole answer came back in time. */
  | { kind: 'no_answer'; reason: string }
  /** An answer came, but not one of a size that can be read. */
  | { kind: 'unreadable'; reason: string };

/** The platform's restore operation. */
export interface ContentPlatform {
  /** Sends one request, never more. @param deadlineMs by the monotonic clock: it is given up then */
  restore(
    contentId: string,
    actingUser: ActingUser,
    token: UpstreamToken,
    deadlineMs: number,
  ): Promise<UpstreamResult>;
}

/** What authenticates callers of the restore API. */
export interface AcceptedSecrets {
  /** The tenant's API key, and within its grace the one before; none where nothing valid is loaded. @throws {StoreError} */
  apiKeys(tenant: TenantKey): Promise<AcceptedSecret[]>;
  /** The tenant's tokens on the content interface, current and previous. @throws {StoreError} */
  contentTokens(tenant: TenantKey, declared: readonly TokenType[]): Promise<AcceptedSecret[]>;
}
