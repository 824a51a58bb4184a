import { Duration } from 'aws-cdk-lib';
import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';

import { SWEEP_INTERVAL_SEC } from '../../../contract/lifetimes';
import { REFUSAL_FAULTS, type TokenFault } from '../../../contract/metrics';
import { type AlarmThresholds } from '../../config/alarm-settings';
import {
  above,
  type AlarmConditions,
  atLeast,
  below,
  combined,
  LAST_SWEEPS,
  silent,
} from './alarm-condition';
import { type TokenRefresher } from '../tokens/token-refresher';

/** Faults that last until a person mends something, and are no tenant's. */
export const BLOCKING_FAULTS = [
  'tls_failed',
  'redirected',
  'store_access_denied',
  'store_scheduled_for_deletion',
  'store_malformed',
] as const satisfies TokenFault[];

/** A renewal that fails may repeat its request, so so many requests are explained by each. */
const REQUESTS_OF_A_FAILURE = 3;
/** Few tokens may be asked for by hand, or rotated, without anybody being told. */
const REQUESTS_ALWAYS_USUAL = 20;

const HOUR = Duration.hours(1);
/**
 * Time in which a sweep ends: the schedule may start it a minute late, and without that minute one sweep that fails,
 * with a late one after it, would look like two.
 * @see Amazon EventBridge Scheduler User Guide, "Schedule types" (60-second precision)
 */
export const SWEEP_PERIOD = Duration.seconds(SWEEP_INTERVAL_SEC + 60);

/**
 * When the alarms about tokens ring.
 * @param tokens how many configuration declares
 */
export function tokenAlarmConditions(
  refresher: TokenRefresher,
  tokens: number,
  thresholds: AlarmThresholds,
): AlarmConditions {
  const faults = (codes: readonly TokenFault[], label: string) =>
    combined(
      'sum',
      codes.map((code) => refresher.metricTokenFault(code)),
      { label, period: LAST_SWEEPS },
    );
  const usualRequests = Math.max(REQUESTS_ALWAYS_USUAL, thresholds.tokenRequestsPerTokenAndHour * tokens);
  return {
    'token-life': below(
      refresher.metricTokenLifeLeft({ period: LAST_SWEEPS }),
      thresholds.tokenLifeMinutes * 60,
    ),
    'credential-refused': atLeast(faults(REFUSAL_FAULTS, 'refused credentials'), 1),
    'tokens-blocked': atLeast(faults(BLOCKING_FAULTS, 'faults that do not pass'), 1),
    'token-requests': above(unexplainedRequests(refresher), usualRequests),
    'sweep-silent': silent(
      refresher.metricSweepDuration({ statistic: cloudwatch.Stats.SAMPLE_COUNT, period: SWEEP_PERIOD }),
      thresholds.missedSweeps,
    ),
    'dead-letters': atLeast(refresher.metricDeadLetters(), thresholds.deadLetters),
  };
}

/** An outage explains its own repetitions, and has an alarm of its own. */
function unexplainedRequests(refresher: TokenRefresher): cloudwatch.MathExpression {
  return new cloudwatch.MathExpression({
    expression: `FILL(requests, 0) - ${REQUESTS_OF_A_FAILURE} * FILL(failed, 0)`,
    usingMetrics: {
      requests: refresher.metricTokenRequest(),
      failed: refresher.metricTokenRenewalFailed(),
    },
    label: 'token requests that no failure explains',
    period: HOUR,
  });
}
