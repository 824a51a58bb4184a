import { MAX_UNSEEN_MS } from '../../core/events/secret-change';
import { SWEEP_INTERVAL_SEC } from '../../core/tokens/lifetimes';
import { type TokenKey } from '../../core/tokens/token-key';
import { CoolDowns } from '../../core/tokens/cool-downs';
import { type Moment } from '../../core/calls/moment';
import { type TokenError } from '../../core/tokens/token-errors';
import { type TokenEntry } from '../shared/ports';
import { type RequestPace } from './request-pace';

/** Number of tenants that fail at an interface, without a token for anyone in between, before a sweep stops to retry. */
const TENANTS_WITH_RETRIES = 3;
/** Number of tenants that fail at an interface in a sweep, without a token for anyone, before it counts as down. */
const TENANTS_OF_OUTAGE = 15;

/** Stands for the version of a tenant without a loaded credential. Matches no token. */
export const NO_VERSION = 'none';

/** State that a process keeps between invocations. Losing it costs requests, not correctness. */
export class RefreshMemory {
  /**
   * Outages, by {@link tenantAtInterface}. Under {@link ANY_FAILING}, how long tenants that failed leave token-refresh to others;
   * under an interface that is down, how long sweeps do not ask again for them.
   */
  readonly outages = new CoolDowns();
  /** Refusals, by tenant, credential version, interface and scope. */
  readonly refusals = new CoolDowns();
  /** By interface: the tenants whose requests failed since the sweep began, or it issued a token to anyone. */
  private readonly failedTenants = new Map<string, Set<string>>();
  /** The interfaces that issued a token to anyone since the sweep began. */
  private readonly issuing = new Set<string>();
  /** Spreads the token requests of sweeps. Undefined in token-refresh, which serves one caller at a time. */
  pace?: RequestPace;
  /** By token key: the stored entry as last read, which saves a sweep from reading it again. */
  readonly stored = new Map<string, TokenEntry>();
  /** By token key: when the entry was read or written, in ms by the monotonic clock. */
  readonly storedAtMs = new Map<string, number>();
  /** By tenant id: the current version of the client credentials as last seen, {@link NO_VERSION} without one. */
  private readonly credentialVersions = new Map<string, { versionId: string; seenAtMs: number }>();
  /** By token key: since when, in ms since the epoch, this process has failed to read the secret. */
  readonly unseenSinceMs = new Map<string, number>();
  /** By token key: tokens without a loaded credential, as far as known. Only sweeps update it. */
  readonly notLoaded = new Set<string>();
  /** By {@link tenantAtInterface}: how often in a row token requests failed, the latest failure last. */
  readonly failing = new Map<string, number>();
  /** By token key: tokens with a refused credential or scope, as far as known. Only sweeps update it. */
  readonly refused = new Set<string>();
  /** The number of the last check for abandoned rotations. */
  rotationCheck?: number;

  /** Keeps an entry that was read or written. @param nowMs by the monotonic clock */
  keep(name: string, entry: TokenEntry, nowMs: number): void {
    this.stored.set(name, entry);
    this.storedAtMs.set(name, nowMs);
  }

  /** Keeps the current version of a tenant's client credentials. @param nowMs by the monotonic clock */
  sawCredential(tenantId: string, versionId: string, nowMs: number): void {
    this.credentialVersions.set(tenantId, { versionId, seenAtMs: nowMs });
  }

  /** The version that was current when it was last seen; undefined if that was too long ago. @param nowMs by the monotonic clock */
  seenCredential(tenantId: string, nowMs: number): string | undefined {
    const seen = this.credentialVersions.get(tenantId);
    return seen !== undefined && nowMs - seen.seenAtMs < MAX_UNSEEN_MS ? seen.versionId : undefined;
  }

  /** Makes a sweep look at a tenant's credential and token again, because one of them changed. */
  forgetSeen(tenantId: string, tokenName: string): void {
    this.credentialVersions.delete(tenantId);
    this.storedAtMs.delete(tokenName);
  }

  /** Every sweep finds out again whether an interface is down. */
  beginSweep(): void {
    for (const platformInterface of this.failedTenants.keys()) this.outages.forget(platformInterface);
    this.failedTenants.clear();
    this.issuing.clear();
  }

  /** Counts a token that the platform issued. */
  issued({ interface: platformInterface }: InterfaceOfTenant): void {
    this.failedTenants.delete(platformInterface);
    this.issuing.add(platformInterface);
    this.outages.forget(platformInterface);
  }

  /** Counts a request that failed. */
  failed(
    { tenantId, interface: platformInterface }: InterfaceOfTenant,
    error: TokenError,
    now: Moment,
  ): void {
    const tenants = (this.failedTenants.get(platformInterface) ?? new Set()).add(tenantId);
    this.failedTenants.set(platformInterface, tenants);
    if (tenants.size >= TENANTS_OF_OUTAGE && !this.issuing.has(platformInterface)) {
      this.outages.remember(platformInterface, error, now, SWEEP_INTERVAL_SEC * 1000);
    }
  }

  /**
   * Whether a request may be repeated at once. Not in token-refresh if the tenant failed before and would keep others from it,
   * and not in a sweep while everybody fails.
   */
  mayRetry(key: InterfaceOfTenant): boolean {
    if (this.pace === undefined) return !this.failing.has(tenantAtInterface(key));
    return (this.failedTenants.get(key.interface)?.size ?? 0) < TENANTS_WITH_RETRIES;
  }
}

export type InterfaceOfTenant = Pick<TokenKey, 'tenantId' | 'interface'>;

export const ANY_FAILING = 'any tenant that failed';

/** Names a tenant and interface: their tokens share a credential and a token endpoint. */
export function tenantAtInterface(key: InterfaceOfTenant): string {
  return JSON.stringify([key.tenantId, key.interface]);
}
