import { type TokenKey } from '../../contract/token-key';
import { CircuitBreaker } from '../shared/domain/circuit-breaker';
import { CoolDowns } from '../shared/domain/cool-downs';
import { type TokenEntry } from '../shared/ports';
import { type RequestPace } from './request-pace';

/** State that a process keeps between invocations. Losing it costs requests, not correctness. */
export class RefreshMemory {
  /** Outages, by tenant and token endpoint. */
  readonly outages = new CoolDowns();
  /** Refusals, by tenant, credential version, interface and scope. */
  readonly refusals = new CoolDowns();
  /** Token endpoints that are down for everyone. */
  readonly breaker = new CircuitBreaker();
  /** Spreads the token requests of sweeps. Undefined in token-refresh, which serves one caller at a time. */
  pace?: RequestPace;
  /** By token key: the stored entry as last read, which saves a sweep from reading it again. */
  readonly stored = new Map<string, TokenEntry>();
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
}

/** Names a tenant and interface: their tokens share a credential and a token endpoint. */
export function tenantAtInterface(key: TokenKey): string {
  return JSON.stringify([key.tenantId, key.interface]);
}
