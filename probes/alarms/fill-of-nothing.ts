import { alarm, alarmName, silentMetric, stateOf } from '../alarm';
import { asReliedOn, type Probe } from '../probe';
import { withStack } from '../templates';

/** The first evaluation comes within some minutes. */
const EVALUATED_SEC = 240;

export const fillOfNothing: Probe = {
  id: 'fill-of-nothing',
  group: 'alarms',
  subject: '`FILL(m, 0)` in metric math over a metric without any value in the evaluation range',
  reliedOn: 'zeros, or no value: both are tested, since a missing value counts as 0 beside another series',
  otherwise: 'an alarm without a value is OK instead of computed as 0: no difference',
  sources: ['https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/using-metric-math.html'],
  look: (system) => {
    const MetricStat = { Metric: silentMetric(system), Period: 60, Stat: 'Sum' };
    const Metrics = [
      { Id: 'm', MetricStat, ReturnData: false },
      { Id: 'filled', Expression: 'FILL(m, 0)', ReturnData: true },
    ];
    const template = {
      Resources: { Alarm: alarm(system, 'filled', { Metrics, TreatMissingData: 'missing' }) },
    };
    return withStack(system, template, async () => {
      const isAlarm = await system.time.until(
        async () => ((await stateOf(system, alarmName(system, 'filled'))) === 'ALARM' ? true : undefined),
        { withinSec: EVALUATED_SEC },
      );
      return asReliedOn(isAlarm ? 'zeros' : 'no value');
    });
  },
};
