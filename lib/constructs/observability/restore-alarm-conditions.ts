import { Duration } from 'aws-cdk-lib';
import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';

import { type AlarmThresholds } from '../../../core/alarms/alarm-rows';
import { above, type AlarmConditions, atLeast, summed } from './alarm-condition';
import { type RestoreApi } from '../restore/restore-api';

const FIVE_MINUTES = Duration.minutes(5);
const QUARTER_OF_AN_HOUR = Duration.minutes(15);
const HOUR = Duration.hours(1);

export function restoreAlarmConditions(api: RestoreApi, thresholds: AlarmThresholds): AlarmConditions {
  const latencyLimitMs = thresholds.restoreLatencySec * 1000;
  return {
    'restore-errors': atLeast(errorPercent(api, thresholds), thresholds.restoreErrorPercent),
    'restore-outcome-unknown': atLeast(
      summed([api.metricOutcome('RestoreOutcomeUnknown')], {
        label: 'restores with an unknown outcome',
        period: HOUR,
      }),
      thresholds.restoreOutcomesUnknown,
    ),
    // The minimum, so that the first answer after a fix clears the alarm. Between two probes, it keeps its state.
    'restore-availability': {
      ...atLeast(
        api.metricAvailabilityMismatch({ statistic: cloudwatch.Stats.MINIMUM, period: FIVE_MINUTES }),
        1,
      ),
      missingData: cloudwatch.TreatMissingData.IGNORE,
    },
    'restore-latency': { ...above(api.metricLatency(), latencyLimitMs), periods: 3 },
  };
}

/**
 * Failed responses in percent of all; 0 below the minimum count. Excludes 501 (restore is not offered) and restores
 * without a token, which the token alarms cover.
 */
function errorPercent(api: RestoreApi, { restoreErrorsAtLeast }: AlarmThresholds): cloudwatch.MathExpression {
  const period = QUARTER_OF_AN_HOUR;
  const errors = new cloudwatch.MathExpression({
    expression: 'FILL(failed, 0) - FILL(notCounted, 0)',
    usingMetrics: {
      failed: api.metricServerErrors(),
      notCounted: api.metricOutcome('RestoreNotCounted'),
    },
    label: 'failed responses',
    period,
  });
  return new cloudwatch.MathExpression({
    expression: `IF(errors >= ${restoreErrorsAtLeast}, 100 * errors / requests, 0)`,
    usingMetrics: { errors, requests: api.metricRequests() },
    label: 'failed responses, in percent',
    period,
  });
}
