import { type DeployedProfile } from '../../core/deployment/deployment-file';
import { isShortLived, MIN_NORMAL_LIFE_SEC } from '../../core/tokens/lifetimes';
import { slackEndMs } from '../../core/tokens/token-lifetime';
import { REFUSAL_FAULTS, type TokenFault } from '../../core/alarms/metrics';
import { type TokenKey } from '../../core/tokens/token-key';
import { type SweepOutcome } from '../../core/tokens/token-refresh';
import { type TokenError } from '../../core/tokens/token-errors';
import { type Clock, type Metrics } from '../shared/ports';
import { type RefreshMemory } from './refresh-memory';
import { countFault } from './refresh-token';

/** The result of a sweep for one token. */
export interface TokenReport {
  key: TokenKey;
  /** The token's name in memory. */
  name: string;
  outcome: SweepOutcome;
  /** Why it was not renewed although it was due. Absent if the tenant's credential was never loaded. */
  failure?: TokenError;
  /** Whether a former credential renewed it in spite of the failure. */
  isRenewed?: boolean;
}

/** Whether a token was skipped, or not renewed although it was due. */
export function isFailure({ outcome, failure }: TokenReport): boolean {
  return outcome === 'skipped' || failure !== undefined;
}

const REFUSALS: readonly (TokenFault | undefined)[] = REFUSAL_FAULTS;

/** Faults of a store that may recover. */
const OUTAGES: readonly (TokenFault | undefined)[] = ['store_throttled', 'store_unavailable'];

/**
 * Records the metrics of a finished sweep: its duration, the time to the earliest token expiry, whether the platform issues
 * short-lived tokens, and the tenants whose credential is refused. Keeps in memory what the next sweep does not find out again.
 * @param durationMs duration of the sweep; undefined for a sweep of some tenants, which says nothing about the schedule
 * @see core/alarms/metrics.ts
 */
export function recordSweepMetrics(
  { clock, memory, metrics }: { clock: Clock; memory: RefreshMemory; metrics: Metrics },
  reports: readonly TokenReport[],
  durationMs: number | undefined,
  profile: DeployedProfile,
): void {
  if (durationMs !== undefined) metrics.count('SweepDuration', durationMs);
  for (const report of reports) rememberRefusal(memory, report);
  const refused = reports.filter(({ name }) => memory.refused.has(name));
  const accepted = reports.filter(({ name }) => !memory.refused.has(name));
  for (const report of accepted) rememberMissing(memory, report);
  const expiriesMs = accepted.flatMap((report) => expiryMs(memory, report, profile, clock.nowMs()) ?? []);
  for (const tenantId of new Set(refused.map(({ key }) => key.tenantId)))
    metrics.count('CredentialRefused', 1, { tenantId });
  const tokens = reports.flatMap(({ name }) => memory.stored.get(name)?.token ?? []);
  if (tokens.some((token) => isShortLived(token, profile))) countFault(metrics, 'life_short');
  if (expiriesMs.length === 0) return;
  metrics.count('TokenLifeLeft', Math.max(0, Math.min(...expiriesMs) - clock.nowMs()) / 1000);
}

/** A refusal holds until the token is renewed or found fresh, even through an outage in between. */
function rememberRefusal(memory: RefreshMemory, report: TokenReport): void {
  if (REFUSALS.includes(report.failure?.fault)) memory.refused.add(report.name);
  else if (!isFailure(report)) memory.refused.delete(report.name);
}

function rememberMissing(memory: RefreshMemory, { name, outcome, failure }: TokenReport): void {
  // A failing store does not tell whether a credential has been loaded in the meantime.
  if (outcome === 'not_loaded') memory.notLoaded.add(name);
  else if (failure?.fault.startsWith('store_') !== true) memory.notLoaded.delete(name);
  // Its stack was destroyed, so no stored token can expire.
  if (failure?.fault === 'store_not_found') memory.stored.delete(name);
}

/** When a token expires, in ms since the epoch. Undefined if no credential was ever loaded, so that no token is missing. */
function expiryMs(
  memory: RefreshMemory,
  { name, failure }: TokenReport,
  profile: DeployedProfile,
  nowMs: number,
): number | undefined {
  const entry = memory.stored.get(name);
  if (entry?.token !== undefined) return slackEndMs(entry.token, profile);
  if (memory.notLoaded.has(name)) return undefined;
  // The secret was read and holds no token.
  if (entry !== undefined) return 0;
  if (!OUTAGES.includes(failure?.fault)) return undefined;
  // This process never read the token. It counts with a short life, or a long outage of the store would raise no alarm here.
  const unseenSinceMs = memory.unseenSinceMs.get(name) ?? nowMs;
  memory.unseenSinceMs.set(name, unseenSinceMs);
  return unseenSinceMs + MIN_NORMAL_LIFE_SEC * 1000;
}
