import { type DeploymentFile, type DeploymentTenant } from '../../contract/deployment-file';
import { REVOKED_ENDS_WITHIN_SEC } from '../../contract/lifetimes';
import { type RestoreCaller } from '../../contract/restore-audit';
import { type TenantKey } from '../../contract/token-key';
import { type AcceptedSecret, digestOf, findAccepted } from '../shared/domain/accepted-secret';
import { elapsedMs, type Moment, momentOf } from '../shared/domain/moment';
import { type AcceptedSecrets, type Clock } from '../shared/ports';
import { parseAuthorization, type Presented } from './authorization-header';

/** How long a lookup is cached, and so how long a revoked key may still be accepted. */
const REMEMBERED_MS = REVOKED_ENDS_WITHIN_SEC * 1000;
/**
 * Minimum time between two lookups of unknown secrets for one tenant. Lookups that find the secret do not count, because a
 * new key may be used right after one.
 */
const LOOKUP_INTERVAL_MS = 2_000;

export type Authentication =
  | { kind: 'allowed'; caller: RestoreCaller }
  /** The token is valid, but its scope does not allow writing. */
  | { kind: 'insufficient_scope'; scheme: 'bearer' }
  | { kind: 'unauthenticated' };

/** Number of cached lookups per scheme. */
const SLOTS = 256;

interface Lookup {
  tenantId: string;
  secrets: readonly AcceptedSecret[];
  at: Moment;
  /** When an unknown secret was last looked up. */
  unknownAt: Moment | undefined;
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
   * Checks a caller's credential for a tenant.
   * An unknown tenant takes the same path as a wrong key, so that timing reveals nothing: an existing tenant is looked up
   * in its place, and the result of the comparison is ignored.
   * @param authorization every value of every Authorization header
   * @throws {StoreError} if the lookup fails, so that no caller gets a 401 for a valid credential
   */
  async authenticate(tenantId: string, authorization: readonly string[]): Promise<Authentication> {
    const presented = parseAuthorization(authorization);
    const { tenants } = this.deployment;
    const declared = tenants.find((tenant) => tenant.tenantId === tenantId);
    const nameSha256 = digestOf(tenantId);
    const subject = declared ?? tenants[nameSha256.readUInt32BE(0) % Math.max(1, tenants.length)];
    if (presented === undefined || subject === undefined) return { kind: 'unauthenticated' };

    const digest = digestOf(presented.scheme === 'basic' ? presented.apiKey : presented.token);
    const slot = `${presented.scheme} ${nameSha256.readUInt32BE(4) % SLOTS}`;
    const accepted = await this.find(slot, tenantId, presented.scheme, subject, digest);
    const isOwnName = presented.scheme === 'bearer' || presented.tenantId === tenantId;
    if (accepted === undefined || declared === undefined || !isOwnName) return { kind: 'unauthenticated' };
    if (accepted.mayWrite) {
      const { name, version, versionId } = accepted.source;
      const { scheme } = presented;
      return {
        kind: 'allowed',
        caller: { scheme, caller: name, callerVersion: version, callerVersionId: versionId },
      };
    }
    return { kind: 'insufficient_scope', scheme: 'bearer' };
  }

  /** A slot caches the last tenant name, whether known or not, so that timing does not reveal which names exist. */
  private async find(
    slot: string,
    tenantId: string,
    scheme: Presented['scheme'],
    subject: DeploymentTenant,
    digest: Buffer,
  ): Promise<AcceptedSecret | undefined> {
    const remembered = this.lookups.get(slot);
    const known = remembered?.tenantId === tenantId ? remembered : undefined;
    const now = momentOf(this.clock);
    let unknownAt = known?.unknownAt;
    if (known !== undefined && elapsedMs(known.at, now) < REMEMBERED_MS) {
      const found = findAccepted(known.secrets, digest, now.wallMs);
      const wasJustLookedUp = unknownAt !== undefined && elapsedMs(unknownAt, now) < LOOKUP_INTERVAL_MS;
      if (found !== undefined || wasJustLookedUp) return found;
      unknownAt = now;
    }
    const { environment, platformRegion } = this.deployment;
    const key: TenantKey = { environment, platformRegion, tenantId: subject.tenantId };
    const secrets =
      scheme === 'basic'
        ? await this.secrets.apiKeys(key)
        : await this.secrets.contentTokens(key, subject.tokens);
    // A secret may have expired during the lookup.
    const found = findAccepted(secrets, digest, this.clock.nowMs());
    if (found === undefined) unknownAt = now;
    this.lookups.set(slot, { tenantId, secrets, at: now, unknownAt });
    return found;
  }
}
