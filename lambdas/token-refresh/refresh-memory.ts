import { MAX_UNSEEN_MS } from '../../core/events/secret-change';
import { SWEEP_INTERVAL_SEC } from '../../core/tokens/lifetimes';
import { type TokenKey } from '../../core/tokens/token-key';
import { CoolDowns } from '../../core/tokens/cool-downs';
import { type Moment } from '../../core/calls/moment';
import { type TokenError } from '../../core/tokens/token-errors';
import { type TokenEntry } from '../shared/ports';
import { type RequestPace } from './request-pace';

/** A sweep stops retries when so many tenants in a row fail at an interface, without a token for anyone in between. */
const TENANTS_WITH_RETRIES = 3;
/** An interface counts as down when so many tenants fail at it in a sweep, without a token for anyone. */
const TENANTS_OF_OUTAGE = 15;

/** Stands for the version of a tenant without a loaded credential. Matches no token. */
export const NO_VERSION = 'none';

/** State that a process keeps between invocations. Losing it costs requests, not correctness. */
export class RefreshMemory {
  /**
   * Outages, by {@link tenantAtInterface}. The entry of an interface that is down stops sweeps from asking again for its failed
   * tenants. The entry {@link ANY_FAILING} stops token-refresh from asking again for any failed tenant.
   */
  readonly outages = new CoolDowns();
  /** Refusals, by tenant, credential version, interface and scope. */
  readonly refusals = new CoolDowns();
  /** By interface: the tenants whose requests failed since the start of the sweep, or since the interface issued a token. */
  private readonly failedTenants = new Map<string, Set<string>>();
  /** The interfaces that issued a token since the start of the sweep. */
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
  /** By token key: tokens that had no loaded credential when a sweep last checked. */
  readonly notLoaded = new Set<string>();
  /** By {@link tenantAtInterface}: the number of failures in a row. The tenant that failed latest is last. */
  readonly failing = new Map<string, number>();
  /** By token key: tokens whose credential or scope was refused when a sweep last checked. */
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

  /** The version that was current when last read; undefined if that was too long ago. @param nowMs by the monotonic clock */
  seenCredential(tenantId: string, nowMs: number): string | undefined {
    const seen = this.credentialVersions.get(tenantId);
    return seen !== undefined && nowMs - seen.seenAtMs < MAX_UNSEEN_MS ? seen.versionId : undefined;
  }

  /** Makes the next sweep read a tenant's credential and token again, because one of them changed. */
  forgetSeen(tenantId: string, tokenName: string): void {
    this.credentialVersions.delete(tenantId);
    this.storedAtMs.delete(tokenName);
  }

  /** Forgets which interfaces are down: each sweep finds out again. */
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
   * Whether a failed request may be retried at once. In token-refresh, not for a tenant that failed before: the retries would
   * keep others waiting. In a sweep, not while all tenants fail.
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
