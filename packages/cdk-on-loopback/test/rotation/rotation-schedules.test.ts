import { type Secret } from '../../src/account';
import { NOW_MS } from '../../src/testing/stacks';
import { C, FUNCTION_ARN, labelsOf, RotatedAccount } from './rotated-account';

const DAY_SEC = 24 * 60 * 60;
const timeOf = (ms: number | undefined) => new Date(ms!).toISOString();

describe('a schedule', () => {
  let local: RotatedAccount;
  let secret: Secret;

  beforeEach(() => {
    local = new RotatedAccount();
    secret = local.addSecret();
  });

  const cron = { scheduleExpression: 'cron(0 8 1 * ? *)' };

  test('rotates when each window opens, and shows the end of the next', async () => {
    local.request(secret, { rules: cron, isImmediate: false });
    const first = secret.rotation?.nextRotationAtMs;
    await local.clock.advance(100 * DAY_SEC);

    expect(timeOf(first)).toBe('2026-01-01T23:59:59.000Z');
    const days = local.invoked
      .filter((line) => line.includes('finishSecret'))
      .map((line) => parseInt(line) / DAY_SEC);
    expect(days).toEqual([8 / 24, 31 + 8 / 24, 59 + 8 / 24, 90 + 8 / 24]);
    expect(timeOf(secret.rotation!.lastRotatedAtMs)).toBe('2026-04-01T08:00:00.000Z');
    expect(timeOf(secret.rotation!.nextRotationAtMs)).toBe('2026-05-01T23:59:59.000Z');
  });

  test('continues after a failure with the pending version, while the next date stays in the past', async () => {
    local.request(secret, { rules: cron, isImmediate: false });
    local.failing.set('createSecret', 4);
    await local.clock.advance(60 * DAY_SEC);

    const created = local.invoked.filter((line) => line.includes('createSecret'));
    expect(created).toHaveLength(3 + 2 + 1);
    // January and February share one version; March has another.
    expect(secret.versions.size).toBe(1 + 1 + 1);
    expect(local.reporter.warnings).toHaveLength(1);
  });

  test('has its date in the past after a missed rotation', async () => {
    local.request(secret, { rules: cron, isImmediate: false });
    local.failing.set('createSecret', 99);
    await local.clock.advance(40 * DAY_SEC);

    expect(timeOf(secret.rotation!.nextRotationAtMs)).toBe('2026-01-01T23:59:59.000Z');
    expect(local.invoked).toHaveLength(1 + 2 * 3);
  });

  test('moves its date after a requested rotation only if that succeeds', async () => {
    local.request(secret, { rules: cron, isImmediate: false });
    local.failing.set('createSecret', 4);
    await local.clock.advance(5 * DAY_SEC);
    for (const { stages } of secret.versions.values()) stages.delete('AWSPENDING');

    local.request(secret, { versionId: C, lambdaArn: undefined });
    await local.clock.idle();
    const afterFailure = secret.rotation?.nextRotationAtMs;
    await local.clock.advance(1);

    expect(timeOf(afterFailure)).toBe('2026-01-01T23:59:59.000Z');
    expect(timeOf(secret.rotation!.nextRotationAtMs)).toBe('2026-02-01T23:59:59.000Z');
  });

  test('that was cancelled resumes with the next RotateSecret, not with the end of the last rotation', async () => {
    local.request(secret, { rules: cron, isImmediate: false });
    await local.clock.idle();
    const open = local.close();
    local.request(secret, { versionId: C });
    await new Promise(setImmediate);
    local.rotator.cancel(secret);
    open();
    await local.clock.advance(40 * DAY_SEC);
    const whileOff = local.invoked.length;
    secret.versions.get(C)!.stages.delete('AWSPENDING');

    local.request(secret, { versionId: 'd'.repeat(32), lambdaArn: undefined, isImmediate: false });
    await local.clock.advance(30 * DAY_SEC);

    expect(whileOff).toBe(2);
    expect(local.invoked).toHaveLength(whileOff + 1 + 4);
  });

  test('that was cancelled during finishSecret stays off', async () => {
    local.request(secret, { rules: cron });
    local.atFinish = () => local.rotator.cancel(secret);
    await local.clock.idle();

    await local.clock.advance(100 * DAY_SEC);

    expect(local.invoked).toHaveLength(4);
    expect(secret.rotation?.lastRotatedAtMs).toBe(NOW_MS);
  });

  test.each([{ automaticallyAfterDays: 10 }, { scheduleExpression: 'rate(10 days)' }])(
    'by %j counts from a value that was put by hand, which is no rotation otherwise',
    async (rules) => {
      local.request(secret, { rules, isImmediate: false });
      await local.clock.advance(5 * DAY_SEC);

      local.rotator.valuePut(secret);
      const next = timeOf(secret.rotation!.nextRotationAtMs);
      await local.clock.advance(9 * DAY_SEC);
      const before = local.invoked.length;
      await local.clock.advance(2 * DAY_SEC);

      expect(next).toBe('2026-01-16T23:59:59.000Z');
      expect(before).toBe(1);
      expect(local.invoked).toHaveLength(1 + 4);
    },
  );

  test('by cron is no longer overdue after a value was put by hand', async () => {
    local.request(secret, { rules: cron, isImmediate: false });
    local.failing.set('createSecret', 99);
    await local.clock.advance(5 * DAY_SEC);
    const overdue = timeOf(secret.rotation!.nextRotationAtMs);

    local.rotator.valuePut(secret);

    expect(overdue).toBe('2026-01-01T23:59:59.000Z');
    expect(timeOf(secret.rotation!.nextRotationAtMs)).toBe('2026-02-01T23:59:59.000Z');
    expect(secret.rotation!.lastRotatedAtMs).toBeUndefined();
  });

  test('rotates no deleted secret, and none whose rotation was cancelled', async () => {
    const other = local.addSecret('latchkey/other');
    local.request(secret, { rules: cron, isImmediate: false });
    local.request(other, { rules: cron, isImmediate: false, versionId: C });
    await local.clock.idle();
    secret.deletedAtMs = NOW_MS;
    local.rotator.cancel(other);

    await local.clock.advance(100 * DAY_SEC);

    expect(local.invoked).toEqual(['0 testSecret b', '0 testSecret c']);
    expect(labelsOf(secret)).toEqual({ a: 'AWSCURRENT' });
    expect(other.rotation).toMatchObject({ isEnabled: false, lambdaArn: FUNCTION_ARN, rules: cron });
  });
});
