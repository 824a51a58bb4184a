import { composeChangeEvents } from '../../../../lambdas/shared/adapters/compose-change-events';
import { CountingMetrics } from '../../../support/lambdas/counting-metrics';
import { RecordingLog } from '../../../support/lambdas/recording-log';
import { deploymentOf, TENANT_ID } from '../../../support/lambdas/token-functions';
import { VirtualClock } from '../../../support/lambdas/virtual-clock';

let log: RecordingLog;
let metrics: CountingMetrics;
beforeEach(() => {
  log = new RecordingLog();
  metrics = new CountingMetrics();
});
const compose = () =>
  composeChangeEvents({ deployment: deploymentOf([TENANT_ID]), clock: new VirtualClock(), log, metrics });

afterEach(() => delete process.env.EVENT_BUS_ARN);

test('a deployment without a bus sends no events, and says nothing', () => {
  expect([compose(), log.lines, metrics.counts]).toEqual([undefined, [], {}]);
});

test('a module that cannot be loaded costs the events, not the renewals', () => {
  // Here, it is not beside the functions.
  process.env.EVENT_BUS_ARN = 'arn:aws:events:eu-west-1:111111111111:event-bus/default';

  expect(compose()).toBeUndefined();
  expect(log.lines).toMatchObject([
    { level: 'warn', message: 'no events are sent', code: 'MODULE_NOT_FOUND' },
  ]);
  expect(metrics.counts).toEqual({ EventFailed: 1 });
});
