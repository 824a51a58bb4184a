import { type Probe, verdictOf } from '../probe';
import { WARM_UP_MIN, warmingUpTemplate, warmUpOf } from '../silent-alarm';
import { withStack } from '../templates';

export const warmUp: Probe = {
  id: 'warm-up',
  group: 'alarms',
  subject: 'A `WarmUpConfiguration` on an alarm that treats missing data as breaching',
  reliedOn: 'no alarm while the stack is new, and one after it if there is still no data',
  otherwise: 'a new deployment notifies at once that token-sweep does not run, or never does',
  sources: ['https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/alarm-warm-up.html'],
  slow: true,
  look: (system) =>
    withStack(system, warmingUpTemplate(system), async () => {
      const { silentMin } = await warmUpOf(system);
      return verdictOf(
        silentMin !== undefined && silentMin >= WARM_UP_MIN,
        silentMin === undefined
          ? 'no alarm within 15 minutes'
          : `with a warm-up of ${WARM_UP_MIN} minutes, in alarm after ${silentMin} minutes`,
      );
    }),
};
