import { type DeploymentFile } from '../../../../core/deployment/deployment-file';
import { type TokenType } from '../../../../core/deployment/platform';
import { credentialSecretName, tokenSecretName } from '../../../../core/secrets/secret-names';
import { PlatformUnavailableError, TokenError } from '../../../../core/tokens/token-errors';
import { type TenantKey, type TokenKey } from '../../../../core/tokens/token-key';
import { SecretsManagerCredentialStore } from '../../../../lambdas/shared/adapters/secrets-manager-credential-store';
import { SecretsManagerTokenStore } from '../../../../lambdas/shared/adapters/secrets-manager-token-store';
import {
  parseStoredToken,
  serializeStoredToken,
  type StoredToken,
} from '../../../../core/tokens/stored-token';
import { ensure } from '../../../../lambdas/token-refresh/ensure';
import { type EnsureRequest } from '../../../../lambdas/token-refresh/ensure-event';
import { RefreshMemory } from '../../../../lambdas/token-refresh/refresh-memory';
import { refreshToken } from '../../../../lambdas/token-refresh/refresh-token';
import { type Requirement } from '../../../../lambdas/token-refresh/requirement';
import { sweep } from '../../../../lambdas/token-refresh/sweep';
import { type ChangeEvents } from '../../../../lambdas/shared/ports';
import {
  type ArrivedCommand,
  clientOf,
  type Send,
  SimulatedSecretsManager,
} from '../../../support/aws/simulated-secrets-manager';
import { CountingMetrics } from '../../../support/lambdas/counting-metrics';
import { RecordingLog } from '../../../support/lambdas/recording-log';
import { ScriptedIssuer } from '../../../support/lambdas/scripted-issuer';
import { deploymentOf, KEY, keyOf, MINUTE_MS, TENANT_ID } from '../../../support/lambdas/token-functions';
import { VirtualClock } from '../../../support/lambdas/virtual-clock';

/** A version id that starts with a name. It has at least 32 characters. */
export const versionIdOf = (name: string): string => name.padEnd(32, '-');
/** The version of every credential that a test loads first. */
export const CREDENTIAL_ID = versionIdOf('credential-1');
export const DOWN = new PlatformUnavailableError('the token endpoint answered 503');
export const REFUSED = new TokenError('credential_refused', 'the token endpoint answered 401 invalid_client');
export const SCOPE_REFUSED = new TokenError('scope_refused', 'the token endpoint answered 400 invalid_scope');

export const tokenSecretOf = (key: TokenKey): string => tokenSecretName('latchkey', key);
export const credentialSecretOf = (tenant: TenantKey): string =>
  credentialSecretName('latchkey', tenant, 'client-credentials');

/** A stored token, described by its time to expiry. */
export type StoredChange = Partial<StoredToken> & { lifeLeftMs?: number };

/** How a sweep differs from one of a single token per tenant, which has four minutes and no limit of its rate. */
export type Sweeping = Partial<DeploymentFile> & {
  tokens?: TokenType[];
  endsInMs?: number;
  /** Whether only changed tenants are swept. */
  onlyChanged?: boolean;
};

/** The ports of the token functions over the simulated Secrets Manager, on virtual time. One credential is loaded. */
export class TokenFunctions {
  readonly clock = new VirtualClock();
  readonly secrets = new SimulatedSecretsManager(this.clock);
  /** The names of secrets that do not exist; all others are created with their first use. */
  readonly destroyed = new Set<string>();
  readonly tokens: SecretsManagerTokenStore;
  readonly credentials: SecretsManagerCredentialStore;
  readonly issuer = new ScriptedIssuer(this.clock);
  readonly log = new RecordingLog();
  readonly metrics = new CountingMetrics();
  readonly memory = new RefreshMemory();
  events?: ChangeEvents;
  /** Almost the longest wait that jitter can draw. */
  random = () => 0.999;

  constructor() {
    // Every secret exists from the start, without a version.
    const send: Send = (command) => {
      this.#require((command.input as { SecretId: string }).SecretId);
      return this.secrets.send(command);
    };
    this.tokens = new SecretsManagerTokenStore(clientOf(send), 'latchkey');
    this.credentials = new SecretsManagerCredentialStore(clientOf(send), deploymentOf([]));
    this.load(TENANT_ID);
  }

  /** Renews a token for a caller who needs a minute of validity. */
  refresh(change: Partial<Requirement> = {}, key = KEY) {
    const deadlineMs = this.clock.monotonicMs() + 10_000;
    return refreshToken(this, key, { minValidityMs: MINUTE_MS, deadlineMs, ...change });
  }

  /** Answers the same caller. */
  ensure(change: Partial<EnsureRequest> = {}, endsInMs = 25_000) {
    const request = { key: KEY, minValidityMs: MINUTE_MS, rejectedTokenSha256: undefined, ...change };
    return ensure(this, request, this.clock.monotonicMs() + endsInMs);
  }

  /** Sweeps the tokens of tenants. */
  sweep(
    tenantIds: readonly string[],
    {
      tokens = [{ interface: 'content', scope: 'api/read' }],
      endsInMs = 4 * MINUTE_MS,
      onlyChanged,
      ...change
    }: Sweeping = {},
  ) {
    const tenants = tenantIds.map((tenantId) => ({ tenantId, tokens, adopted: {} }));
    const deployment = deploymentOf([], { tenants, tokenRequestsPerSec: 1_000, ...change });
    return sweep(this, deployment, this.clock.monotonicMs() + endsInMs, onlyChanged);
  }

  loadAll(...tenantIds: string[]): void {
    for (const tenantId of tenantIds) this.load(tenantId);
  }

  /** Loads a tenant's credential, and replaces any previous one. */
  load(tenantId: string, name = 'credential-1'): void {
    const value = { clientId: `id-of-${tenantId}`, clientSecret: `secret-of-${name}` };
    const secret = this.#require(credentialSecretOf(keyOf(tenantId)));
    this.secrets.put(secret, JSON.stringify(value), versionIdOf(name));
  }

  /** Removes a credential, as if its secret were replaced by an empty one. */
  unload(tenantId: string): void {
    this.secrets.create(credentialSecretOf(keyOf(tenantId)));
  }

  /** Stores a token, by default a fresh one. */
  store(change: StoredChange = {}, key = KEY): StoredToken {
    const token = this.tokenWith(change, key);
    const versionId = versionIdOf(`version-of-${token.accessToken}`);
    this.secrets.put(this.#require(tokenSecretOf(key)), serializeStoredToken(token, key), versionId);
    return token;
  }

  /** The stored form of a token, by default of a fresh one. */
  tokenWith({ lifeLeftMs = 60 * MINUTE_MS, ...fields }: StoredChange, key = KEY): StoredToken {
    const expiresAtMs = this.clock.nowMs() + lifeLeftMs;
    return {
      accessToken: `stored-of-${key.tenantId}`,
      issuedAtMs: expiresAtMs - 60 * MINUTE_MS,
      expiresAtMs,
      credentialVersionId: CREDENTIAL_ID,
      writesMs: [],
      ...fields,
    };
  }

  /** The current token. */
  current(key = KEY): StoredToken | undefined {
    const value = this.secrets.versionWith(tokenSecretOf(key), 'AWSCURRENT')?.secretString;
    return value === undefined ? undefined : parseStoredToken(value, key);
  }

  /** Every attempt to write a token, including failed ones. */
  get writes(): ArrivedCommand['input'][] {
    return this.secrets.commandsOf('PutSecretValue').map(({ input }) => input);
  }

  /** The tenants whose tokens were read, in order. */
  get tokenReads(): string[] {
    return this.#tenantsOf('GetSecretValue', 'token');
  }

  /** The tenants whose credentials were read. */
  get credentialReads(): string[] {
    return this.#tenantsOf('GetSecretValue', 'client-credentials');
  }

  /** The tenants whose credentials were described. */
  get credentialLooks(): string[] {
    return this.#tenantsOf('DescribeSecret', 'client-credentials');
  }

  /** Makes future reads of a secret fail, by default of a token. */
  failReads(name: string, { secret = tokenSecretOf(KEY), times = 1 } = {}): void {
    this.secrets.faults.push({ operation: 'GetSecretValue', secret, name, times });
  }

  /** Makes future writes fail. */
  failWrites(name: string, times = 1): void {
    this.secrets.faults.push({ operation: 'PutSecretValue', name, times });
  }

  #tenantsOf(operation: string, kind: string): string[] {
    const names = this.secrets.commandsOf(operation).map(({ secretId }) => secretId.split('/'));
    return names.filter((name) => name[4] === kind).map((name) => name[3]!);
  }

  #require(secretId: string): string {
    const isKnown = secretId.startsWith('arn:') || this.secrets.secret(secretId) !== undefined;
    if (!isKnown && !this.destroyed.has(secretId)) this.secrets.create(secretId);
    return secretId;
  }
}
