import { Duration } from 'aws-cdk-lib';
import { type Metric } from 'aws-cdk-lib/aws-cloudwatch';

import { RESTORE_METRICS, ROTATION_METRICS } from '../../../../core/alarms/metrics';
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
const described = ({ namespace, metricName, dimensions, statistic, period, unit }: Metric) =>
  [namespace, metricName, JSON.stringify(dimensions), statistic, `${period.toMinutes()} min`, unit].join(' ');
const OF_DEPLOYMENT = '"environment":"staging","platformRegion":"global"';

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
      ROTATION_METRICS.map((name) => `Latchkey ${name} {${OF_DEPLOYMENT}} Sum 5 min Count`),
    );
  });

  it('of restores are those of the restore function', () => {
    const outcomes = RESTORE_METRICS.filter(
      (name) => name !== 'RestoreLatency' && name !== 'RestoreAvailabilityMismatch',
    );

    expect(outcomes.map((name) => described(restoreApi!.metricOutcome(name)))).toEqual(
      outcomes.map((name) => `Latchkey ${name} {${OF_DEPLOYMENT}} Sum 5 min Count`),
    );
  });

  it('have the dimensions, the unit and the period of what is emitted', () => {
    const metrics = [
      refresher.metricTokenLifeLeft(),
      refresher.metricTokenFault('tls_failed'),
      refresher.metricTokenWriteRefused(),
      refresher.metricSweepDuration(),
      watch.metricWatchRun(),
      watch.metricFinding('rotation_due'),
      watch.metricCredentialAge('api-key'),
      watch.metricDaysToExpiry(),
      restoreApi!.metricLatency(),
    ];

    expect(metrics.map(described)).toEqual([
      `Latchkey TokenLifeLeft {${OF_DEPLOYMENT}} Minimum 5 min Seconds`,
      `Latchkey TokenFault {${OF_DEPLOYMENT},"code":"tls_failed"} Sum 5 min Count`,
      `Latchkey TokenWriteRefused {${OF_DEPLOYMENT}} Sum 5 min Count`,
      `Latchkey SweepDuration {${OF_DEPLOYMENT}} Maximum 5 min Milliseconds`,
      `Latchkey WatchRun {${OF_DEPLOYMENT}} Sum 360 min Count`,
      `Latchkey Finding {${OF_DEPLOYMENT},"code":"rotation_due"} Sum 360 min Count`,
      `Latchkey CredentialAge {${OF_DEPLOYMENT},"kind":"api-key"} Minimum 360 min None`,
      `Latchkey DaysToExpiry {${OF_DEPLOYMENT},"kind":"api-key"} Maximum 360 min None`,
      `Latchkey RestoreLatency {${OF_DEPLOYMENT}} p90 5 min Milliseconds`,
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
      `Latchkey Finding {${OF_DEPLOYMENT},"code":"rotation_due"} Maximum 1440 min Count`,
    );
  });
});
