import { type TokenFault } from '../../contract/metrics';
import { tokenKeyText } from '../../contract/token-key';
import { type Clock, type Metrics } from '../shared/ports';
import { type RefreshMemory } from './refresh-memory';
import { isFailure, type TokenReport } from './token-report';

/** What another credential mends, and nothing else. */
const REFUSALS: readonly (TokenFault | undefined)[] = [
  'credential_refused',
  'scope_refused',
  'credential_malformed',
];

/**
 * Measures a sweep that ended: how long it took, how long the token that ends first will last, and whose credential is
 * refused. A refusal holds until the token is looked after again: an outage in between neither ends it nor makes the
 * tenant's tokens, which may have run out long ago, part of the outage.
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
    const { key, outcome, failure } = report;
    const name = tokenKeyText(key);
    if (REFUSALS.includes(failure?.fault)) memory.refused.add(name);
    else if (!isFailure(report)) memory.refused.delete(name);
    const known = memory.stored.get(name);
    if (memory.refused.has(name)) refusedTenantIds.add(key.tenantId);
    else if (known?.token !== undefined) endsMs.push(known.token.expiresAtMs);
    // It is known to be missing, not only unknown; where nothing was ever loaded, nothing is missed.
    else if (known !== undefined && outcome !== 'not_loaded') endsMs.push(0);
  }
  for (const tenantId of refusedTenantIds) metrics.count('CredentialRefused', 1, { tenantId });
  if (endsMs.length === 0) return;
  metrics.count('TokenLifeLeft', Math.max(0, Math.min(...endsMs) - clock.nowMs()) / 1000);
}
