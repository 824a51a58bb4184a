import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { DEFAULT_ALARM_THRESHOLDS, DEPLOYMENT_ALARMS, TENANT_ALARMS } from '../../../core/alarms/alarm-rows';
import { deploymentAlarmText, tenantAlarmText } from '../../../core/alarms/alarm-text';
import { type Place, placeFlags } from '../../../core/commands/place-flags';
import { GUARANTEED_LIFE_SEC, SWEEP_INTERVAL_SEC } from '../../../core/tokens/lifetimes';

const KEY = { environment: 'production', platformRegion: 'global' } as const;
const LIMITS = { ...DEFAULT_ALARM_THRESHOLDS, maxAgeDays: 90 };
// The longest ids and names that the configuration accepts.
const tenantId = 't'.repeat(128);
const [issuer, environment, platformRegion] = ['i', 'e', 'r'].map((letter) => letter.repeat(31));
const TENANTS = [
  { ...KEY, tenantId },
  { issuer: issuer!, environment: environment!, platformRegion: platformRegion!, tenantId },
];

const ALL: { alarm: string; textOf: () => string; key: Place }[] = [
  ...DEPLOYMENT_ALARMS.map((alarm) => ({
    alarm,
    textOf: () => deploymentAlarmText(alarm, KEY, LIMITS),
    key: KEY,
  })),
  ...TENANTS.flatMap((key) =>
    TENANT_ALARMS.map((alarm) => ({
      alarm: `tenant ${alarm}`,
      textOf: () => tenantAlarmText(alarm, key),
      key,
    })),
  ),
];
const ROOT = join(__dirname, '../../..');
const COMMANDS = /`latchkey (?:status|doctor --fix|doctor|credentials put) (--[^`]+)`/g;

describe('the description of every alarm', () => {
  it.each(ALL)('$alarm: is three sentences within CloudWatch’s length limit', ({ textOf }) => {
    const text = textOf();

    expect(text.split(/\. (?=[A-Z])/)).toHaveLength(3);
    expect(text).toMatch(/\.$/);
    expect(text.length).toBeLessThanOrEqual(1024);
  });

  it.each(ALL)('$alarm: names the deployment, and the tenant if it has one', ({ textOf, key }) => {
    const text = textOf();

    expect(text).toContain([key.issuer, key.environment, key.platformRegion].filter(Boolean).join(' '));
    expect(text).toContain(key.tenantId ?? '');
  });

  it.each(ALL)('$alarm: ends with a command for its place, or with an existing page', ({ textOf, key }) => {
    const [, , advice] = textOf().split(/\. (?=[A-Z])/);
    const commands = [...advice!.matchAll(COMMANDS)].map(([, flags]) => flags);
    const pages = [...advice!.matchAll(/docs\/runbook\/[a-z-]+\.md/g)].map(([page]) => page);

    expect(commands.length + pages.length).toBeGreaterThan(0);
    expect(commands.filter((flags) => flags !== placeFlags(key))).toEqual([]);
    expect(advice!.split('`')).toHaveLength(2 * commands.length + 1);
    expect(pages.filter((page) => !existsSync(join(ROOT, page)))).toEqual([]);
  });

  it('uses the configured thresholds', () => {
    const limits = { ...LIMITS, tokenLifeMinutes: 3, missedSweeps: 4, apiKeyUrgentDays: 9, maxAgeDays: 55 };
    const text = (alarm: (typeof DEPLOYMENT_ALARMS)[number]) => deploymentAlarmText(alarm, KEY, limits);

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
