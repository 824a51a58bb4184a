import {
  DeleteSecretCommand,
  DescribeSecretCommand,
  GetSecretValueCommand,
  InvalidNextTokenException,
  InvalidParameterException,
  InvalidRequestException,
  ListSecretsCommand,
  ListSecretVersionIdsCommand,
  PutSecretValueCommand,
  ResourceNotFoundException,
  RestoreSecretCommand,
  type SecretsManagerClient,
  TagResourceCommand,
} from '@aws-sdk/client-secrets-manager';
import { type Secret } from '../../../src/account';
import { KEY_ARN, LocalAws, refusalOf } from '../../../src/testing/local-aws';

const DAY_MS = 24 * 60 * 60 * 1000;
const [A, B] = ['a', 'b'].map((letter) => letter.repeat(32)) as [string, string];
const SecretId = 'latchkey/s1';

let aws: LocalAws;
let secret: Secret;
let client: SecretsManagerClient;

beforeEach(async () => {
  aws = new LocalAws();
  secret = aws.addSecret(SecretId, { kmsKeyArn: KEY_ARN, tags: { team: 'red' }, description: 'text' });
  aws.addVersion(secret, A, 'x');
  aws.addVersion(secret, B, 'y', []);
  await aws.start();
  client = aws.secretsManager();
});
afterEach(() => aws.stop());

describe('ListSecretVersionIds', () => {
  it('pages', async () => {
    const page = (NextToken?: string) =>
      client.send(
        new ListSecretVersionIdsCommand({ SecretId, IncludeDeprecated: true, MaxResults: 1, NextToken }),
      );

    const first = await page();
    const second = await page(first.NextToken);

    expect(first.Versions?.[0]?.VersionId).toBe(A);
    expect(second.Versions?.[0]?.VersionId).toBe(B);
    expect(second.NextToken).toBeUndefined();
    expect(await refusalOf(page('garbage'))).toBeInstanceOf(InvalidNextTokenException);
  });
});

describe('ListSecrets', () => {
  const list = (part: object = {}) => client.send(new ListSecretsCommand(part));

  it('filters by name prefix, and pages', async () => {
    for (const n of [2, 3]) aws.addSecret(`latchkey/s${n}`, { createdAtMs: secret.createdAtMs + n });
    aws.addSecret('other');
    const Filters = [{ Key: 'name' as const, Values: ['latchkey/'] }];

    const first = await list({ Filters, MaxResults: 2 });
    const second = await list({ Filters, MaxResults: 2, NextToken: first.NextToken });

    expect(first.SecretList?.map(({ Name }) => Name)).toEqual([SecretId, 'latchkey/s2']);
    expect(second.SecretList?.map(({ Name }) => Name)).toEqual(['latchkey/s3']);
    expect(first.SecretList?.[0]?.SecretVersionsToStages).toEqual({ [A]: ['AWSCURRENT'] });
  });

  it('leaves out secrets scheduled for deletion by default', async () => {
    await client.send(new DeleteSecretCommand({ SecretId }));

    expect((await list()).SecretList).toEqual([]);
    expect((await list({ IncludePlannedDeletion: true })).SecretList).toHaveLength(1);
  });
});

// API_DeleteSecret, API_RestoreSecret
describe('deletion', () => {
  const remove = (part: object = {}) => client.send(new DeleteSecretCommand({ SecretId, ...part }));
  // New clients, because each signs with the time of its creation.
  const restore = () => aws.secretsManager().send(new RestoreSecretCommand({ SecretId }));
  const read = () => aws.secretsManager().send(new GetSecretValueCommand({ SecretId }));
  const write = () =>
    client.send(
      new PutSecretValueCommand({ SecretId, ClientRequestToken: 'c'.repeat(32), SecretString: 'z' }),
    );

  it('makes the value unreadable and unwritable until restored', async () => {
    await remove();

    for (const refusal of [await refusalOf(read()), await refusalOf(write()), await refusalOf(remove())]) {
      expect(refusal).toBeInstanceOf(InvalidRequestException);
      expect(refusal.message).toContain('marked for deletion');
    }
    await restore();
    expect((await read()).SecretString).toBe('x');
  });

  it('is shown by DescribeSecret', async () => {
    const nowMs = aws.clock.nowMs();
    const answer = await remove({ RecoveryWindowInDays: 7 });

    expect((answer.DeletionDate?.getTime() ?? 0) - nowMs).toBeLessThan(7 * DAY_MS + 5_000);
    const described = await client.send(new DescribeSecretCommand({ SecretId }));
    expect(described.DeletedDate).toBeInstanceOf(Date);
  });

  it('is final at the end of the window: 30 days by default', async () => {
    await remove();
    aws.clock.advanceMs(30 * DAY_MS - 60_000);
    expect(await refusalOf(read())).toBeInstanceOf(InvalidRequestException);

    aws.clock.advanceMs(120_000);

    expect(await refusalOf(read())).toBeInstanceOf(ResourceNotFoundException);
    expect(await refusalOf(restore())).toBeInstanceOf(ResourceNotFoundException);
  });

  it.each([6, 31])('refuses a window of %d days', async (RecoveryWindowInDays) => {
    expect(await refusalOf(remove({ RecoveryWindowInDays }))).toBeInstanceOf(InvalidParameterException);
    expect((await read()).SecretString).toBe('x');
  });

  it('is final at once if forced, without a window', async () => {
    const force = { ForceDeleteWithoutRecovery: true };
    expect(await refusalOf(remove({ ...force, RecoveryWindowInDays: 7 }))).toBeInstanceOf(
      InvalidParameterException,
    );

    await remove(force);

    expect(await refusalOf(read())).toBeInstanceOf(ResourceNotFoundException);
  });
});

it('adds and replaces tags', async () => {
  const Tags = [
    { Key: 'team', Value: 'blue' },
    { Key: 'cost', Value: '1' },
  ];

  await client.send(new TagResourceCommand({ SecretId, Tags }));

  expect(secret.tags).toEqual({ team: 'blue', cost: '1' });
});
