import { type TokenKey } from '../../contract/token-key';
import { CoolDowns } from '../shared/domain/cool-downs';
import { type TokenEntry } from '../shared/ports';
import { type RequestPace } from './request-pace';

/** Number of tenants that fail at an interface, without a token for anyone in between, before it counts as down. */
const TENANTS_OF_OUTAGE = 3;

/** State that a process keeps between invocations. Losing it costs requests, not correctness. */
export class RefreshMemory {
  /** Outages, by {@link tenantAtInterface}; under {@link ANY_FAILING}, how long those tenants leave token-refresh to others. */
  readonly outages = new CoolDowns();
  /** Refusals, by tenant, credential version, interface and scope. */
  readonly refusals = new CoolDowns();
  /** By interface: the tenants whose requests failed since it last issued a token to anyone. */
  private readonly failedTenants = new Map<string, Set<string>>();
  /** Spreads the token requests of sweeps. Undefined in token-refresh, which serves one caller at a time. */
  pace?: RequestPace;
  /** By token key: the stored entry as last read, which saves a sweep from reading it again. */
  readonly stored = new Map<string, TokenEntry>();
  /** By token key: when the entry was read or written, in ms by the monotonic clock. */
  readonly storedAtMs = new Map<string, number>();
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

  /** Counts a token that the platform issued. */
  issued({ interface: platformInterface }: InterfaceOfTenant): void {
    this.failedTenants.delete(platformInterface);
  }

  /** Counts a request that failed. */
  failed({ tenantId, interface: platformInterface }: InterfaceOfTenant): void {
    const tenants = this.failedTenants.get(platformInterface) ?? new Set();
    this.failedTenants.set(platformInterface, tenants.add(tenantId));
  }

  /**
   * Whether a request may be repeated at once. Not if the tenant failed before and would keep others from token-refresh, or
   * the whole platform fails. A tenant that has not failed itself always may.
   */
  mayRetry(key: InterfaceOfTenant): boolean {
    if (!this.failing.has(tenantAtInterface(key))) return true;
    return this.pace !== undefined && (this.failedTenants.get(key.interface)?.size ?? 0) < TENANTS_OF_OUTAGE;
  }
}

export type InterfaceOfTenant = Pick<TokenKey, 'tenantId' | 'interface'>;

export const ANY_FAILING = 'any tenant that failed';

/** Names a tenant and interface: their tokens share a credential and a token endpoint. */
export function tenantAtInterface(key: InterfaceOfTenant): string {
  return JSON.stringify([key.tenantId, key.interface]);
}
