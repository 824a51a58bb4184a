import { ROTATION_STEPS } from '../../src/rotation/rotation-function';
import { type Secret } from '../../src/account';
import { moveLabel } from '../../src/aws/secrets-manager/labels';
import { NOW_MS } from '../../src/testing/stacks';
import { B, C, FUNCTION_ARN, labelsOf, RotatedAccount } from './rotated-account';

const INCOMPLETE = "A previous rotation isn't complete. That rotation will be reattempted.";
const DAY_SEC = 24 * 60 * 60;
const turn = () => new Promise(setImmediate);
/** The invocations if all steps of a version run in one second. */
const allSteps = (second: number, version: string) =>
  ROTATION_STEPS.map((step) => `${second} ${step} ${version}`);

let local: RotatedAccount;
let secret: Secret;

beforeEach(() => {
  local = new RotatedAccount();
  secret = local.addSecret();
});

/** Starts a rotation whose first step waits until the returned function is called. */
async function requestHeld(): Promise<() => void> {
  const open = local.close();
  local.request(secret);
  await turn();
  return open;
}

describe('a rotation', () => {
  test('goes through the four steps with the new version, one after another', async () => {
    local.request(secret);
    const before = labelsOf(secret);
    await local.clock.idle();

    expect(before).toEqual({ a: 'AWSCURRENT', b: 'AWSPENDING' });
    expect(local.invoked).toEqual(allSteps(0, 'b'));
    expect(labelsOf(secret)).toEqual({ a: 'AWSPREVIOUS', b: 'AWSCURRENT' });
    expect(secret.rotation?.lastRotatedAtMs).toBe(NOW_MS);
  });

  test('can keep AWSPENDING on the version that it made current, and is complete all the same', async () => {
    local.rotator.keepsPending = true;

    local.request(secret);
    await local.clock.idle();
    const first = labelsOf(secret);
    local.request(secret, { versionId: C });
    await local.clock.idle();

    expect(first).toEqual({ a: 'AWSPREVIOUS', b: 'AWSCURRENT AWSPENDING' });
    expect(labelsOf(secret)).toEqual({ a: '', b: 'AWSPREVIOUS', c: 'AWSCURRENT AWSPENDING' });
    expect(local.invoked).toEqual([...allSteps(0, 'b'), ...allSteps(0, 'c')]);
  });

  test.each(ROTATION_STEPS)('is repeated with the same version after %s failed', async (step) => {
    local.failing.set(step, 1);

    local.request(secret);
    await local.clock.advance(1);

    expect(local.invoked.slice(-4)).toEqual(allSteps(1, 'b'));
    expect(labelsOf(secret)).toMatchObject({ b: 'AWSCURRENT' });
    expect(local.reporter.warnings).toEqual([]);
  });

  test('is abandoned after three attempts, with AWSPENDING in place', async () => {
    local.failing.set('createSecret', 9);

    local.request(secret);
    await local.clock.advance(DAY_SEC);

    expect(local.invoked).toEqual(['0 createSecret b', '1 createSecret b', '3 createSecret b']);
    expect(labelsOf(secret)).toEqual({ a: 'AWSCURRENT', b: 'AWSPENDING' });
    expect(secret.rotation?.lastRotatedAtMs).toBeUndefined();
    expect(local.reporter.warnings).toEqual([
      `gave up rotating ${secret.name} after 3 attempts; version ${B} stays pending: ` +
        'createSecret failed: RotationError: candidate_missing',
    ]);
  });

  test('is over once a failed step has removed AWSPENDING, and another can begin', async () => {
    local.failing.set('createSecret', 1);
    const open = await requestHeld();
    secret.versions.get(B)!.stages.delete('AWSPENDING');
    open();
    await local.clock.advance(10);
    const begun = [...local.invoked];
    local.request(secret, { versionId: C });
    await local.clock.idle();

    expect(begun).toEqual(['0 createSecret b']);
    expect(local.reporter.warnings).toEqual([
      `gave up rotating ${secret.name}; version ${B} is no longer pending: ` +
        'createSecret failed: RotationError: candidate_missing',
    ]);
    expect(labelsOf(secret)).toEqual({ a: 'AWSPREVIOUS', b: '', c: 'AWSCURRENT' });
  });

  test('counts a throttled function as a failed step', async () => {
    local.isThrottled = true;

    local.request(secret);
    await local.clock.advance(3);

    expect(local.reporter.warnings[0]).toContain('ReservedFunctionConcurrentInvocationLimitExceeded');
  });

  test('has failed if its version is still only pending at the end', async () => {
    local.forgetsToPromote = true;

    local.request(secret);
    await local.clock.advance(3);

    expect(local.invoked).toHaveLength(3 * 4);
    expect(local.reporter.warnings[0]).toMatch(/AWSPENDING is still on a version that is not current/);
  });

  test('ends when its version loses AWSPENDING, and another can begin', async () => {
    local.failing.set('testSecret', 1);
    local.request(secret);
    await local.clock.idle();
    secret.versions.get(B)!.stages.delete('AWSPENDING');

    local.request(secret, { versionId: C });
    await local.clock.advance(10);

    expect(local.invoked.slice(3)).toEqual(allSteps(0, 'c'));
    expect(labelsOf(secret)).toEqual({ a: 'AWSPREVIOUS', b: '', c: 'AWSCURRENT' });
  });

  test.each<[string, (secret: Secret) => unknown]>([
    ['its version loses AWSPENDING', ({ versions }) => versions.get(B)!.stages.delete('AWSPENDING')],
    ['the secret is deleted', (deleted) => (deleted.deletedAtMs = NOW_MS)],
    ['the secret was removed', ({ arn }) => local.account.secrets.delete(arn)],
  ])('is not repeated, and causes no warning, when %s', async (_, change) => {
    local.failing.set('createSecret', 9);
    local.request(secret);
    await local.clock.idle();

    change(secret);
    await local.clock.advance(10);

    expect(local.invoked).toHaveLength(1);
    expect(local.reporter.warnings).toEqual([]);
  });

  test('that is cancelled ends after its current step, and keeps its labels', async () => {
    const open = await requestHeld();

    local.rotator.cancel(secret);
    open();
    await local.clock.advance(10);

    expect(local.invoked).toEqual(['0 createSecret b']);
    expect(labelsOf(secret)).toEqual({ a: 'AWSCURRENT', b: 'AWSPENDING' });
  });

  test('that was cancelled between two attempts can be resumed', async () => {
    local.failing.set('createSecret', 1);
    local.request(secret);
    await local.clock.idle();
    local.rotator.cancel(secret);

    expect(() => local.request(secret, { versionId: C })).toThrow(INCOMPLETE);
    await local.clock.idle();

    expect(local.invoked).toHaveLength(1 + 4);
    expect(labelsOf(secret)).toEqual({ a: 'AWSPREVIOUS', b: 'AWSCURRENT' });
  });

  test('that was cancelled during a step ends before another begins', async () => {
    const open = await requestHeld();
    local.rotator.cancel(secret);

    expect(() => local.request(secret, { versionId: C })).toThrow(INCOMPLETE);
    await turn();
    const whileFirstRuns = [...local.invoked];
    open();
    await local.clock.idle();

    expect(whileFirstRuns).toHaveLength(1);
    expect(local.invoked).toHaveLength(1 + 4);
  });

  test('that failed after promoting its version is not repeated next to the next one', async () => {
    local.failing.set('finishSecret', 1);
    local.request(secret);
    await local.clock.idle();
    moveLabel(secret, 'AWSCURRENT', secret.versions.get(B)!);
    local.failing.set('createSecret', 1);

    local.request(secret, { versionId: C });
    await local.clock.advance(10);

    expect(local.invoked.slice(4).map((line) => line.split(' ')[2])).toEqual(['c', 'c', 'c', 'c', 'c']);
  });

  test('of a secret is never in two steps at a time', async () => {
    const open = await requestHeld();
    secret.versions.get(B)!.stages.delete('AWSPENDING');

    local.request(secret, { versionId: C });
    await turn();
    const whileFirstRuns = [...local.invoked];
    open();
    await local.clock.idle();

    expect(whileFirstRuns).toEqual(['0 createSecret b']);
    expect(local.invoked.slice(1)).toEqual(allSteps(0, 'c'));
  });

  test.each([0, 1, 2])('ends silently when the run ends during attempt %#', async (failed) => {
    local.failing.set('createSecret', 9);
    local.request(secret, { rules: { automaticallyAfterDays: 1 } });
    for (let n = 0; n < failed; n += 1) {
      await local.clock.idle();
      if (n < failed - 1) await local.clock.advance(n + 1);
    }
    const open = local.close();
    const ending = local.clock.advance(failed);
    await turn();

    local.rotator.close();
    open();
    await ending;
    await local.clock.advance(2 * DAY_SEC);

    expect(local.invoked).toHaveLength(failed + 1);
    expect(local.reporter.warnings).toEqual([]);
  });
});

describe('an unfinished rotation', () => {
  beforeEach(async () => {
    local.failing.set('createSecret', 3);
    local.request(secret);
    await local.clock.advance(10);
    local.invoked.length = 0;
  });

  test('blocks the next one, and is itself repeated with its version', async () => {
    expect(() => local.request(secret, { versionId: C, lambdaArn: undefined })).toThrow(
      expect.objectContaining({ code: 'InvalidRequestException', message: INCOMPLETE }) as Error,
    );
    await local.clock.idle();

    expect(local.invoked[0]).toBe('10 createSecret b');
    expect(secret.versions.get(B)?.secretString).toBe('two');
    expect(labelsOf(secret)).toEqual({ a: 'AWSPREVIOUS', b: 'AWSCURRENT' });
  });

  test('is not repeated twice at a time', async () => {
    const open = local.close();
    expect(() => local.request(secret, { versionId: C })).toThrow(INCOMPLETE);
    await turn();

    expect(() => local.request(secret, { versionId: C })).toThrow(INCOMPLETE);
    open();
    await local.clock.idle();

    expect(local.invoked).toHaveLength(4);
  });

  test('blocks a change of the configuration, too', () => {
    expect(() => local.request(secret, { rules: { automaticallyAfterDays: 5 } })).toThrow(INCOMPLETE);

    expect(secret.rotation?.rules).toEqual({});
  });
});

describe('the test of the configuration', () => {
  test('runs testSecret on an empty pending version, which is then removed', async () => {
    let seen = {};
    local.gate = local.gate.then(() => void (seen = labelsOf(secret)));

    local.request(secret, { isImmediate: false });
    await local.clock.idle();

    expect(local.invoked).toEqual(['0 testSecret b']);
    expect(seen).toEqual({ a: 'AWSCURRENT', b: 'AWSPENDING' });
    expect(labelsOf(secret)).toEqual({ a: 'AWSCURRENT' });
    expect(secret.rotation).toMatchObject({ isEnabled: true });
    expect(secret.rotation?.lastRotatedAtMs).toBeUndefined();
  });

  test('warns if it fails, is not repeated, and leaves no version', async () => {
    local.failing.set('testSecret', 1);

    local.request(secret, { isImmediate: false });
    await local.clock.advance(10);

    expect(local.invoked).toHaveLength(1);
    expect(labelsOf(secret)).toEqual({ a: 'AWSCURRENT' });
    expect(local.reporter.warnings).toEqual([
      `${secret.name} cannot be rotated: testSecret failed: RotationError: candidate_missing`,
    ]);
  });

  test('tests the secrets of one function in sequence', async () => {
    const open = local.close();

    local.request(secret, { isImmediate: false });
    local.request(local.addSecret('latchkey/other'), { isImmediate: false, versionId: C });
    await turn();
    const atFirst = [...local.invoked];
    open();
    await local.clock.idle();

    expect(atFirst).toEqual(['0 testSecret b']);
    expect(local.invoked).toEqual(['0 testSecret b', '0 testSecret c']);
  });

  test('tests two secrets of one function at a time if there are many', async () => {
    const open = local.close();

    for (let index = 0; index < 60; index += 1) {
      local.request(local.addSecret(`latchkey/${index}`), { isImmediate: false });
    }
    await turn();
    const atFirst = [...local.invoked];
    open();
    await local.clock.idle();

    expect(atFirst).toHaveLength(2);
    expect(local.invoked).toHaveLength(60);
  });
});

test('does nothing until functions can run', async () => {
  const early = new RotatedAccount({ isStarted: false });
  const waiting = early.addSecret();

  early.request(waiting, { isImmediate: false });
  await early.clock.idle();
  const before = [...early.invoked];
  early.rotator.start();
  await early.clock.idle();

  expect(before).toEqual([]);
  expect(early.invoked).toEqual(['0 testSecret b']);
});

test('requires a function policy that allows Secrets Manager for this secret and account', () => {
  const foreign = local.addSecret('other/api-key');

  expect(() => local.request(foreign)).toThrow(
    'Secrets Manager cannot invoke the specified Lambda function. Ensure that the function policy grants access ' +
      'to the principal secretsmanager.amazonaws.com.',
  );
  expect(() => local.request(secret, { lambdaArn: `${FUNCTION_ARN}-missing` })).toThrow(/cannot invoke/);
  expect(() => local.request(secret, { lambdaArn: undefined })).toThrow(/No Lambda rotation function ARN/);
  expect(labelsOf(secret)).toEqual({ a: 'AWSCURRENT' });
});
