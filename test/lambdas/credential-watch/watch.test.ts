import { watch } from '../../../lambdas/credential-watch/watch';
import { at, credential, DAY_MS, NOT_LOADED, snapshotOf, token } from '../../inspect/snapshots';
import { CountingMetrics } from '../../support/lambdas/counting-metrics';
import { RecordingLog } from '../../support/lambdas/recording-log';
import { VirtualClock } from '../../support/lambdas/virtual-clock';

const ports = () => ({ clock: new VirtualClock(), log: new RecordingLog(), metrics: new CountingMetrics() });

test('counts each kind by how often it was found, and the look itself', () => {
  const { clock, log, metrics } = ports();
  const old = { promotedAt: at(-100 * DAY_MS) };
  const snapshot = snapshotOf({
    clientCredentials: credential('client-credentials', old),
    apiKey: credential('api-key', old),
    tokens: [token(-1)],
  });

  const findings = watch({ clock, log, metrics }, snapshot);

  expect(findings).toHaveLength(3);
  expect(metrics.counts).toEqual({ WatchRun: 1 });
  expect(metrics.faults).toEqual({ token_expired: 1, rotation_overdue: 2 });
});

test('answers, but neither counts nor logs, what is only good to know', () => {
  const { clock, log, metrics } = ports();

  const findings = watch({ clock, log, metrics }, snapshotOf({ apiKey: credential('api-key', NOT_LOADED) }));

  expect(findings).toMatchObject([{ kind: 'never_loaded' }]);
  expect(metrics).toMatchObject({ counts: { WatchRun: 1 }, faults: {} });
  expect(log.lines).toEqual([]);
});

test('counts a look that found nothing', () => {
  const { clock, log, metrics } = ports();

  expect(watch({ clock, log, metrics }, snapshotOf())).toEqual([]);
  expect(metrics).toMatchObject({ counts: { WatchRun: 1 }, faults: {} });
});

test('logs where each finding is', () => {
  const { clock, log, metrics } = ports();
  const snapshot = snapshotOf({
    apiKey: credential('api-key', { validUntil: at(-1) }),
    tokens: [token(-1)],
  });

  watch({ clock, log, metrics }, snapshot);

  const line = { level: 'warn', message: 'found', tenantId: 'eu-west-2_Acme' };
  expect(log.lines).toEqual([
    expect.objectContaining({ ...line, code: 'token_expired', interface: 'content', scope: 'api/read' }),
    expect.objectContaining({ ...line, code: 'api_key_expired', credential: 'api-key' }),
  ]);
});
