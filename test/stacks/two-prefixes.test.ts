import { METRIC_NAMESPACE } from '../../core/alarms/metrics';
import { embeddedMetrics } from '../../lambdas/shared/adapters/embedded-metrics';
import { parseConfiguration } from '../../lib/options/load';
import { type Account, Alarms, embeddedMetrics as metricsIn, MetricStore } from 'cdk-on-loopback/testing';
import { captureOutput } from '../support/lambdas/captured-output';
import { written } from '../support/lib/configuration';
import { provisionSynthesis } from '../support/lib/provisioned';
import { type Synthesis, synthesizeOnce } from '../support/lib/synthesis';

const MINUTE_MS = 60_000;
const SWEEP_MS = 5 * MINUTE_MS;
const HOUR_MS = 60 * MINUTE_MS;
const PREFIXES = ['latchkey', 'acme'];

const synthesisOf = (prefix: string): Synthesis =>
  synthesizeOnce(parseConfiguration({ ...written({ dashboard: true }), prefix }, 'test configuration'));

/** Both deployments of the same environment and platform region, in one account. */
function deployBoth(): Account {
  const [first, second] = PREFIXES.map(synthesisOf);
  const { account } = provisionSynthesis(first!);
  return provisionSynthesis(second!, account).account;
}

/** The metrics of a finished sweep, from the line that the function writes. */
function sweep(prefix: string, nowMs: number) {
  const output = captureOutput();
  jest.spyOn(Date, 'now').mockReturnValue(nowMs);
  const metrics = embeddedMetrics(synthesisOf(prefix).deploymentFiles()[0]!);
  metrics.count('SweepDuration', 200);
  metrics.flush();
  const line = output();
  jest.restoreAllMocks();
  return metricsIn(line, nowMs);
}

describe('two deployments in one account that differ in their prefix', () => {
  it('if one is silent, its alarm says so although the other sweeps', () => {
    const account = deployBoth();
    const store = new MetricStore();
    const alarms = new Alarms(store);
    for (const definition of account.alarms.values()) alarms.add(definition, 0);
    const states = () =>
      PREFIXES.map(
        (prefix) =>
          alarms.states().find(({ name }) => name === `${prefix}-staging-global/sweep-silent`)?.state,
      );

    for (let nowMs = SWEEP_MS; nowMs <= 4 * HOUR_MS; nowMs += SWEEP_MS) {
      const sweeping = nowMs <= 2 * HOUR_MS ? PREFIXES : ['acme'];
      for (const prefix of sweeping) sweep(prefix, nowMs).forEach((datum) => store.put(datum));
      alarms.evaluate(nowMs);
      if (nowMs === 2 * HOUR_MS) expect(states()).toEqual(['OK', 'OK']);
    }

    expect(states()).toEqual(['ALARM', 'OK']);
  });

  it.each([
    ['watch', watchedIn],
    ['show', shownIn],
  ])('%s no metric of the other', (_, metricsOf) => {
    const [usual, other] = PREFIXES.map((prefix) => metricsOf(synthesisOf(prefix)));

    expect(other!.filter((metric) => usual!.includes(metric))).toEqual([]);
    expect(usual!.length).toBeGreaterThan(10);
  });
});

/** The rows of the dashboard with metrics of Latchkey's namespace: names and dimensions. */
function shownIn(synthesis: Synthesis): string[] {
  const { DashboardBody } = synthesis.only('AWS::CloudWatch::Dashboard').Properties as {
    DashboardBody: { 'Fn::Join': ['', (string | object)[]] };
  };
  const text = DashboardBody['Fn::Join'][1].filter((part) => typeof part === 'string').join('');
  return [...text.matchAll(new RegExp(`\\["${METRIC_NAMESPACE}"[^{\\]]*`, 'g'))].map(([row]) => row);
}

/** The metrics of Latchkey's namespace that alarms watch, with their dimensions. */
function watchedIn(synthesis: Synthesis): string[] {
  const metrics = synthesis.properties('AWS::CloudWatch::Alarm').flatMap((alarm) => {
    const parts = (alarm.Metrics ?? []) as { MetricStat?: { Metric: Record<string, unknown> } }[];
    return [alarm, ...parts.map(({ MetricStat }) => MetricStat?.Metric ?? {})];
  });
  return metrics
    .filter(({ Namespace }) => Namespace === METRIC_NAMESPACE)
    .map(({ MetricName, Dimensions }) => JSON.stringify([MetricName, Dimensions]));
}
