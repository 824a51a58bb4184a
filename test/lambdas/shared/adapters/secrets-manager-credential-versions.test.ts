import { inspect } from 'node:util';

import { CANDIDATE_LABEL, KIND_TAG } from '../../../../core/secrets/credential-labels';
import { SecretsManagerCredentialVersions } from '../../../../lambdas/shared/adapters/secrets-manager-credential-versions';
import { type StoreError } from '../../../../core/secrets/store-error';
import { addVersion, moveLabel, type Secret } from 'cdk-on-loopback/testing';
import { clientOf, SimulatedSecretsManager } from '../../../support/aws/simulated-secrets-manager';
import { failureOf } from '../../../support/lambdas/failure-of';
import { NOON_MS, VirtualClock } from '../../../support/lambdas/virtual-clock';

const NAME = 'latchkey/staging/mea/eu-west-2_Acme/api-key';
const CANARY = 'canary-kept-secret';
const [FIRST, SECOND, PENDING] = ['1', '2', '3'].map((digit) => digit.repeat(32)) as [string, string, string];

let secrets: SimulatedSecretsManager;
let secret: Secret;
let versions: SecretsManagerCredentialVersions;
/** A secret with a current version, a candidate, and a pending version without a value. */
beforeEach(() => {
  secrets = new SimulatedSecretsManager(new VirtualClock());
  secret = secrets.create(NAME, { [KIND_TAG]: 'api-key' });
  versions = new SecretsManagerCredentialVersions(clientOf(secrets.send));
  secrets.put(NAME, 'one', FIRST);
  const candidate = addVersion(secret, SECOND, NOON_MS);
  candidate.secretString = 'two';
  moveLabel(secret, CANDIDATE_LABEL, candidate);
  moveLabel(secret, 'AWSPENDING', addVersion(secret, PENDING, NOON_MS - 1_000));
});

const LABELS = { [FIRST]: ['AWSCURRENT'], [SECOND]: [CANDIDATE_LABEL], [PENDING]: ['AWSPENDING'] };
const labels = async () => Object.fromEntries((await versions.describe(NAME)).labels);

test('describing returns name, tags, labels and the last change', async () => {
  expect(await versions.describe(NAME)).toEqual({
    arn: secret.arn,
    name: NAME,
    tags: { [KIND_TAG]: 'api-key' },
    labels: new Map(Object.entries(LABELS)),
    changedAtMs: secret.lastChangedAtMs,
  });
});

test('the creation time is that of a version with a label, even without a value', async () => {
  expect(await versions.createdAtMs(NAME, PENDING)).toBe(NOON_MS - 1_000);
  expect(await versions.createdAtMs(NAME, 'other')).toBeUndefined();
});

test('a value is that of the version, whatever its labels; undefined if it is empty or does not exist', async () => {
  expect(await versions.read(NAME, SECOND)).toEqual({ value: 'two', createdAtMs: NOON_MS });
  expect(await versions.read(NAME, PENDING)).toBeUndefined();
  expect(await versions.read(NAME, '4'.repeat(32))).toBeUndefined();
});

describe('filling the pending version', () => {
  test('writes the value with the rotation token, and keeps the labels', async () => {
    const rotationToken = '11111111-2222-4333-8444-555555555555';

    await versions.putPending(NAME, { versionId: PENDING, value: CANARY, rotationToken });

    expect((await versions.read(NAME, PENDING))?.value).toBe(CANARY);
    expect(await labels()).toEqual(LABELS);
    expect(secrets.commandsOf('PutSecretValue')[0]!.input.RotationToken).toBe(rotationToken);
  });

  test('changes nothing if it has another value', async () => {
    await versions.putPending(NAME, { versionId: PENDING, value: CANARY });

    await versions.putPending(NAME, { versionId: PENDING, value: 'another' });

    expect((await versions.read(NAME, PENDING))?.value).toBe(CANARY);
  });

  test('never puts the value into an error', async () => {
    secret.deletedAtMs = 1;

    const error = await failureOf<StoreError>(
      versions.putPending(NAME, { versionId: PENDING, value: CANARY }),
    );

    expect(error.code).toBe('scheduled_for_deletion');
    expect(inspect(error, { depth: 8, showHidden: true })).not.toContain('canary');
  });
});

describe('moving a label', () => {
  test.each([
    ['moves it', { from: SECOND, to: FIRST }, { [FIRST]: ['AWSCURRENT', CANDIDATE_LABEL] }],
    ['removes it', { from: SECOND, to: undefined }, { [FIRST]: ['AWSCURRENT'] }],
  ])('%s if it is on the expected version', async (_, move, expected) => {
    expect(await versions.moveLabel(NAME, { label: CANDIDATE_LABEL, ...move })).toBe('moved');

    expect(await labels()).toEqual({ ...expected, [PENDING]: ['AWSPENDING'] });
  });

  test('changes nothing if it is on another version', async () => {
    const move = { label: CANDIDATE_LABEL, from: FIRST, to: undefined };

    expect(await versions.moveLabel(NAME, move)).toBe('conflict');

    expect(await labels()).toEqual(LABELS);
  });
});

test('a failed call names its action and the secret', async () => {
  const move = { label: CANDIDATE_LABEL, from: FIRST, to: undefined };
  for (const [call, operation] of [
    [() => versions.describe(NAME), 'DescribeSecret'],
    [() => versions.read(NAME, FIRST), 'GetSecretValue'],
    [() => versions.tag(NAME, {}), 'TagResource'],
    [() => versions.createdAtMs(NAME, FIRST), 'ListSecretVersionIds'],
    [() => versions.putPending(NAME, { versionId: PENDING, value: CANARY }), 'PutSecretValue'],
    [() => versions.moveLabel(NAME, move), 'UpdateSecretVersionStage'],
  ] as const) {
    secrets.faults.push({ operation, name: 'AccessDeniedException' });

    await expect(call()).rejects.toMatchObject({
      code: 'access_denied',
      message: expect.stringContaining(`secretsmanager:${operation} on ${NAME}`) as string,
    });
  }
});
