import { type TokenKey } from '../../contract/token-key';
import { CircuitBreaker } from '../shared/domain/circuit-breaker';
import { CoolDowns } from '../shared/domain/cool-downs';
import { type TokenEntry } from '../shared/ports';

/** What a process keeps between invocations. Losing it costs requests, never correctness. */
export class RefreshMemory {
  /** Outages, by tenant and token endpoint. */
  readonly outages = new CoolDowns();
  /** Refusals, by tenant, credential version, interface and scope. */
  readonly refusals = new CoolDowns();
  /** Token endpoints that are down for everyone. */
  readonly breaker = new CircuitBreaker();
  /** By token key: what is stored, as last seen, so that a sweep need not read it again, nor a store that is down. */
  readonly stored = new Map<string, TokenEntry>();
  /** By token key: since when, in ms since the epoch, no sweep of this process could see what is stored. */
  readonly unseenSinceMs = new Map<string, number>();
  /** By token key: tokens of which nothing was loaded when that was last known. Kept by sweeps alone. */
  readonly notLoaded = new Set<string>();
  /** Tenants at interfaces for whom the platform failed when it was last asked: see {@link tenantAtInterface}. */
  readonly failing = new Set<string>();
  /** By token key: tokens whose credential or scope was refused when that was last known. Kept by sweeps alone. */
  readonly refused = new Set<string>();
}

/** What shares a credential and a token endpoint. */
export function tenantAtInterface(key: TokenKey): string {
  return JSON.stringify([key.tenantId, key.interface]);
}
