import { randomUUID } from 'node:crypto';
import {
  GetSecretValueCommand,
  InvalidParameterException,
  LimitExceededException,
  PutSecretValueCommand,
  type PutSecretValueCommandInput,
  ResourceExistsException,
  ResourceNotFoundException,
} from '@aws-sdk/client-secrets-manager';
import { type Secret } from '../../../src/account';
import { LocalAws, refusalOf } from '../../../src/testing/local-aws';

const DAY_MS = 24 * 60 * 60 * 1000;
const [A, B] = ['a', 'b'].map((letter) => letter.repeat(32)) as [string, string];

let aws: LocalAws;
let secret: Secret;

beforeEach(async () => {
  aws = new LocalAws();
  secret = aws.addSecret('latchkey/staging/mea/t1/api-key');
  await aws.start();
});
afterEach(() => aws.stop());

const put = (part: Partial<PutSecretValueCommandInput> = {}) =>
  aws.secretsManager().send(
    new PutSecretValueCommand({
      SecretId: secret.name,
      ClientRequestToken: A,
      SecretString: 'one',
      ...part,
    }),
  );
const get = (part: { SecretId?: string; VersionId?: string; VersionStage?: string } = {}) =>
  aws.secretsManager().send(new GetSecretValueCommand({ SecretId: secret.name, ...part }));
const stages = () =>
  Object.fromEntries([...secret.versions].map(([id, version]) => [id, [...version.stages].sort()]));

describe('GetSecretValue', () => {
  it.each([
    ['ARN', () => secret.arn],
    ['name', () => secret.name],
    ['ARN without its last six characters', () => secret.arn.slice(0, -7)],
  ])('finds the secret by %s, without looking at any other', async (_, idOf) => {
    const { secrets } = aws.account;
    const refuse = () => {
      throw new Error('looked at all secrets');
    };
    Object.assign(secrets, { values: refuse, entries: refuse, forEach: refuse, [Symbol.iterator]: refuse });
    await put();

    expect((await get({ SecretId: idOf() })).SecretString).toBe('one');
  });

  it('returns a version by id and by label', async () => {
    await put();
    await put({ ClientRequestToken: B, SecretString: 'two' });

    expect((await get({ VersionId: A })).SecretString).toBe('one');
    expect((await get({ VersionStage: 'AWSPREVIOUS' })).SecretString).toBe('one');
    expect((await get({ VersionId: B, VersionStage: 'AWSCURRENT' })).SecretString).toBe('two');
  });

  it('treats a version without a value as missing', async () => {
    aws.addVersion(secret, A, undefined, ['AWSPENDING']);

    const refusal = await refusalOf(get({ VersionStage: 'AWSPENDING' }));

    expect(refusal).toBeInstanceOf(ResourceNotFoundException);
    expect(refusal.message).toContain('staging label: AWSPENDING');
  });
});

// API_PutSecretValue
describe('PutSecretValue', () => {
  it('makes the first version AWSCURRENT, whatever labels are requested', async () => {
    const answer = await put({ VersionStages: ['LATCHKEY_CANDIDATE'] });

    expect(answer.VersionStages?.sort()).toEqual(['AWSCURRENT', 'LATCHKEY_CANDIDATE']);
  });

  it('refuses the same token with the same text as bytes, and changes nothing', async () => {
    await put();

    const bytes = put({ SecretString: undefined, SecretBinary: Buffer.from('one') });

    expect(await refusalOf(bytes)).toBeInstanceOf(ResourceExistsException);
    expect((await get()).SecretString).toBe('one');
  });

  it('fills a version that a rotation made without a value', async () => {
    await put();
    aws.addVersion(secret, B, undefined, ['AWSPENDING']);

    await put({ ClientRequestToken: B, SecretString: 'two', VersionStages: ['AWSPENDING'] });

    expect((await get({ VersionStage: 'AWSPENDING' })).SecretString).toBe('two');
    expect(stages()).toEqual({ [A]: ['AWSCURRENT'], [B]: ['AWSPENDING'] });
  });

  it('accepts a rotation token of 36 to 256 characters', async () => {
    await put({ RotationToken: randomUUID() });

    const refusal = await refusalOf(put({ ClientRequestToken: B, RotationToken: 'short' }));

    expect(refusal.message).toContain('rotationToken');
    expect(stages()).toEqual({ [A]: ['AWSCURRENT'] });
  });

  it('lets one of two writers with the same token win', async () => {
    await put();

    const outcomes = await Promise.allSettled([
      put({ ClientRequestToken: B, SecretString: 'two' }),
      put({ ClientRequestToken: B, SecretString: 'three' }),
    ]);

    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(secret.versions.size).toBe(2);
  });

  const TOKEN_LENGTH = 'ClientRequestToken must be 32-64';
  it.each<[string, Partial<PutSecretValueCommandInput>, string]>([
    ['a token of 31 characters', { ClientRequestToken: 'x'.repeat(31) }, TOKEN_LENGTH],
    ['a token of 65 characters', { ClientRequestToken: 'x'.repeat(65) }, TOKEN_LENGTH],
    ['no value', { SecretString: undefined }, 'either SecretString or SecretBinary'],
  ])('refuses %s', async (_, part, text) => {
    const refusal = await refusalOf(put(part));

    expect(refusal).toBeInstanceOf(InvalidParameterException);
    expect(refusal.message).toContain(text);
    expect(secret.versions.size).toBe(0);
  });

  it('accepts a value of 65,536 bytes', async () => {
    await put({ SecretString: 'x'.repeat(65_536) });

    expect(secret.versions.size).toBe(1);
  });

  it('refuses more than 20 labels over all versions', async () => {
    const labels = Array.from({ length: 19 }, (_, n) => `L${n}`);
    await put({ VersionStages: labels });

    const refusal = await refusalOf(
      put({ ClientRequestToken: B, SecretString: 'two', VersionStages: ['L19'] }),
    );

    expect(refusal).toBeInstanceOf(LimitExceededException);
    expect(secret.versions.size).toBe(1);
  });

  it('rejects the 101st version within a day', async () => {
    addVersions(100);

    const refusal = await refusalOf(put());

    expect(refusal).toBeInstanceOf(LimitExceededException);
    expect(secret.versions.size).toBe(100);
  });

  it('removes old versions to make room, oldest first, but never one with a label', async () => {
    const [oldest, second] = addVersions(100);
    secret.versions.get(oldest)?.stages.add('KEPT');
    aws.clock.advanceMs(DAY_MS + 1);

    await put();

    expect(secret.versions.size).toBe(100);
    expect(secret.versions.has(oldest)).toBe(true);
    expect(secret.versions.has(second)).toBe(false);
  });
});

function addVersions(count: number): [string, string] {
  const ids = Array.from({ length: count }, () => randomUUID());
  for (const id of ids) aws.addVersion(secret, id, id, []);
  return [ids[0] ?? '', ids[1] ?? ''];
}
