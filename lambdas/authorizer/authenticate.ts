import { type DeploymentFile, type DeploymentTenant } from '../../contract/deployment-file';
import { type TenantKey } from '../../contract/token-key';
import { type AcceptedSecret, digestOf, findAccepted } from '../shared/domain/accepted-secret';
import { type AcceptedSecrets, type Clock } from '../shared/ports';
import { parseAuthorization, type Presented } from './authorization-header';

/** What was looked up is believed for that long, so that a revoked key ends within it. */
const REMEMBERED_MS = 10_000;
/** A secret that is not known is looked up afresh, but not oftener than that for one tenant. */
const LOOKUP_INTERVAL_MS = 2_000;

export type Authentication =
  | { kind: 'allowed'; scheme: Presented['scheme'] }
  /** Authenticated, with a token whose scope does not allow writing. */
  | { kind: 'insufficient_scope'; scheme: 'bearer' }
  | { kind: 'unauthenticated' };

interface Lookup {
  secrets: readonly AcceptedSecret[];
  atMs: number;
}

/** Authenticates callers of the restore API for the tenant in its path. */
export class Authenticator {
  private readonly deployment: DeploymentFile;
  private readonly secrets: AcceptedSecrets;
  private readonly clock: Clock;
  private readonly lookups = new Map<string, Lookup>();

  constructor(deployment: DeploymentFile, secrets: AcceptedSecrets, clock: Clock) {
    this.deployment = deployment;
    this.secrets = secrets;
    this.clock = clock;
  }

  /**
   * Checks what a caller presents, before anything is sent anywhere.
   * An unknown tenant takes the same path as a wrong key: it is compared with a tenant that exists, and fails.
   * @param authorization every value of every Authorization header
   * @throws {StoreError} if the secrets cannot be looked up: then nobody is told that a credential is wrong
   */
  async authenticate(tenantId: string, authorization: readonly string[]): Promise<Authentication> {
    const presented = parseAuthorization(authorization);
    const { tenants } = this.deployment;
    const declared = tenants.find((tenant) => tenant.tenantId === tenantId);
    const subject = declared ?? tenants[0];
    if (presented === undefined || subject === undefined) return { kind: 'unauthenticated' };

    const digest = digestOf(presented.scheme === 'basic' ? presented.apiKey : presented.token);
    const accepted = await this.find(presented.scheme, subject, digest);
    const isOwnName = presented.scheme === 'bearer' || presented.tenantId === tenantId;
    if (accepted === undefined || declared === undefined || !isOwnName) return { kind: 'unauthenticated' };
    if (accepted.mayWrite) return { kind: 'allowed', scheme: presented.scheme };
    return { kind: 'insufficient_scope', scheme: 'bearer' };
  }

  private async find(
    scheme: Presented['scheme'],
    tenant: DeploymentTenant,
    digest: Buffer,
  ): Promise<AcceptedSecret | undefined> {
    const name = `${scheme} ${tenant.tenantId}`;
    const known = this.lookups.get(name);
    const nowMs = this.clock.nowMs();
    if (known !== undefined && nowMs - known.atMs < REMEMBERED_MS) {
      const found = findAccepted(known.secrets, digest, nowMs);
      if (found !== undefined || nowMs - known.atMs < LOOKUP_INTERVAL_MS) return found;
    }
    const { environment, platformRegion } = this.deployment;
    const key: TenantKey = { environment, platformRegion, tenantId: tenant.tenantId };
    const secrets =
      scheme === 'basic'
        ? await this.secrets.apiKeys(key)
        : await this.secrets.contentTokens(key, tenant.tokens);
    this.lookups.set(name, { secrets, atMs: nowMs });
    return findAccepted(secrets, digest, nowMs);
  }
}
