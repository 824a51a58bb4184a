import { Duration } from 'aws-cdk-lib';
import { type Metric } from 'aws-cdk-lib/aws-cloudwatch';

import { RESTORE_METRICS, ROTATION_METRICS, WATCH_METRICS } from '../../../../core/alarms/metrics';
import { DeploymentStack } from '../../../../lib/stacks/deployment-stack';
import { configuration } from '../../../support/lib/configuration';
import { temporaryApp } from '../../../support/lib/synthesis';

const value = configuration();
const stack = new DeploymentStack(temporaryApp(), 'stack', {
  configuration: value,
  deployment: value.deployments[0]!,
});
const {
  credentialRotator: rotator,
  credentialWatch: watch,
  tokenRefresher: refresher,
  restoreApi,
} = stack.latchkey;

/** The metric as one line. */
const described = ({ namespace, metricName, dimensions, statistic, period }: Metric) =>
  [namespace, metricName, JSON.stringify(dimensions), statistic, `${period.toMinutes()} min`].join(' ');
const measured = ({ metricName, statistic, unit }: Metric) => [metricName, statistic, unit].join(' ');
const DEPLOYMENT_KEY = '"environment":"staging","platformRegion":"global"';

describe('the metrics of constructs', () => {
  it('of rotations are those of rotate-credentials, one per result', () => {
    const metrics = [
      rotator.metricRotationSucceeded(),
      rotator.metricRotationRefused(),
      rotator.metricRotationUntested(),
      rotator.metricRotationCandidateMissing(),
      rotator.metricRotationFailed(),
    ];

    expect(metrics.map(described)).toEqual(
      ROTATION_METRICS.map((name) => `Latchkey ${name} {${DEPLOYMENT_KEY}} Sum 5 min`),
    );
  });

  it('of the watch are those of credential-watch, with its interval as the period', () => {
    const metrics = [watch.metricWatchRun(), watch.metricFinding('rotation_due')];

    expect(metrics.map(described)).toEqual([
      `Latchkey ${WATCH_METRICS[0]} {${DEPLOYMENT_KEY}} Sum 360 min`,
      `Latchkey ${WATCH_METRICS[1]} {${DEPLOYMENT_KEY},"code":"rotation_due"} Sum 360 min`,
    ]);
  });

  it('of tokens have the fault as a dimension', () => {
    expect(described(refresher.metricTokenFault('tls_failed'))).toBe(
      `Latchkey TokenFault {${DEPLOYMENT_KEY},"code":"tls_failed"} Sum 5 min`,
    );
  });

  it('of a credential have its kind as a dimension', () => {
    expect([watch.metricCredentialAge('api-key'), watch.metricDaysToExpiry()].map(described)).toEqual([
      `Latchkey CredentialAge {${DEPLOYMENT_KEY},"kind":"api-key"} Minimum 360 min`,
      `Latchkey DaysToExpiry {${DEPLOYMENT_KEY},"kind":"api-key"} Maximum 360 min`,
    ]);
  });

  it('of restores are those of the restore function', () => {
    const outcomes = RESTORE_METRICS.filter(
      (name) => name !== 'RestoreLatency' && name !== 'RestoreAvailabilityMismatch',
    );

    expect(outcomes.map((name) => described(restoreApi!.metricOutcome(name)))).toEqual(
      outcomes.map((name) => `Latchkey ${name} {${DEPLOYMENT_KEY}} Sum 5 min`),
    );
  });

  it('have the unit in which they are emitted', () => {
    const metrics = [
      refresher.metricTokenLifeLeft(),
      refresher.metricSweepDuration(),
      refresher.metricTokenWriteRefused(),
      watch.metricCredentialAge('client-credentials'),
      watch.metricDaysToExpiry(),
      restoreApi!.metricLatency(),
    ];

    expect(metrics.map(measured)).toEqual([
      'TokenLifeLeft Minimum Seconds',
      'SweepDuration Maximum Milliseconds',
      'TokenWriteRefused Sum Count',
      'CredentialAge Minimum None',
      'DaysToExpiry Maximum None',
      'RestoreLatency p90 Milliseconds',
    ]);
  });

  it('of the stage are API Gateway’s errors and requests', () => {
    const metrics = [restoreApi!.metricServerErrors(), restoreApi!.metricRequests()];

    expect(metrics.map(({ namespace, metricName }) => `${namespace} ${metricName}`)).toEqual([
      'AWS/ApiGateway 5XXError',
      'AWS/ApiGateway Count',
    ]);
    for (const { dimensions } of metrics) {
      expect(dimensions).toEqual({ ApiName: 'latchkey-staging-global', Stage: expect.any(String) as string });
    }
  });

  it('accept metric options and keep their dimensions', () => {
    const metric = watch.metricFinding('rotation_due', { period: Duration.days(1), statistic: 'Maximum' });

    expect(described(metric)).toBe(
      `Latchkey Finding {${DEPLOYMENT_KEY},"code":"rotation_due"} Maximum 1440 min`,
    );
  });
});
