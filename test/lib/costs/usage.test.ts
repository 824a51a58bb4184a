import { type DeploymentFile } from '../../../core/deployment/deployment-file';
import { type TokenType } from '../../../core/deployment/platform';
import { CREDENTIAL_KINDS, credentialSecretName, tokenSecretName } from '../../../core/secrets/secret-names';
import { tenantKeyOf } from '../../../core/tokens/token-key';
import {
  type ArrivedCommand,
  clientOf,
  SimulatedSecretsManager,
} from '../../support/aws/simulated-secrets-manager';
import { deploymentOf, MINUTE_MS } from '../../support/lambdas/token-functions';
import { VirtualClock } from '../../support/lambdas/virtual-clock';
import { LivePlatform } from '../../support/live/live-platform';
import { SeededRandom } from '../../support/live/seeded-random';
import { type Outside, startProcess } from '../../support/live/token-process';
import { virtualTransport } from '../../support/platform/virtual-transport';
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
import { KeysUnderProof } from '../../support/lambdas/keys-under-proof';
import { RecordingLog } from '../../support/lambdas/recording-log';

const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Time of each call. */
const SECRETS_MANAGER_MS = 20;
const PLATFORM_MS = 200;

const CONTENT: TokenType[] = [
  { interface: 'content', scope: 'api/read' },
  { interface: 'content', scope: 'api/write' },
];
const WEBHOOKS: TokenType = { interface: 'webhooks', scope: 'api/webhooks' };

/** A deployment with loaded credentials on a day without faults. Every other tenant has a third token. */
class QuietDay {
  readonly clock = new VirtualClock();
  readonly secrets = new SimulatedSecretsManager(this.clock);
  readonly startMs = this.clock.nowMs();
  readonly deployment: DeploymentFile;
  readonly outside: Outside;

  constructor(tenantCount: number) {
    const { clock, secrets } = this;
    const tenantIds = Array.from({ length: tenantCount }, (_, index) => `tenant-${index + 1}`);
    const platform = new LivePlatform(tenantIds, () => clock.nowMs());
    this.deployment = deploymentOf(tenantIds, {
      platform: {
        contentTokenBaseUrl: 'https://platform.example/content',
        webhooksTokenBaseUrl: 'https://platform.example/webhooks',
      },
      tenants: tenantIds.map((tenantId, index) => ({
        tenantId,
        tokens: index % 2 === 0 ? CONTENT : [...CONTENT, WEBHOOKS],
        adopted: {},
      })),
    });
    this.outside = {
      clock,
      random: new SeededRandom(1).next,
      send: async (command) => {
        await clock.sleep(SECRETS_MANAGER_MS);
        return secrets.send(command);
      },
      sendRequest: virtualTransport(platform, clock, PLATFORM_MS),
    };
    const { prefix, tenants } = this.deployment;
    for (const { tenantId, tokens } of tenants) {
      const tenantKey = tenantKeyOf(this.deployment, tenantId);
      for (const token of tokens) secrets.create(tokenSecretName(prefix, { ...tenantKey, ...token }));
      for (const kind of CREDENTIAL_KINDS) {
        const { name } = secrets.create(credentialSecretName(prefix, tenantKey, kind));
        secrets.put(name, platform.issueValue(tenantId, kind));
      }
    }
  }

  /** Lets time pass; false once the day ends. */
  async wait(ms: number): Promise<boolean> {
    if (this.clock.nowMs() + ms >= this.startMs + DAY_MS) return false;
    await this.clock.sleep(ms);
    return true;
  }
}

const TENANTS = 4;
const TOKENS = 10;
const SWEEP_MS = 239_000;
const WATCH_MS = 58_500;

/** Records the metrics emitted in each hour: all of them, and those that CloudWatch gets without `fullMonitoring`. */
function recordSeries(nowMs: () => number) {
  const hours = { needed: new Map<number, Set<string>>(), full: new Map<number, Set<string>>() };
  const add = (kind: keyof typeof hours, series: string) => {
    const hour = Math.floor(nowMs() / HOUR_MS);
    hours[kind].set(hour, (hours[kind].get(hour) ?? new Set()).add(series));
  };
  return {
    count(name: Metric, value = 1, dimension?: MetricDimension): void {
      const series = [name, ...Object.values(dimension ?? {})].join(' ');
      add('full', series);
      if (isNeeded(name, value, dimension)) add('needed', series);
    },
    /** Number of metrics in each hour with data. */
    perHour: (kind: keyof typeof hours) => [...hours[kind].values()].map(({ size }) => size),
  };
}

/** Adds commands to the calls so far. */
function callsOf(commands: readonly ArrivedCommand[], before: Partial<SecretCalls> = {}): SecretCalls {
  const none = { BatchGetSecretValue: 0, DescribeSecret: 0, GetSecretValue: 0 };
  const calls: SecretCalls = { ...none, ListSecretVersionIds: 0, PutSecretValue: 0, ...before };
  for (const { operation, input } of commands) {
    const { SecretIdList: { length } = [1] } = input as { SecretIdList?: unknown[] };
    calls[operation as keyof SecretCalls] += length;
  }
  return calls;
}

async function dayOfSweeps({ trailEvents = false } = {}) {
  const world = new QuietDay(TENANTS);
  const { clock, outside, secrets } = world;
  const deployment: DeploymentFile = { ...world.deployment, ...(trailEvents && { trailEvents }) };
  const sent = recordSeries(() => clock.nowMs());
  const versions = new SecretsManagerCredentialVersions(clientOf(outside.send));
  const ports = { ...startProcess(outside, deployment), metrics: sent, versions };
  await sweep(ports, deployment, clock.monotonicMs() + SWEEP_MS);
  const start = secrets.commands.length;
  for (let dueMs = world.startMs; await world.wait(dueMs - clock.nowMs());) {
    await sweep(ports, deployment, clock.monotonicMs() + SWEEP_MS);
    await endAbandonedRotations(ports, deployment, clock.monotonicMs() + SWEEP_MS);
    dueMs += SWEEP_INTERVAL_SEC * 1000;
  }
  return { calls: callsOf(secrets.commands.slice(start)), sent };
}

async function dayOfWatchRuns() {
  const world = new QuietDay(TENANTS);
  const { clock, deployment, outside } = world;
  const sent = recordSeries(() => clock.nowMs());
  const secrets = new SecretsManagerInspector(clientOf(outside.send), deployment);
  let calls: SecretCalls | undefined;
  // No secret has changed for a day.
  clock.advance(DAY_MS);
  for (let run = 0; run < 4; run += 1) {
    await sweep(startProcess(outside, deployment), deployment, clock.monotonicMs() + SWEEP_MS);
    const start = world.secrets.commands.length;
    const ports = { deployment, secrets, clock, log: new RecordingLog(), metrics: sent };
    watch(ports, await takeSnapshot(ports, undefined, clock.monotonicMs() + WATCH_MS));
    calls = callsOf(world.secrets.commands.slice(start), calls);
    clock.advance(6 * HOUR_MS);
  }
  return { calls, sent };
}

describe('on a simulated day without faults', () => {
  it('token-sweep makes the counted calls at most, and emits the counted metrics', async () => {
    const { calls, sent } = await dayOfSweeps();

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
    expect(sent.perHour('needed').length).toBeGreaterThanOrEqual(24);
    expect([...new Set(sent.perHour('needed'))]).toEqual([sweepSeries({})]);
    expect([...new Set(sent.perHour('full'))]).toEqual([sweepSeries({ fullMonitoring: true })]);
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
      const calls = callsOf(keys.store.commands.slice(start));

      const counted = proofCallsPerDay({ apiKeys: 2, trailEvents });
      expect({ ...calls, DescribeSecret: 0 }).toEqual({ ...counted, DescribeSecret: 0 });
      expect(calls.DescribeSecret).toBeLessThanOrEqual(counted.DescribeSecret);
      expect(calls.DescribeSecret).toBeGreaterThan(0.8 * counted.DescribeSecret);
    },
  );

  it('credential-watch makes the counted calls and emits the counted metrics', async () => {
    const { calls, sent } = await dayOfWatchRuns();

    const counted = watchCallsPerDay({ tenants: TENANTS, tokens: TOKENS });
    expect(calls).toEqual(counted);
    // Each tenant counts in the first run of a day alone.
    const perRun = (fullMonitoring: boolean) =>
      [0, 0, TENANTS, 0].map((more) => watchSeries({ fullMonitoring }) + more);
    expect(sent.perHour('needed')).toEqual(perRun(false));
    expect(sent.perHour('full')).toEqual(perRun(true));
  });
});
