import { afterMinutes, alarm, alarmName, minutesUntil, silentMetric, stateOf } from '../alarm';
import { notRun, type Probe, verdictOf } from '../probe';
import { withStack } from '../templates';

const WARM_UP_MIN = 10;
/** An alarm on missing data goes into alarm within this time. */
const EVALUATED_SEC = 420;

export const warmUp: Probe = {
  id: 'warm-up',
  group: 'alarms',
  subject: 'A `WarmUpConfiguration` on an alarm that treats missing data as breaching, in every partition',
  reliedOn:
    'CloudFormation knows it; no alarm while it lasts, although the same alarm without it is in alarm already',
  otherwise: 'new stacks notify once, or cannot be deployed in that partition',
  sources: ['https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/alarm-evaluation.html'],
  look: (system) => {
    const silent = { ...silentMetric(system), Statistic: 'Sum', Period: 60, TreatMissingData: 'breaching' };
    const WarmUpConfiguration = { WarmUpPeriodDurationInMinutes: WARM_UP_MIN };
    const template = {
      Resources: {
        Without: alarm(system, 'without', silent),
        With: alarm(system, 'with', { ...silent, WarmUpConfiguration }),
      },
    };
    return withStack(system, template, async () => {
      const alarmed = await minutesUntil(system, alarmName(system, 'without'), 'ALARM', EVALUATED_SEC);
      if (alarmed === undefined) return notRun('the alarm without it did not go into alarm');
      const state = await stateOf(system, alarmName(system, 'with'));
      return verdictOf(
        state !== undefined && state !== 'ALARM',
        `without it, in alarm ${afterMinutes(alarmed)}; with it, ${state ?? 'no alarm'}`,
      );
    });
  },
};
