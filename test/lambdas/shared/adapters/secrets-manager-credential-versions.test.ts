import { randomUUID } from 'node:crypto';
import { inspect } from 'node:util';
import { PutSecretValueCommand } from '@aws-sdk/client-secrets-manager';

import { CANDIDATE_LABEL, KIND_TAG } from '../../../../core/secrets/credential-labels';
import { SecretsManagerCredentialVersions } from '../../../../lambdas/shared/adapters/secrets-manager-credential-versions';
import { type StoreError } from '../../../../core/secrets/store-error';
import { failureOf } from '../../../support/lambdas/failure-of';
import { type Secret } from 'cdk-on-loopback/testing';
import { LocalAws } from 'cdk-on-loopback/testing/local-aws';

const NAME = 'latchkey/staging/mea/eu-west-2_Acme/api-key';
const CANARY = 'canary-kept-secret';
const [first, second, pending] = [randomUUID(), randomUUID(), randomUUID()];

let aws: LocalAws;
let secret: Secret;
let versions: SecretsManagerCredentialVersions;

beforeEach(async () => {
  aws = new LocalAws();
  await aws.start();
  secret = aws.addSecret(NAME, { tags: { [KIND_TAG]: 'api-key' } });
  versions = new SecretsManagerCredentialVersions(aws.secretsManager());
});
afterEach(() => aws.stop());

async function put(versionId: string, value: string, label: string): Promise<void> {
  await aws.secretsManager().send(
    new PutSecretValueCommand({
      SecretId: NAME,
      ClientRequestToken: versionId,
      SecretString: value,
      VersionStages: [label],
    }),
  );
}

describe('describing', () => {
  test('returns name, tags and labels, by name or ARN', async () => {
    await put(first, 'one', 'AWSCURRENT');
    await put(second, 'two', CANDIDATE_LABEL);

    const described = await versions.describe(NAME);

    expect(described).toEqual({
      arn: secret.arn,
      name: NAME,
      tags: { [KIND_TAG]: 'api-key' },
      labels: new Map([
        [first, ['AWSCURRENT']],
        [second, [CANDIDATE_LABEL]],
      ]),
      changedAtMs: secret.lastChangedAtMs,
    });
    expect(await versions.describe(secret.arn)).toEqual(described);
  });

  test('returns no labels for a secret that was never loaded', async () => {
    expect((await versions.describe(NAME)).labels.size).toBe(0);
  });

  test('fails if the secret does not exist', async () => {
    await expect(versions.describe(`${NAME}-other`)).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('the creation time', () => {
  test('is that of a version with a label, even without a value', async () => {
    await put(first, 'one', 'AWSCURRENT');
    const earliestMs = aws.clock.nowMs();
    aws.addVersion(secret, pending, undefined, ['AWSPENDING']);
    const latestMs = aws.clock.nowMs();

    const createdAtMs = await versions.createdAtMs(NAME, pending);

    expect(createdAtMs).toBeGreaterThanOrEqual(earliestMs);
    expect(createdAtMs).toBeLessThanOrEqual(latestMs);
    expect(await versions.createdAtMs(NAME, second)).toBeUndefined();
  });

  test('is not known if the secret does not exist', async () => {
    await expect(versions.createdAtMs(`${NAME}-other`, first)).rejects.toMatchObject({
      code: 'not_found',
      message: expect.stringContaining('secretsmanager:ListSecretVersionIds') as string,
    });
  });
});

describe('a value', () => {
  test('is that of the version, whatever its labels', async () => {
    await put(first, 'one', 'AWSCURRENT');
    await put(second, 'two', CANDIDATE_LABEL);

    expect((await versions.read(NAME, second))?.value).toBe('two');
  });

  test('is undefined if the version is pending and empty, or does not exist', async () => {
    secret.versions.set(pending, { versionId: pending, stages: new Set(['AWSPENDING']), createdAtMs: 0 });

    expect(await versions.read(NAME, pending)).toBeUndefined();
    expect(await versions.read(NAME, randomUUID())).toBeUndefined();
  });
});

describe('filling the pending version', () => {
  beforeEach(async () => {
    await put(first, 'one', 'AWSCURRENT');
    secret.versions.set(pending, { versionId: pending, stages: new Set(['AWSPENDING']), createdAtMs: 0 });
  });

  test.each([undefined, randomUUID()])(
    'writes the value and keeps the current version',
    async (rotationToken) => {
      await versions.putPending(NAME, { versionId: pending, value: CANARY, rotationToken });

      expect((await versions.read(NAME, pending))?.value).toBe(CANARY);
      expect((await versions.describe(NAME)).labels).toEqual(
        new Map([
          [first, ['AWSCURRENT']],
          [pending, ['AWSPENDING']],
        ]),
      );
    },
  );

  test.each([CANARY, 'another'])('changes nothing if it has a value, even with %s', async (value) => {
    await versions.putPending(NAME, { versionId: pending, value: CANARY });

    await versions.putPending(NAME, { versionId: pending, value });

    expect((await versions.read(NAME, pending))?.value).toBe(CANARY);
  });

  test('never puts the value into an error', async () => {
    secret.deletedAtMs = 1;
    secret.purgeAtMs = Infinity;

    const error = await failureOf<StoreError>(
      versions.putPending(NAME, { versionId: pending, value: CANARY }),
    );

    expect(error.code).toBe('scheduled_for_deletion');
    expect(inspect(error, { depth: 8, showHidden: true })).not.toContain('canary');
  });
});

describe('moving a label', () => {
  beforeEach(async () => {
    await put(first, 'one', 'AWSCURRENT');
    await put(second, 'two', CANDIDATE_LABEL);
  });
  const holders = async () => Object.fromEntries((await versions.describe(NAME)).labels);

  test.each([
    ['moves it', { from: second, to: first }, { [first]: ['AWSCURRENT', CANDIDATE_LABEL] }],
    ['removes it', { from: second, to: undefined }, { [first]: ['AWSCURRENT'] }],
  ])('%s if it is on the expected version', async (_, move, expected) => {
    expect(await versions.moveLabel(NAME, { label: CANDIDATE_LABEL, ...move })).toBe('moved');

    expect(await holders()).toEqual(expected);
  });

  test.each([
    ['is on another version', CANDIDATE_LABEL, { from: first, to: undefined }],
    ['is on a version although none was expected', CANDIDATE_LABEL, { from: undefined, to: first }],
    ['is on no version', 'LATCHKEY_PROVEN', { from: first, to: second }],
  ])('changes nothing if it %s', async (_, label, move) => {
    const before = await holders();

    expect(await versions.moveLabel(NAME, { label, ...move })).toBe('conflict');

    expect(await holders()).toEqual(before);
  });

  test('attaches a label that no version has', async () => {
    const move = { label: 'LATCHKEY_PROVEN', from: undefined, to: second };

    expect(await versions.moveLabel(NAME, move)).toBe('moved');

    expect((await holders())[second]).toContain('LATCHKEY_PROVEN');
  });

  test('makes the version that loses AWSCURRENT the previous one', async () => {
    await versions.moveLabel(NAME, { label: 'AWSCURRENT', from: first, to: second });

    expect(await holders()).toEqual({ [first]: ['AWSPREVIOUS'], [second]: ['AWSCURRENT', CANDIDATE_LABEL] });
  });
});

test('names a missing permission', async () => {
  const denied = new SecretsManagerCredentialVersions(aws.secretsManager(aws.roleKey()));
  const move = { label: CANDIDATE_LABEL, from: first, to: undefined };

  for (const [call, action] of [
    [denied.describe(secret.arn), 'DescribeSecret'],
    [denied.read(secret.arn, first), 'GetSecretValue'],
    [denied.putPending(secret.arn, { versionId: pending, value: CANARY }), 'PutSecretValue'],
    [denied.moveLabel(secret.arn, move), 'UpdateSecretVersionStage'],
  ] as const) {
    const error = await failureOf<StoreError>(call);
    expect(error.code).toBe('access_denied');
    expect(error.message).toContain(`secretsmanager:${action} on ${secret.arn}`);
  }
});
