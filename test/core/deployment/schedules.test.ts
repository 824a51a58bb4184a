import { ENVIRONMENTS, PLATFORM_REGIONS } from '../../../core/deployment/platform';
import { SCHEDULED_FUNCTIONS, scheduleName } from '../../../core/deployment/schedules';

describe('the name of a schedule', () => {
  const MAX_PREFIX = 'p'.repeat(29);
  const names = (prefix: string) =>
    ENVIRONMENTS.flatMap((environment) =>
      PLATFORM_REGIONS.flatMap((platformRegion) =>
        SCHEDULED_FUNCTIONS.map((scheduled) =>
          scheduleName(prefix, { environment, platformRegion }, scheduled),
        ),
      ),
    );

  it('names the deployment and the function', () => {
    expect(names('latchkey')).toContain('latchkey-staging-mea-token-sweep');
    expect(new Set(names('latchkey')).size).toBe(12);
  });

  // EventBridge Scheduler API Reference, CreateSchedule: Name, 1–64 characters of [0-9a-zA-Z-_.].
  it('is valid in EventBridge Scheduler with the longest prefix', () => {
    names(MAX_PREFIX).forEach((name) => expect(name).toMatch(/^[0-9a-zA-Z-_.]{1,64}$/));
  });
});
