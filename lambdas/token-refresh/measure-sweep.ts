import { DUE_BELOW_SEC, SWEEP_INTERVAL_SEC } from '../../contract/lifetimes';
import { REFUSAL_FAULTS, type TokenFault } from '../../contract/metrics';
import { tokenKeyText } from '../../contract/token-key';
import { type Clock, type Metrics } from '../shared/ports';
import { type RefreshMemory } from './refresh-memory';
import { isFailure, type TokenReport } from './token-report';

const REFUSALS: readonly (TokenFault | undefined)[] = REFUSAL_FAULTS;

/** A store that cannot be read for now. */
const OUTAGES: readonly (TokenFault | undefined)[] = ['store_throttled', 'store_unavailable'];

/** What every token has left in normal running, just before a sweep renews it. */
const LEAST_LIFE_MS = (DUE_BELOW_SEC - SWEEP_INTERVAL_SEC) * 1000;

/**
 * Measures a sweep that ended: how long it took, how long the token that ends first will last, and whose credential is
 * refused. A refusal holds until the token is looked after again: an outage in between neither ends it nor makes the
 * tenant's tokens, which may have run out long ago, part of the outage. A token that this process has never seen, because
 * the store fails since it started, counts as one with as little life as normal running leaves: else a store that is
 * down for long would be silent wherever the process is new.
 * @param durationMs of the sweep
 * @see contract/metrics.ts
 */
export function measureSweep(
  { clock, memory, metrics }: { clock: Clock; memory: RefreshMemory; metrics: Metrics },
  reports: readonly TokenReport[],
  durationMs: number,
): void {
  metrics.count('SweepDuration', durationMs);
  const refusedTenantIds = new Set<string>();
  const endsMs: number[] = [];
  for (const report of reports) {
    const { key, failure } = report;
    const name = tokenKeyText(key);
    if (REFUSALS.includes(failure?.fault)) memory.refused.add(name);
    else if (!isFailure(report)) memory.refused.delete(name);
    if (memory.refused.has(name)) refusedTenantIds.add(key.tenantId);
    else endsMs.push(...endMs(memory, report, clock.nowMs()));
  }
  for (const tenantId of refusedTenantIds) metrics.count('CredentialRefused', 1, { tenantId });
  if (endsMs.length === 0) return;
  metrics.count('TokenLifeLeft', Math.max(0, Math.min(...endsMs) - clock.nowMs()) / 1000);
}

/** When a token ends, in ms since the epoch; none where nothing was ever loaded, and so nothing is missed. */
function endMs(memory: RefreshMemory, { key, outcome, failure }: TokenReport, nowMs: number): number[] {
  const name = tokenKeyText(key);
  // A store that fails says nothing of whether something was loaded meanwhile.
  if (outcome === 'not_loaded') memory.notLoaded.add(name);
  else if (failure?.fault.startsWith('store_') !== true) memory.notLoaded.delete(name);
  const known = memory.stored.get(name);
  if (known?.token !== undefined) return [known.token.expiresAtMs];
  if (memory.notLoaded.has(name)) return [];
  // It is known to be missing, not only unknown.
  if (known !== undefined) return [0];
  if (!OUTAGES.includes(failure?.fault)) return [];
  const unseenSinceMs = memory.unseenSinceMs.get(name) ?? nowMs;
  memory.unseenSinceMs.set(name, unseenSinceMs);
  return [unseenSinceMs + LEAST_LIFE_MS];
}
