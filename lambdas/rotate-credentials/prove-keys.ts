import { type KeyProofOutcome, type ProveAnswer, type ProveEvent } from '../../core/rotation/api-key-proof';
import { type DeploymentTenant } from '../../core/deployment/deployment-file';
import { SWEEP_INTERVAL_SEC } from '../../core/tokens/lifetimes';
import { mapConcurrently } from '../../core/calls/map-concurrently';
import { MAX_UNSEEN_MS } from '../../core/events/secret-change';
import { StoreError } from '../../core/secrets/store-error';
import { type Clock, type CredentialProof, type Log, type Metrics } from '../shared/ports';
import { isUnusable, KeyUnderProof, type Tried } from './key-under-proof';
import { type SecretPorts } from './secret-in-rotation';

/** How often keys that are proven are tried again: seldom, because each costs a request to the platform. */
const FULL_PROOF_INTERVAL_MS = 6 * 3600 * 1000;
/** Full proofs are due at fixed times, within two runs, so that a new process does not repeat one. */
const FULL_PROOF_WINDOW_MS = 2 * SWEEP_INTERVAL_SEC * 1000;
/** Time reserved to write what was found. */
const WRITING_MS = 8_000;
const PARALLEL = 8;
/** The longest time between two questions about a refused key. It begins at one run and doubles. */
const MAX_REFUSED_WAIT_MS = 3600 * 1000;
/** A run may start a minute early. */
const EARLY_RUN_MS = 60_000;

/** State that a process keeps between runs. */
export interface ProofMemory {
  /** The number of the last full proof, so that a window has only one. */
  fullProof?: number;
  /** The tenants whose key the last full proof could not judge. */
  unjudged?: ReadonlySet<string>;
  /** Whether the schedule's last run doubted the platform. */
  isDoubting?: boolean;
  /** By tenant: when its key needed nothing, in ms by the monotonic clock. */
  settledAtMs?: Map<string, number>;
  /** When to ask again about versions that the platform refused, by version id. */
  refused?: Map<string, { askAgainMs: number; waitMs: number }>;
}

/** Outcomes after which only a change of the secret can make a run useful. */
const SETTLED: readonly KeyProofOutcome[] = ['proven', 'unchanged'];

export interface ProvePorts extends SecretPorts {
  proof: CredentialProof;
  clock: Clock;
  log: Log;
  metrics: Metrics;
  memory: ProofMemory;
}

/** One tenant's key, and what the platform said about it in this run. */
interface KeyReport {
  tenant: DeploymentTenant;
  key?: KeyUnderProof;
  /** Whether the key was due for a proof even if it is proven. */
  isDue: boolean;
  tried: Tried[];
  failure?: StoreError;
}

/**
 * Tries the current API keys that nobody has proven yet, and records what the platform accepts and refuses. Does nothing if API
 * keys do not open the restore API. A full proof, every six hours, tries all keys, because the platform may have revoked one;
 * keys without an answer are due again in each run. With `trailEvents`, scheduled runs leave out keys that need nothing.
 * @param event without tenants for a run of the schedule
 * @param endsAtMs deadline, in ms by the monotonic clock
 */
export async function proveKeys(
  ports: ProvePorts,
  event: ProveEvent,
  endsAtMs: number,
): Promise<ProveAnswer> {
  const { clock, deployment, memory } = ports;
  if (deployment.restoreApi.acceptsApiKeys !== true) return { tenants: [] };
  const { tenantIds } = event;
  const fullProof = Math.floor(clock.nowMs() / FULL_PROOF_INTERVAL_MS);
  const intoWindowMs = clock.nowMs() - fullProof * FULL_PROOF_INTERVAL_MS;
  const isFullProof =
    tenantIds === undefined && intoWindowMs < FULL_PROOF_WINDOW_MS && memory.fullProof !== fullProof;
  const tenants = deployment.tenants.filter(
    ({ tenantId, apiKey }) =>
      apiKey !== false && (tenantIds?.includes(tenantId) ?? (isFullProof || !isSettled(ports, tenantId))),
  );

  const proofEndsMs = endsAtMs - WRITING_MS;
  const reports = await mapConcurrently(shiftedByRun(tenants, clock.nowMs()), PARALLEL, (tenant) => {
    const isDue = isFullProof || (tenantIds === undefined && memory.unjudged?.has(tenant.tenantId) === true);
    return tryKey(ports, tenant, isDue, isDue || tenantIds !== undefined, proofEndsMs);
  });
  // A new process cannot know whether the run before doubted, so the second half of the window counts as the second run.
  const isSecond = memory.isDoubting === true || (isFullProof && intoWindowMs >= FULL_PROOF_WINDOW_MS / 2);
  const doubted = isSecond ? [] : doubtfulRefusals(reports);
  const judged = doubted.length > 0 ? withDoubt(ports.log, reports, doubted) : reports;
  const outcomes = await mapConcurrently(judged, PARALLEL, (report) => record(ports, report, endsAtMs));
  rememberSettled(ports, outcomes);
  if (tenantIds !== undefined) return { tenants: outcomes };
  memory.isDoubting = doubted.length > 0;
  if (isFullProof) memory.fullProof = fullProof;
  memory.unjudged = new Set(
    judged.flatMap(({ tenant: { tenantId }, isDue, tried }, index) => {
      const isJudged =
        outcomes[index]!.outcome !== 'failed' && tried.every(({ kind }) => kind !== 'could_not_test');
      return isDue && !isJudged ? [tenantId] : [];
    }),
  );
  return { tenants: outcomes };
}

/** Whether a tenant's key needed nothing when last tried, and not too long ago. */
function isSettled({ clock, memory }: ProvePorts, tenantId: string): boolean {
  return clock.monotonicMs() - (memory.settledAtMs?.get(tenantId) ?? -Infinity) < MAX_UNSEEN_MS;
}

function rememberSettled({ clock, deployment, memory }: ProvePorts, outcomes: ProveAnswer['tenants']): void {
  const settledAtMs = (memory.settledAtMs ??= new Map());
  for (const { tenantId, outcome } of outcomes) {
    if (deployment.trailEvents === true && SETTLED.includes(outcome))
      settledAtMs.set(tenantId, clock.monotonicMs());
    else settledAtMs.delete(tenantId);
  }
}

/** The reports with the doubted refusals as tests without a result. */
function withDoubt(log: Log, reports: readonly KeyReport[], doubted: readonly Tried[]): KeyReport[] {
  const reason = `the platform refuses every key that works so far, ${doubted.length} in all; they are tried again in five minutes`;
  log.error('API keys not judged', { code: 'could_not_test', reason });
  const doubt = (tried: Tried): Tried =>
    doubted.includes(tried) ? { ...tried, kind: 'could_not_test', reason } : tried;
  return reports.map((report) => ({ ...report, tried: report.tried.map(doubt) }));
}

/**
 * The refusals of a run, if they are of every key that opens the restore API so far. Then the platform or the way to it is
 * more likely at fault than the keys. A single key may well have been revoked.
 */
function doubtfulRefusals(reports: readonly KeyReport[]): Tried[] {
  const tried = reports.flatMap((report) => report.tried);
  if (tried.some(({ kind }) => kind === 'proven')) return [];
  const refused = tried.filter(
    ({ kind, wasProven, isExpired }) => kind === 'refused' && wasProven && !isExpired,
  );
  return refused.length > 1 ? refused : [];
}

/** Starts with another tenant in each run, so that slow tenants do not keep the same others waiting. */
function shiftedByRun<T>(all: readonly T[], nowMs: number): T[] {
  const first = Math.floor(nowMs / (SWEEP_INTERVAL_SEC * 1000)) % Math.max(1, all.length);
  return [...all.slice(first), ...all.slice(0, first)];
}

async function tryKey(
  ports: ProvePorts,
  tenant: DeploymentTenant,
  isDue: boolean,
  asksAgain: boolean,
  proofEndsMs: number,
): Promise<KeyReport> {
  const { clock, memory, proof } = ports;
  const refused = (memory.refused ??= new Map<string, { askAgainMs: number; waitMs: number }>());
  const report: KeyReport = { tenant, isDue, tried: [] };
  try {
    report.key = await KeyUnderProof.open(ports, tenant, proofEndsMs);
    for (const versionId of report.key.versionsToTry(isDue)) {
      const lastRefusal = refused.get(versionId);
      const mayAskAgain = lastRefusal === undefined || lastRefusal.askAgainMs <= clock.nowMs();
      const tried = await report.key.try(versionId, proof, proofEndsMs, asksAgain || mayAskAgain);
      report.tried.push(tried);
      if (tried.kind !== 'refused') refused.delete(versionId);
      else if (!tried.isRefusedBefore) {
        const waitMs = Math.min(
          MAX_REFUSED_WAIT_MS,
          lastRefusal === undefined ? SWEEP_INTERVAL_SEC * 1000 : 2 * lastRefusal.waitMs,
        );
        refused.set(versionId, { waitMs, askAgainMs: clock.nowMs() + waitMs - EARLY_RUN_MS });
      }
    }
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    report.failure = error;
  }
  return report;
}

/** Records the outcome, counts it and logs it. */
async function record(
  { log, metrics }: ProvePorts,
  { tenant: { tenantId }, key, tried, failure }: KeyReport,
  endsAtMs: number,
): Promise<ProveAnswer['tenants'][number]> {
  let failed = failure;
  if (tried.some(isUnusable)) metrics.count('CredentialRefused', 1, { tenantId });
  try {
    if (failed === undefined) await key?.write(tried, endsAtMs);
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    failed = error;
  }
  if (failed?.code === 'not_found') return { tenantId, outcome: 'not_loaded' };
  if (failed !== undefined) {
    log.error('API key not judged', { tenantId, code: failed.code, reason: failed.message });
    return { tenantId, outcome: 'failed', reason: failed.message };
  }
  const current = tried.find(({ isCurrent }) => isCurrent);
  const outcome: KeyProofOutcome = !key!.isLoaded ? 'not_loaded' : (current?.kind ?? 'unchanged');
  for (const { kind, reason } of tried) {
    if (kind === 'proven') log.info('API key proven', { tenantId });
    else log.warn('API key not proven', { tenantId, code: kind, ...(reason !== undefined && { reason }) });
  }
  return { tenantId, outcome, ...(current?.reason !== undefined && { reason: current.reason }) };
}
