import { watch } from '../../../lambdas/credential-watch/watch';
import { at, credential, NOT_LOADED, snapshotOf, token } from '../../core/findings/snapshots';
import { CountingMetrics } from '../../support/lambdas/counting-metrics';
import { RecordingLog } from '../../support/lambdas/recording-log';
import { VirtualClock } from '../../support/lambdas/virtual-clock';

const watched = (...seen: Parameters<typeof snapshotOf>) => {
  const ports = { clock: new VirtualClock(), log: new RecordingLog(), metrics: new CountingMetrics() };
  return { ...ports, findings: watch(ports, snapshotOf(...seen)) };
};

test('returns the findings, records the metrics, and logs the place of each finding', () => {
  const apiKey = credential('api-key', { validUntil: at(-1) });

  const { findings, metrics, log } = watched({ apiKey, tokens: [token(-1)] });

  expect(findings).toMatchObject([{ kind: 'token_expired' }, { kind: 'api_key_expired' }]);
  expect(metrics.counts).toEqual({ WatchRun: 1 });
  expect(metrics.faults).toMatchObject({ token_expired: 1, api_key_expired: 1 });
  const detail = expect.any(String) as string;
  const line = { level: 'warn', message: 'found', detail, tenantId: 'eu-west-2_Acme' };
  expect(log.lines).toStrictEqual([
    { ...line, code: 'token_expired', interface: 'content', scope: 'api/read' },
    { ...line, code: 'api_key_expired', credential: 'api-key' },
  ]);
});

test('returns findings of severity info, but does not log them', () => {
  const { findings, log } = watched({ apiKey: credential('api-key', NOT_LOADED) });

  expect(findings).toMatchObject([{ kind: 'never_loaded' }]);
  expect(log.lines).toEqual([]);
});
