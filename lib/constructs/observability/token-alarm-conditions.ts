import { Duration } from 'aws-cdk-lib';
import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';

import { type AlarmThresholds, SWEEP_PERIOD_SEC } from '../../../core/alarms/alarm-rows';
import { type DeploymentFile } from '../../../core/deployment/deployment-file';
import { MIN_NORMAL_LIFE_SEC } from '../../../core/tokens/lifetimes';
import { BLOCKING_FAULTS, REFUSAL_FAULTS, type TokenFault } from '../../../core/alarms/metrics';
import {
  above,
  type AlarmConditions,
  atLeast,
  below,
  filled,
  summed,
  LAST_SWEEPS,
  silent,
} from './alarm-condition';
import { type TokenRefresher } from '../tokens/token-refresher';

/** The faults that only a person can end; those of a proxy only if there is one. */
export function blockingFaultsOf({ network }: Pick<DeploymentFile, 'network'>): readonly TokenFault[] {
  return BLOCKING_FAULTS.filter((fault) => fault !== 'proxy_refused' || network?.proxy !== undefined);
}

/** Below this, manual requests and rotations of a small deployment raise no alarm. */
const MIN_REQUEST_LIMIT = 20;
/** Maximum renewals of a token in an hour of normal operation. The metric of excess requests leaves them out. */
const RENEWALS_PER_HOUR = 2;

const HOUR = Duration.hours(1);

export function tokenAlarmConditions(
  refresher: TokenRefresher,
  deployment: DeploymentFile,
  thresholds: AlarmThresholds,
): AlarmConditions {
  const refusals = REFUSAL_FAULTS.map((code) => refresher.metricTokenFault(code));
  const tokens = deployment.tenants.reduce((total, tenant) => total + tenant.tokens.length, 0);
  return {
    // Without fullMonitoring there are data only below the least life of normal operation.
    'token-life': below(
      filled(refresher.metricTokenLifeLeft(), MIN_NORMAL_LIFE_SEC, {
        label: 'time until the first token expires',
        period: LAST_SWEEPS,
      }),
      thresholds.tokenLifeMinutes * 60,
    ),
    'credential-refused': atLeast(
      summed(refusals, { label: 'rejected credentials', period: LAST_SWEEPS }),
      1,
    ),
    'tokens-blocked': atLeast(
      summed([refresher.metricTokenBlocked()], { label: 'faults that need a person', period: LAST_SWEEPS }),
      1,
    ),
    'token-requests': above(
      summed([refresher.metricTokenRequestExcess()], { label: 'token requests in excess', period: HOUR }),
      excessLimit(tokens, thresholds),
    ),
    'sweep-silent': silent(
      refresher.metricSweepDuration({
        statistic: cloudwatch.Stats.SAMPLE_COUNT,
        period: Duration.minutes(1),
      }),
      Duration.seconds(SWEEP_PERIOD_SEC),
      thresholds.missedSweeps,
    ),
    'dead-letters': atLeast(refresher.metricDeadLetters(), thresholds.deadLetters),
  };
}

/** The threshold for all requests minus those of normal renewals, but at least half of it, because some excess is normal. */
function excessLimit(tokens: number, { tokenRequestsPerTokenAndHour }: AlarmThresholds): number {
  const limit = Math.max(MIN_REQUEST_LIMIT, tokenRequestsPerTokenAndHour * tokens);
  return Math.max(limit - RENEWALS_PER_HOUR * tokens, limit / 2);
}
