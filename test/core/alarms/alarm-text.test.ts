import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { DEFAULT_ALARM_THRESHOLDS, DEPLOYMENT_ALARMS, TENANT_ALARMS } from '../../../core/alarms/alarm-rows';
import { deploymentAlarmText, tenantAlarmText } from '../../../core/alarms/alarm-text';
import { GUARANTEED_LIFE_SEC, SWEEP_INTERVAL_SEC } from '../../../core/tokens/lifetimes';

const DEPLOYMENT_KEY = { environment: 'production', platformRegion: 'global' } as const;
// The longest tenant id that the configuration accepts.
const TENANT = { ...DEPLOYMENT_KEY, tenantId: 't'.repeat(128) };
const OTHER = {
  issuer: 'i'.repeat(31),
  environment: 'e'.repeat(31),
  platformRegion: 'r'.repeat(31),
  tenantId: TENANT.tenantId,
};
const LIMITS = { ...DEFAULT_ALARM_THRESHOLDS, maxAgeDays: 90 };

const ALL = [
  ...DEPLOYMENT_ALARMS.map((alarm) => [alarm, deploymentAlarmText(alarm, DEPLOYMENT_KEY, LIMITS)] as const),
  ...TENANT_ALARMS.map((alarm) => [`tenant ${alarm}`, tenantAlarmText(alarm, TENANT)] as const),
];
const ROOT = join(__dirname, '../../..');
const COMMANDS = /`latchkey (status|doctor|doctor --fix|credentials put) (--environment[^`]+)`/g;

describe('the description of every alarm', () => {
  it.each(ALL)('%s: is three sentences within CloudWatch’s length limit', (_, text) => {
    expect(text.split(/\. (?=[A-Z])/)).toHaveLength(3);
    expect(text).toMatch(/\.$/);
    expect(text.length).toBeLessThanOrEqual(1024);
  });

  it.each(ALL)('%s: names the deployment, and the tenant if it has one', (name, text) => {
    expect(text).toContain('production global');
    if (name.startsWith('tenant ')) expect(text).toContain(TENANT.tenantId);
  });

  it.each(ALL)(
    '%s: ends with a command that names the deployment, or with an existing page',
    (name, text) => {
      const [, , advice] = text.split(/\. (?=[A-Z])/);
      const commands = [...advice!.matchAll(COMMANDS)].map(([, , flags]) => flags);
      const pages = [...advice!.matchAll(/docs\/runbook\/[a-z-]+\.md/g)].map(([page]) => page);

      expect(commands.length + pages.length).toBeGreaterThan(0);
      const tenant = name.startsWith('tenant ') ? ` --tenant ${TENANT.tenantId}` : '';
      for (const flags of commands) {
        expect(flags).toBe(`--environment production --platform-region global${tenant}`);
      }
      expect(advice!.split('`')).toHaveLength(2 * commands.length + 1);
      expect(pages.filter((page) => !existsSync(join(ROOT, page)))).toEqual([]);
    },
  );

  it.each(TENANT_ALARMS)('%s: is within the limit for the longest names of another issuer', (alarm) => {
    const text = tenantAlarmText(alarm, OTHER);

    expect(text).toContain(`in ${OTHER.issuer} ${OTHER.environment} ${OTHER.platformRegion}`);
    expect(text.length).toBeLessThanOrEqual(1024);
  });

  it('leaves out the region that an issuer does not have', () => {
    const { issuer, environment, tenantId } = OTHER;

    const text = tenantAlarmText('credential-refused', { issuer, environment, tenantId });
    expect(text).toContain(`in ${issuer} ${environment}`);
    expect(text).not.toMatch(/region|undefined/);
  });

  it('uses the configured thresholds', () => {
    const text = (alarm: (typeof DEPLOYMENT_ALARMS)[number]) =>
      deploymentAlarmText(alarm, DEPLOYMENT_KEY, {
        ...LIMITS,
        tokenLifeMinutes: 3,
        missedSweeps: 4,
        apiKeyUrgentDays: 9,
        maxAgeDays: 55,
      });

    expect(text('token-life')).toContain('less than 3 minutes');
    expect(text('sweep-silent')).toContain('in 24 minutes');
    expect(text('api-key-expiring-soon')).toContain('within 9 days');
    expect(text('rotation-overdue')).toContain('for 55 days');
  });
});

test('token-life comes before the first token expires, though a sweep and CloudWatch are a minute late', () => {
  const limitSec = DEFAULT_ALARM_THRESHOLDS.tokenLifeMinutes * 60;

  expect(limitSec).toBeGreaterThan(SWEEP_INTERVAL_SEC + 60 + 60);
  expect(limitSec).toBeLessThan(GUARANTEED_LIFE_SEC);
});
