import { type KeyProofOutcome, type ProveAnswer, type ProveEvent } from '../../contract/api-key-proof';
import { type DeploymentTenant } from '../../contract/deployment-file';
import { SWEEP_INTERVAL_SEC } from '../../contract/lifetimes';
import { StoreError } from '../shared/domain/store-error';
import { type Clock, type CredentialProof, type Log, type Metrics } from '../shared/ports';
import { KeyUnderProof, type Tried } from './key-under-proof';
import { type SecretPorts } from './secret-in-rotation';

/** How often keys that are proven are tried again: seldom, because each costs a request to the platform. */
const LOOK_INTERVAL_MS = 6 * 3600 * 1000;
/** The looks are due at fixed times, within two runs, so that a new process does not repeat one. */
const LOOK_WINDOW_MS = 2 * SWEEP_INTERVAL_SEC * 1000;
/** Time for one key, with retries: a new key may take half a minute to work, but the next run comes within minutes. */
const PROOF_MS = 10_000;
/** Time reserved to write what was found. */
const WRITING_MS = 8_000;
const PARALLEL = 8;

/** What a process remembers: the last look, so that it does not look twice in one window. */
export interface ProofMemory {
  look?: number;
}

export interface ProvePorts extends SecretPorts {
  proof: CredentialProof;
  clock: Clock;
  log: Log;
  metrics: Metrics;
  memory: ProofMemory;
}

/** One tenant's key, and what the platform said about it in this run. */
interface Run {
  tenant: DeploymentTenant;
  key?: KeyUnderProof;
  tried: Tried[];
  failure?: StoreError;
}

/**
 * Tries the current API keys that nobody has proven yet, and records what the platform accepts and refuses; none where API
 * keys open nothing. Every six hours
 * it tries all of them, because the platform may have revoked one.
 *
 * If a look is refused for every key, and for more than one, then the platform or the way to it is more likely at fault than
 * the keys. So that counts only if it is still so five minutes later.
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
  const asked = deployment.tenants.filter(({ tenantId }) => tenantIds?.includes(tenantId) ?? true);
  const look = Math.floor(clock.nowMs() / LOOK_INTERVAL_MS);
  const intoLookMs = clock.nowMs() - look * LOOK_INTERVAL_MS;
  const isLook = tenantIds === undefined && intoLookMs < LOOK_WINDOW_MS && memory.look !== look;

  const proofEndsMs = endsAtMs - WRITING_MS;
  const runs = await inParallel(inTurn(asked, clock.nowMs()), (tenant) =>
    tryKey(ports, tenant, isLook, proofEndsMs),
  );
  const refused = runs
    .flatMap(({ tried }) => tried)
    .filter(({ kind, wasProven }) => kind === 'refused' && wasProven);
  const isAnyProven = runs.some(({ tried }) => tried.some(({ kind }) => kind === 'proven'));
  const isDoubtful = isLook && refused.length > 1 && !isAnyProven && intoLookMs < LOOK_WINDOW_MS / 2;
  if (isDoubtful) {
    const reason = `the platform refuses all ${refused.length} keys that it accepted before; they are tried again in five minutes`;
    ports.log.error('API keys not judged', { code: 'could_not_test', reason });
    for (const each of refused) Object.assign(each, { kind: 'could_not_test', reason });
  } else if (isLook) {
    memory.look = look;
  }
  const outcomes = await inParallel(runs, (run) => record(ports, run, endsAtMs));
  return { tenants: outcomes };
}

/** Another tenant first in each run, so that slow ones do not keep the same others waiting. */
function inTurn<T>(all: readonly T[], nowMs: number): T[] {
  const first = Math.floor(nowMs / (SWEEP_INTERVAL_SEC * 1000)) % Math.max(1, all.length);
  return [...all.slice(first), ...all.slice(0, first)];
}

async function tryKey(
  ports: ProvePorts,
  tenant: DeploymentTenant,
  isLook: boolean,
  proofEndsMs: number,
): Promise<Run> {
  const { clock, proof } = ports;
  const run: Run = { tenant, tried: [] };
  try {
    run.key = await KeyUnderProof.open(ports, tenant, proofEndsMs);
    for (const versionId of run.key.versionsToTry(isLook)) {
      const endsMs = Math.min(clock.monotonicMs() + PROOF_MS, proofEndsMs);
      run.tried.push(await run.key.try(versionId, proof, endsMs));
    }
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    run.failure = error;
  }
  return run;
}

/** Records the outcome, counts it and logs it. */
async function record(
  { log, metrics }: ProvePorts,
  { tenant: { tenantId }, key, tried, failure }: Run,
  endsAtMs: number,
): Promise<ProveAnswer['tenants'][number]> {
  let failed = failure;
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
  if (current !== undefined && key!.isNotOpening(current)) {
    metrics.count('CredentialRefused', 1, { tenantId });
  }
  return { tenantId, outcome, ...(current?.reason !== undefined && { reason: current.reason }) };
}

/** Results in the order of the items. */
async function inParallel<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  let next = 0;
  async function worker(): Promise<void> {
    while (next < items.length) {
      const at = next;
      next += 1;
      results[at] = await work(items[at]!);
    }
  }
  await Promise.all(Array.from({ length: PARALLEL }, worker));
  return results;
}
