import { watch } from '../../../lambdas/credential-watch/watch';
import { at, credential, NOT_LOADED, snapshotOf, token } from '../../core/findings/snapshots';
import { CountingMetrics } from '../../support/lambdas/counting-metrics';
import { RecordingLog } from '../../support/lambdas/recording-log';
import { VirtualClock } from '../../support/lambdas/virtual-clock';

const ports = () => ({ clock: new VirtualClock(), log: new RecordingLog(), metrics: new CountingMetrics() });

test('returns the findings, and records the metrics', () => {
  const { clock, log, metrics } = ports();

  const findings = watch({ clock, log, metrics }, snapshotOf({ tokens: [token(-1)] }));

  expect(findings).toMatchObject([{ kind: 'token_expired' }]);
  expect(metrics.counts).toEqual({ WatchRun: 1 });
  expect(metrics.faults).toMatchObject({ token_expired: 1 });
});

test('returns findings of severity info, but does not log them', () => {
  const { clock, log, metrics } = ports();

  const findings = watch({ clock, log, metrics }, snapshotOf({ apiKey: credential('api-key', NOT_LOADED) }));

  expect(findings).toMatchObject([{ kind: 'never_loaded' }]);
  expect(log.lines).toEqual([]);
});

test('logs the place of each finding', () => {
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
