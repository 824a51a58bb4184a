import { Duration } from 'aws-cdk-lib';
import { type Metric } from 'aws-cdk-lib/aws-cloudwatch';

import { ROTATION_METRICS, WATCH_METRICS } from '../../../contract/metrics';
import { DeploymentStack } from '../../../lib/stacks/deployment-stack';
import { configuration } from '../../support/lib/configuration';
import { temporaryApp } from '../../support/lib/synthesis';

const value = configuration();
const stack = new DeploymentStack(temporaryApp(), 'stack', {
  configuration: value,
  deployment: value.deployments[0]!,
});
const { credentialRotator: rotator, credentialWatch: watch, tokenRefresher: refresher } = stack;

/** A metric as an alarm would name it. */
const described = ({ namespace, metricName, dimensions, statistic, period }: Metric) =>
  [namespace, metricName, JSON.stringify(dimensions), statistic, `${period.toMinutes()} min`].join(' ');
const CELL = '"environment":"staging","platformRegion":"global"';

describe('the metrics of constructs', () => {
  it('of rotations are those that rotate-credentials writes, one for each way to end', () => {
    const metrics = [
      rotator.metricRotationSucceeded(),
      rotator.metricRotationRefused(),
      rotator.metricRotationUntested(),
      rotator.metricRotationCandidateMissing(),
      rotator.metricRotationFailed(),
    ];

    expect(metrics.map(described)).toEqual(
      ROTATION_METRICS.map((name) => `Latchkey ${name} {${CELL}} Sum 5 min`),
    );
  });

  it('of the watch are those that credential-watch writes, over the time between two looks', () => {
    const metrics = [watch.metricWatchRun(), watch.metricFinding('rotation_due')];

    expect(metrics.map(described)).toEqual([
      `Latchkey ${WATCH_METRICS[0]} {${CELL}} Sum 360 min`,
      `Latchkey ${WATCH_METRICS[1]} {${CELL},"code":"rotation_due"} Sum 360 min`,
    ]);
  });

  it('of tokens name the fault', () => {
    expect(described(refresher.metricTokenFault('tls_failed'))).toBe(
      `Latchkey TokenFault {${CELL},"code":"tls_failed"} Sum 5 min`,
    );
  });

  it('take the options of an alarm, and keep their dimensions', () => {
    const metric = watch.metricFinding('rotation_due', { period: Duration.days(1), statistic: 'Maximum' });

    expect(described(metric)).toBe(`Latchkey Finding {${CELL},"code":"rotation_due"} Maximum 1440 min`);
  });
});
