import { Duration } from 'aws-cdk-lib';
import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';

import { type DeploymentFile } from '../../../contract/deployment-file';
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

/** Faults of a deployment, not of one tenant, that last until a person fixes them. */
const BLOCKING_FAULTS = [
  'tls_failed',
  'redirected',
  'store_access_denied',
  'store_scheduled_for_deletion',
  'store_malformed',
] as const satisfies TokenFault[];

/** The same with those of a proxy, if there is one. */
export function blockingFaultsOf({ network }: Pick<DeploymentFile, 'network'>): readonly TokenFault[] {
  return network?.proxy === undefined ? BLOCKING_FAULTS : [...BLOCKING_FAULTS, 'proxy_refused'];
}

/** Maximum requests of one failed renewal, retries included. */
const REQUESTS_PER_FAILURE = 3;
/** Below this, manual requests and rotations of a small deployment raise no alarm. */
const MIN_REQUEST_LIMIT = 20;

const HOUR = Duration.hours(1);
/**
 * The sweep interval plus one minute, because the schedule may start a sweep a minute late. Without it, one failed
 * sweep followed by a late one would count as two.
 * @see Amazon EventBridge Scheduler User Guide, "Schedule types" (60-second precision)
 */
export const SWEEP_PERIOD = Duration.seconds(SWEEP_INTERVAL_SEC + 60);

/** Conditions of the alarms about tokens. */
export function tokenAlarmConditions(
  refresher: TokenRefresher,
  deployment: DeploymentFile,
  thresholds: AlarmThresholds,
): AlarmConditions {
  const faults = (codes: readonly TokenFault[], label: string) =>
    combined(
      'sum',
      codes.map((code) => refresher.metricTokenFault(code)),
      { label, period: LAST_SWEEPS },
    );
  const tokens = deployment.tenants.reduce((total, tenant) => total + tenant.tokens.length, 0);
  const requestLimit = Math.max(MIN_REQUEST_LIMIT, thresholds.tokenRequestsPerTokenAndHour * tokens);
  return {
    'token-life': below(
      refresher.metricTokenLifeLeft({ period: LAST_SWEEPS }),
      thresholds.tokenLifeMinutes * 60,
    ),
    'credential-refused': atLeast(faults(REFUSAL_FAULTS, 'rejected credentials'), 1),
    'tokens-blocked': atLeast(faults(blockingFaultsOf(deployment), 'faults that need a person'), 1),
    'token-requests': above(unexplainedRequests(refresher), requestLimit),
    'sweep-silent': silent(
      refresher.metricSweepDuration({
        statistic: cloudwatch.Stats.SAMPLE_COUNT,
        period: Duration.minutes(1),
      }),
      SWEEP_PERIOD,
      thresholds.missedSweeps,
    ),
    'dead-letters': atLeast(refresher.metricDeadLetters(), thresholds.deadLetters),
  };
}

/** Requests of failed renewals are subtracted: an outage causes retries, and has its own alarm. */
function unexplainedRequests(refresher: TokenRefresher): cloudwatch.MathExpression {
  return new cloudwatch.MathExpression({
    expression: `FILL(requests, 0) - ${REQUESTS_PER_FAILURE} * FILL(failed, 0)`,
    usingMetrics: {
      requests: refresher.metricTokenRequest(),
      failed: refresher.metricTokenRenewalFailed(),
    },
    label: 'token requests without those of failed renewals',
    period: HOUR,
  });
}
