import { KIND_TAG, PROVEN_LABEL } from '../../../contract/credential-labels';
import { CountedRuns } from '../../../lambdas/rotate-credentials/counted-runs';
import { rotate } from '../../../lambdas/rotate-credentials/rotate';
import { type RotationError } from '../../../lambdas/rotate-credentials/rotation-error';
import { StoreError } from '../../../lambdas/shared/domain/store-error';
import { RotationFunctions, valueOf } from '../../support/lambdas/rotation-functions';

const failureOf = (call: Promise<void>): Promise<RotationError> =>
  call.then(
    () => {
      throw new Error('the step succeeded');
    },
    (error: RotationError) => error,
  );

describe('an event', () => {
  const event = { SecretId: 'arn', ClientRequestToken: 'run-1', Step: 'createSecret' };

  test.each<[string, unknown, string, string]>([
    ['that is none', undefined, 'invalid_event', 'SecretId: found nothing'],
    ['without a secret', { ...event, SecretId: undefined }, 'invalid_event', 'SecretId: found nothing'],
    [
      'with a token that is a number',
      { ...event, ClientRequestToken: 7 },
      'invalid_event',
      'ClientRequestToken: found a value of type number',
    ],
    ['with an empty step', { ...event, Step: '' }, 'invalid_event', 'Step: found an empty text'],
    [
      "with a step as AWS's pages spell it",
      { ...event, Step: 'create_secret' },
      'unknown_step',
      'Step: found "create_secret"; allowed: createSecret, setSecret, testSecret, finishSecret',
    ],
  ])('%s is refused, naming the field', async (_, given, code, message) => {
    const functions = RotationFunctions.rotating('api-key');

    const error = await failureOf(rotate(functions.ports(), given, 0));

    expect(error).toMatchObject({ name: 'RotationError', code });
    expect(error.message).toContain(message);
    expect(functions.secret.calls).toEqual([]);
    expect(functions.metrics.counts).toEqual({ RotationFailed: 1 });
    expect(functions.log.lines).toHaveLength(1);
  });
});

describe('a foreign secret', () => {
  const NAME = 'latchkey/staging/mea/eu-west-2_Acme/api-key';

  test.each<[string, string, Record<string, string>]>([
    ['without the tag', NAME, {}],
    ['tagged as the other kind', NAME, { [KIND_TAG]: 'client-credentials' }],
    ['tagged as no kind', NAME, { [KIND_TAG]: 'token' }],
    ['of a tenant that is not declared', NAME.replace('Acme', 'Other'), { [KIND_TAG]: 'api-key' }],
    ['of another cell', NAME.replace('mea', 'global'), { [KIND_TAG]: 'api-key' }],
    ['with a name that goes on', `${NAME}/more`, { [KIND_TAG]: 'api-key' }],
  ])('%s is refused at every step, and only described', async (_, name, tags) => {
    const functions = RotationFunctions.rotating('api-key');
    Object.assign(functions.secret, { name, tags });

    const error = await failureOf(functions.step('finishSecret'));

    expect(error.code).toBe('foreign_secret');
    expect(error.message).toContain(name);
    expect(error.message).toContain('latchkey:kind=api-key on latchkey/staging/mea/TENANT/api-key');
    expect(functions.secret.calls).toEqual(['describe']);
    expect(functions.metrics.counts).toEqual({ RotationFailed: 1 });
  });
});

describe('a store that fails', () => {
  const down = new StoreError('throttled', 'secretsmanager:PutSecretValue on x failed: ThrottlingException');

  test('fails the step, which is counted once and done when it is repeated', async () => {
    const functions = RotationFunctions.rotating('api-key');
    functions.secret.faults.push({ error: down }, { error: down });

    const error = await failureOf(functions.step('createSecret'));
    await failureOf(functions.step('createSecret'));

    expect(error).toMatchObject({ code: 'store_unavailable', cause: down });
    expect(error.message).toContain(down.message);
    expect(functions.metrics.counts).toEqual({ RotationFailed: 1 });
    expect(await functions.run()).toBe('done');
  });

  test('that loses the answer to the promotion fails the step, and the repetition succeeds', async () => {
    const functions = RotationFunctions.rotating('api-key');
    await functions.step('createSecret');
    await functions.step('testSecret');
    functions.secret.faults.push(undefined, { error: down, lost: true });

    expect(await functions.outcomeOf('finishSecret')).toBe('store_unavailable');
    expect(await functions.outcomeOf('finishSecret')).toBe('done');

    expect(functions.secret.valueAt('AWSCURRENT')).toBe(valueOf('api-key', 'new'));
    expect(functions.metrics.counts).toEqual({ RotationFailed: 1, RotationSucceeded: 1 });
    expect(await functions.outcomeOf('finishSecret')).toBe('done');
    expect(functions.metrics.counts.RotationSucceeded).toBe(1);
  });

  test('only after the promotion does not count the run as failed', async () => {
    const functions = RotationFunctions.rotating('api-key');
    await functions.step('createSecret');
    await functions.step('testSecret');
    functions.secret.faults.push(undefined, undefined, { error: down });

    expect(await functions.outcomeOf('finishSecret')).toBe('store_unavailable');

    expect(functions.metrics.counts).toEqual({ RotationSucceeded: 1 });
  });

  test('that says conflict of a move that was done takes it for done', async () => {
    const functions = RotationFunctions.rotating('api-key');
    const { secret } = functions;
    await functions.step('createSecret');
    await functions.step('testSecret');
    // What a repetition by the SDK meets once the first try was done and its answer lost.
    secret.meanwhile = ({ label, to }) => {
      if (label === 'AWSCURRENT') secret.move(label, to);
    };

    expect(await functions.outcomeOf('finishSecret')).toBe('done');

    expect(functions.metrics.counts).toEqual({ RotationSucceeded: 1 });
    expect(secret.calls.filter((call) => call.startsWith('moveLabel AWSCURRENT'))).toHaveLength(1);
  });

  test('that shows the label elsewhere each time is given up after three moves', async () => {
    const functions = RotationFunctions.rotating('api-key');
    const { secret } = functions;
    await functions.step('createSecret');
    await functions.step('testSecret');
    let others = 0;
    secret.meanwhile = ({ label }) => {
      if (label === 'AWSCURRENT') secret.put(`version-other-${(others += 1)}`, 'value', ['AWSCURRENT']);
    };

    expect(await functions.outcomeOf('finishSecret')).toBe('store_unavailable');

    expect(others).toBe(3);
    expect(secret.holderOf(PROVEN_LABEL)).toBe('run-1');
  });
});

test('a bug of ours is thrown as it is, and counted', async () => {
  const functions = RotationFunctions.rotating('api-key');
  const bug = new TypeError('not a function');
  functions.secret.describe = () => Promise.reject(bug);

  await expect(functions.step('setSecret')).rejects.toBe(bug);

  expect(functions.metrics.counts).toEqual({ RotationFailed: 1 });
});

test('the proof ends early enough for its outcome to be labelled', async () => {
  const functions = RotationFunctions.rotating('api-key');
  await functions.step('createSecret');

  await functions.step('testSecret');

  expect(functions.proof.asked.map(({ deadlineMs }) => deadlineMs - functions.clock.monotonicMs())).toEqual([
    50_500,
  ]);
});

test('of many runs only the latest are remembered', () => {
  const functions = RotationFunctions.rotating('api-key');
  const counted = new CountedRuns();

  for (let run = 0; run < 1_001; run += 1) counted.count(`run-${run}`, 'RotationFailed', functions.metrics);
  counted.count('run-1000', 'RotationFailed', functions.metrics);
  expect(functions.metrics.counts).toEqual({ RotationFailed: 1_001 });
  counted.count('run-0', 'RotationFailed', functions.metrics);
  expect(functions.metrics.counts).toEqual({ RotationFailed: 1_002 });
});
