import { type DeploymentFile } from '../../../core/deployment/deployment-file';
import { isNeeded, type Metric, type MetricDimension } from '../../../core/alarms/metrics';
import { takeSnapshot } from '../../../lambdas/credential-watch/take-snapshot';
import { watch } from '../../../lambdas/credential-watch/watch';
import { SecretsManagerCredentialVersions } from '../../../lambdas/shared/adapters/secrets-manager-credential-versions';
import { SecretsManagerInspector } from '../../../lambdas/shared/adapters/secrets-manager-inspector';
import { endAbandonedRotations } from '../../../lambdas/token-refresh/end-abandoned-rotations';
import { sweep } from '../../../lambdas/token-refresh/sweep';
import { SWEEP_INTERVAL_SEC } from '../../../core/tokens/lifetimes';
import {
  type SecretCalls,
  proofCallsPerDay,
  sweepSeries,
  sweepCallsPerDay,
  watchCallsPerDay,
  watchSeries,
} from '../../../lib/costs/usage';
import { type ArrivedCommand, clientOf } from '../../support/aws/simulated-secrets-manager';
import { startProcess } from '../../support/live/token-process';
import { KeysUnderProof } from '../../support/lambdas/keys-under-proof';
import { RecordingLog } from '../../support/lambdas/recording-log';
import { DAY_MS, HOUR_MS, QuietDay } from './quiet-day';

const TENANTS = 4;
const TOKENS = 10;
const SWEEP_MS = 239_000;
const WATCH_MS = 58_500;

/** Records the metrics emitted in each hour: all of them, and those that CloudWatch gets without `fullMonitoring`. */
class RecordingSeries {
  readonly #hours = new Map<number, Set<string>>();
  readonly #neededHours = new Map<number, Set<string>>();
  readonly #nowMs: () => number;

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  count(name: Metric, value = 1, dimension?: MetricDimension): void {
    const series = [name, ...Object.values(dimension ?? {})].join(' ');
    this.#add(this.#hours, series);
    if (isNeeded(name, value, dimension)) this.#add(this.#neededHours, series);
  }

  /** Number of metrics in each hour with data. */
  perHour(): { needed: number[]; full: number[] } {
    const sizesOf = (hours: Map<number, Set<string>>) => [...hours.values()].map(({ size }) => size);
    return { needed: sizesOf(this.#neededHours), full: sizesOf(this.#hours) };
  }

  #add(hours: Map<number, Set<string>>, series: string): void {
    const hour = Math.floor(this.#nowMs() / HOUR_MS);
    if (!hours.has(hour)) hours.set(hour, new Set());
    hours.get(hour)!.add(series);
  }
}

/** Calls and metrics of one day. */
interface Day {
  calls: SecretCalls;
  /** Number of metrics in each hour with data. */
  series: { needed: number[]; full: number[] };
}

function noCalls(): SecretCalls {
  return {
    BatchGetSecretValue: 0,
    DescribeSecret: 0,
    GetSecretValue: 0,
    ListSecretVersionIds: 0,
    PutSecretValue: 0,
  };
}

function addCalls(calls: SecretCalls, commands: readonly ArrivedCommand[]): void {
  for (const { operation, input } of commands) {
    const { SecretIdList: { length } = [1] } = input as { SecretIdList?: unknown[] };
    calls[operation as keyof SecretCalls] += length;
  }
}

async function dayOfSweeps({ trailEvents = false } = {}): Promise<Day> {
  const world = new QuietDay(TENANTS);
  const { clock, outside, secrets } = world;
  const deployment: DeploymentFile = { ...world.deployment, ...(trailEvents && { trailEvents }) };
  const sent = new RecordingSeries(() => clock.nowMs());
  const versions = new SecretsManagerCredentialVersions(clientOf(outside.send));
  const ports = { ...startProcess(outside, deployment), metrics: sent, versions };
  const run = async () => {
    await sweep(ports, deployment, clock.monotonicMs() + SWEEP_MS);
    await endAbandonedRotations(ports, deployment, clock.monotonicMs() + SWEEP_MS);
  };
  await sweep(ports, deployment, clock.monotonicMs() + SWEEP_MS);
  const start = secrets.commands.length;
  for (let dueMs = world.startMs; await world.wait(dueMs - clock.nowMs());) {
    await run();
    dueMs += SWEEP_INTERVAL_SEC * 1000;
  }
  const calls = noCalls();
  addCalls(calls, secrets.commands.slice(start));
  return { calls, series: sent.perHour() };
}

async function dayOfWatchRuns(): Promise<Day> {
  const world = new QuietDay(TENANTS);
  const { clock, deployment, outside } = world;
  const sent = new RecordingSeries(() => clock.nowMs());
  const secrets = new SecretsManagerInspector(clientOf(outside.send), deployment);
  const calls = noCalls();
  // No secret has changed for a day.
  clock.advance(DAY_MS);
  for (let run = 0; run < 4; run += 1) {
    await sweep(startProcess(outside, deployment), deployment, clock.monotonicMs() + SWEEP_MS);
    const start = world.secrets.commands.length;
    const ports = { deployment, secrets, clock, log: new RecordingLog(), metrics: sent };
    watch(ports, await takeSnapshot(ports, undefined, clock.monotonicMs() + WATCH_MS));
    addCalls(calls, world.secrets.commands.slice(start));
    clock.advance(6 * HOUR_MS);
  }
  return { calls, series: sent.perHour() };
}

describe('on a simulated day without faults', () => {
  it('token-sweep makes the counted calls at most, and emits the counted metrics', async () => {
    const { calls, series } = await dayOfSweeps();

    const counted = sweepCallsPerDay({ tenants: TENANTS, tokens: TOKENS });
    expect(calls.DescribeSecret).toBe(counted.DescribeSecret);
    expect(calls.ListSecretVersionIds).toBe(counted.ListSecretVersionIds);
    // Tokens that are renewed together share a read of their credential, which counts for each.
    for (const [operation, share] of [
      ['GetSecretValue', 0.5],
      ['PutSecretValue', 0.75],
    ] as const) {
      expect(calls[operation]).toBeLessThanOrEqual(counted[operation]);
      expect(calls[operation]).toBeGreaterThan(share * counted[operation]);
    }
    expect(series.needed.length).toBeGreaterThanOrEqual(24);
    expect([...new Set(series.needed)]).toEqual([sweepSeries({})]);
    expect([...new Set(series.full)]).toEqual([sweepSeries({ fullMonitoring: true })]);
  }, 30_000);

  it('token-sweep makes a tenth of the looks where events tell of changes', async () => {
    const { calls } = await dayOfSweeps({ trailEvents: true });

    const size = { tenants: TENANTS, tokens: TOKENS };
    const counted = sweepCallsPerDay({ ...size, trailEvents: true });
    for (const operation of ['DescribeSecret', 'GetSecretValue', 'PutSecretValue'] as const) {
      expect(calls[operation]).toBeLessThanOrEqual(counted[operation]);
    }
    expect(counted.DescribeSecret).toBeLessThan(0.1 * sweepCallsPerDay(size).DescribeSecret);
    // Every token is renewed as often as without events.
    expect(calls.PutSecretValue).toBe((await dayOfSweeps()).calls.PutSecretValue);
  }, 30_000);

  it.each([false, true])(
    'rotate-credentials makes the counted calls for proven API keys, with events: %p',
    async (trailEvents) => {
      const keys = new KeysUnderProof(['tenant-a', 'tenant-b'], { trailEvents });
      for (const tenantId of keys.tenantIds) keys.pasteWorking(`key of ${tenantId}`, { tenantId });
      await keys.prove();
      const start = keys.store.commands.length;
      for (let run = 0; run < 24 * 12; run += 1) {
        keys.clock.advance(SWEEP_INTERVAL_SEC * 1000);
        await keys.prove();
      }
      const calls = noCalls();
      addCalls(calls, keys.store.commands.slice(start));

      const counted = proofCallsPerDay({ apiKeys: 2, trailEvents });
      expect({ ...calls, DescribeSecret: 0 }).toEqual({ ...counted, DescribeSecret: 0 });
      expect(calls.DescribeSecret).toBeLessThanOrEqual(counted.DescribeSecret);
      expect(calls.DescribeSecret).toBeGreaterThan(0.8 * counted.DescribeSecret);
    },
  );

  it('credential-watch makes the counted calls and emits the counted metrics', async () => {
    const { calls, series } = await dayOfWatchRuns();

    const counted = watchCallsPerDay({ tenants: TENANTS, tokens: TOKENS });
    expect(calls).toEqual(counted);
    // Each tenant counts in the first run of a day alone.
    const perRun = (fullMonitoring: boolean) =>
      [0, 0, TENANTS, 0].map((more) => watchSeries({ fullMonitoring }) + more);
    expect(series.needed).toEqual(perRun(false));
    expect(series.full).toEqual(perRun(true));
  });
});
