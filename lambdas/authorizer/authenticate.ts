import { type DeploymentFile, type DeploymentTenant } from '../../core/deployment/deployment-file';
import { type RestoreCaller } from '../../core/restore/restore-audit';
import { tenantKeyOf } from '../../core/tokens/token-key';
import { type AcceptedSecret, digestOf } from '../../core/secrets/accepted-secret';
import { type AcceptedSecrets, type Clock } from '../shared/ports';
import { parseAuthorization, type Presented } from './authorization-header';
import { RememberedSecrets } from './remembered-secrets';

/** Minimum time between a failed lookup and the next one for the same tenant, whose callers may wait for it. */
const RETRY_AFTER_MS = 1_000;
/** The same for unknown tenants. Nobody waits for those, and attempts that fail keep processes busy. */
const RETRY_UNKNOWN_AFTER_MS = 10_000;

export type Authentication =
  | { kind: 'allowed'; caller: RestoreCaller }
  /** The token is valid, but its scope does not allow writing. */
  | { kind: 'insufficient_scope'; scheme: 'bearer' }
  | { kind: 'unauthenticated' };

/** Authenticates callers of the restore API for the tenant in its path. */
export class Authenticator {
  private readonly deployment: DeploymentFile;
  private readonly secrets: AcceptedSecrets;
  private readonly clock: Clock;
  /** By scheme and declared tenant; all other names share one per scheme, so that they cannot evict a tenant. */
  private readonly remembered = new Map<string, RememberedSecrets>();

  constructor(deployment: DeploymentFile, secrets: AcceptedSecrets, clock: Clock) {
    this.deployment = deployment;
    this.secrets = secrets;
    this.clock = clock;
  }

  /**
   * Checks a caller's credential for a tenant.
   * An unknown tenant takes the same path as a wrong key: an existing tenant is looked up in its place, and the result of
   * the comparison is ignored. What timing may still reveal: docs/decisions/0026-what-timing-may-tell.md
   * @param authorization every value of every Authorization header
   * @throws {StoreError} if the lookup fails, so that no caller gets a 401 for a valid credential
   */
  async authenticate(tenantId: string, authorization: readonly string[]): Promise<Authentication> {
    const presented = parseAuthorization(authorization);
    const { tenants } = this.deployment;
    const declared = tenants.find((tenant) => tenant.tenantId === tenantId);
    const lookedUp = declared ?? tenants[digestOf(tenantId).readUInt32BE(0) % Math.max(1, tenants.length)];
    if (presented === undefined || lookedUp === undefined) return { kind: 'unauthenticated' };

    const { scheme } = presented;
    const digest = digestOf(scheme === 'basic' ? presented.apiKey : presented.token);
    const accepted = await this.rememberedOf(scheme, declared).find(digest, () =>
      this.lookUp(scheme, lookedUp),
    );
    const namesTenant = scheme === 'bearer' || presented.tenantId === tenantId;
    if (accepted === undefined || declared === undefined || !namesTenant) return { kind: 'unauthenticated' };
    if (accepted.mayWrite) {
      const { name, version, versionId } = accepted.source;
      return {
        kind: 'allowed',
        caller: { scheme, caller: name, callerVersion: version, callerVersionId: versionId },
      };
    }
    return { kind: 'insufficient_scope', scheme: 'bearer' };
  }

  private rememberedOf(
    scheme: Presented['scheme'],
    declared: DeploymentTenant | undefined,
  ): RememberedSecrets {
    const [name, retryAfterMs] =
      declared === undefined
        ? [scheme, RETRY_UNKNOWN_AFTER_MS]
        : [`${scheme} ${declared.tenantId}`, RETRY_AFTER_MS];
    const remembered = this.remembered.get(name) ?? new RememberedSecrets(this.clock, retryAfterMs);
    this.remembered.set(name, remembered);
    return remembered;
  }

  private lookUp(
    scheme: Presented['scheme'],
    { tenantId, tokens }: DeploymentTenant,
  ): Promise<AcceptedSecret[]> {
    const key = tenantKeyOf(this.deployment, tenantId);
    return scheme === 'basic' ? this.secrets.apiKeys(key) : this.secrets.contentTokens(key, tokens);
  }
}
