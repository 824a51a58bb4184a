import {
  CreateSecretCommand,
  DeleteSecretCommand,
  DescribeSecretCommand,
  GetSecretValueCommand,
  PutSecretValueCommand,
  RemoveRegionsFromReplicationCommand,
  ReplicateSecretToRegionsCommand,
  type SecretsManagerClient,
  StopReplicationToReplicaCommand,
  TagResourceCommand,
  UpdateSecretCommand,
} from '@aws-sdk/client-secrets-manager';
import { type PolicyStatement, type Secret } from '../../../src/account';
import { ACCOUNT_ID, expectDenied, KEY_ARN, LocalAws, refusalOf } from '../../../src/testing/local-aws';
import { allow } from '../../support/policies';

const OTHER = 'eu-central-1';
const OTHER_KEY = `arn:aws:kms:${OTHER}:${ACCOUNT_ID}:key/1111`;
const SecretId = 'latchkey/s1';
const ROOT = { AWS: `arn:aws:iam::${ACCOUNT_ID}:root` };

let aws: LocalAws;
let secret: Secret;
let client: SecretsManagerClient;
let other: SecretsManagerClient;

beforeEach(async () => {
  aws = new LocalAws();
  secret = aws.addSecret(SecretId, { tags: { team: 'red' } });
  const policy = { Statement: { ...allow('kms:*'), Principal: ROOT } };
  aws.account.inRegion(OTHER).keys.set(OTHER_KEY, { arn: OTHER_KEY, policy });
  await aws.start();
  client = aws.secretsManager();
  other = aws.secretsManager(undefined, OTHER);
});
afterEach(() => aws.stop());

const replicate = (more: { KmsKeyId?: string; force?: boolean } = {}, by = client) =>
  by.send(
    new ReplicateSecretToRegionsCommand({
      SecretId,
      AddReplicaRegions: [{ Region: OTHER, KmsKeyId: more.KmsKeyId }],
      ForceOverwriteReplicaSecret: more.force,
    }),
  );
const put = (SecretString: string, by = client) =>
  by.send(new PutSecretValueCommand({ SecretId, SecretString }));
const read = (from = other) => from.send(new GetSecretValueCommand({ SecretId }));
const statusOf = async () => {
  const { ReplicationStatus } = await client.send(new DescribeSecretCommand({ SecretId }));
  return ReplicationStatus?.map(({ Region, Status, StatusMessage }) => [Region, Status, StatusMessage]);
};
/** Lets pass what a change needs to arrive. */
const arrive = () => aws.runClock.advance(1);
it('brings a value, tags and the policy after the lag, under the ARN of the other region', async () => {
  await put('one');
  secret.resourcePolicy = { Statement: { ...allow('secretsmanager:GetSecretValue'), Principal: ROOT } };
  await replicate();

  expect((await refusalOf(read())).name).toBe('ResourceNotFoundException');
  expect(await statusOf()).toEqual([[OTHER, 'InProgress', undefined]]);
  await arrive();

  expect(await statusOf()).toEqual([[OTHER, 'InSync', undefined]]);
  const arn = secret.arn.replace('eu-west-1', OTHER);
  expect(await read()).toMatchObject({ ARN: arn, SecretString: 'one', VersionStages: ['AWSCURRENT'] });
  expect(await other.send(new DescribeSecretCommand({ SecretId: arn }))).toMatchObject({
    PrimaryRegion: 'eu-west-1',
    Tags: [{ Key: 'team', Value: 'red' }],
  });
  expect(aws.account.inRegion(OTHER).secrets.get(arn)?.resourcePolicy).toEqual(secret.resourcePolicy);
});

it('brings later versions, labels and tags, in their order', async () => {
  await replicate();
  await put('one');
  await arrive();
  await put('two');
  expect((await read()).SecretString).toBe('one');

  await client.send(new TagResourceCommand({ SecretId, Tags: [{ Key: 'more', Value: 'x' }] }));
  await arrive();

  expect((await read()).SecretString).toBe('two');
  expect(
    (await other.send(new GetSecretValueCommand({ SecretId, VersionStage: 'AWSPREVIOUS' }))).SecretString,
  ).toBe('one');
  expect((await other.send(new DescribeSecretCommand({ SecretId }))).Tags).toHaveLength(2);
});

it('creates a secret with its replicas', async () => {
  const created = await client.send(
    new CreateSecretCommand({ Name: 'new', SecretString: 'x', AddReplicaRegions: [{ Region: OTHER }] }),
  );
  await arrive();

  expect(created.ReplicationStatus).toMatchObject([{ Region: OTHER, Status: 'InProgress' }]);
  expect(await other.send(new GetSecretValueCommand({ SecretId: 'new' }))).toMatchObject({
    SecretString: 'x',
  });
});

it('brings a secret without a value', async () => {
  await replicate();
  await arrive();

  expect((await other.send(new DescribeSecretCommand({ SecretId }))).VersionIdsToStages).toBeUndefined();
  expect(await statusOf()).toEqual([[OTHER, 'InSync', undefined]]);
});

it('refuses changes of a replica, except of its key', async () => {
  await put('one');
  await replicate();
  await arrive();

  const refusal = await refusalOf(put('two', other));
  expect(refusal.name).toBe('InvalidParameterException');
  expect(refusal.message).toContain('Operation not permitted on a replica secret');
  for (const command of [
    new DeleteSecretCommand({ SecretId, ForceDeleteWithoutRecovery: true }),
    new UpdateSecretCommand({ SecretId, Description: 'other' }),
    new TagResourceCommand({ SecretId, Tags: [{ Key: 'a', Value: 'b' }] }),
  ])
    expect((await refusalOf(other.send(command as DeleteSecretCommand))).message).toBe(refusal.message);
  await other.send(new UpdateSecretCommand({ SecretId, KmsKeyId: OTHER_KEY }));
  expect((await read()).SecretString).toBe('one');
});

it('refuses to delete a secret that has replicas; without them, the copy is gone', async () => {
  await put('one');
  await replicate();
  await arrive();

  const refusal = await refusalOf(client.send(new DeleteSecretCommand({ SecretId })));
  expect(refusal.message).toBe(
    `You can't delete secret ${secret.arn} that still has replica regions [${OTHER}].`,
  );
  await client.send(new RemoveRegionsFromReplicationCommand({ SecretId, RemoveReplicaRegions: [OTHER] }));
  expect((await refusalOf(read())).name).toBe('ResourceNotFoundException');
  await client.send(new DeleteSecretCommand({ SecretId }));
});

it('promotes a replica, which then goes its own way', async () => {
  await put('one');
  await replicate();
  await arrive();
  await other.send(new StopReplicationToReplicaCommand({ SecretId }));

  await put('two', other);
  await put('three');
  await arrive();

  expect((await read()).SecretString).toBe('two');
  expect(await statusOf()).toBeUndefined();
});

it('fails beside a secret of the same name, until it may overwrite it', async () => {
  await put('one');
  await other.send(new CreateSecretCommand({ Name: SecretId, SecretString: 'its own' }));
  await replicate();
  await arrive();

  expect(await statusOf()).toEqual([[OTHER, 'Failed', expect.stringContaining('same name')]]);
  expect((await read()).SecretString).toBe('its own');
  await replicate({ force: true });
  await arrive();
  expect(await statusOf()).toEqual([[OTHER, 'InSync', undefined]]);
  expect((await read()).SecretString).toBe('one');
});

it('fails with a key that is not there, and succeeds when tried with one that is', async () => {
  await put('one');
  await replicate({ KmsKeyId: `${OTHER_KEY}0` });
  await arrive();

  expect(await statusOf()).toEqual([[OTHER, 'Failed', expect.stringContaining('KMS key')]]);
  await replicate({ KmsKeyId: OTHER_KEY });
  await arrive();
  expect(await statusOf()).toEqual([[OTHER, 'InSync', undefined]]);
});

describe('on behalf of who writes', () => {
  const context = { StringLike: { 'kms:ViaService': 'secretsmanager.*' } };
  const encrypt = allow(['kms:Encrypt', 'kms:GenerateDataKey'], OTHER_KEY, context);
  const primary = allow(['kms:Decrypt', 'kms:GenerateDataKey'], KEY_ARN);

  beforeEach(async () => {
    secret.kmsKeyArn = KEY_ARN;
    await replicate({ KmsKeyId: OTHER_KEY });
  });

  it.each([
    ['with both keys', [primary, encrypt], 'InSync'],
    ['without the key of the replica', [primary], 'Failed'],
    ['without kms:Encrypt', [primary, { ...encrypt, Action: ['kms:GenerateDataKey'] }], 'Failed'],
  ])('uses the keys: %s', async (_, statements, status) => {
    const writer = aws.secretsManager(aws.roleKey(allow('secretsmanager:*'), ...statements));
    await put('one', writer);
    await arrive();

    expect(await statusOf()).toMatchObject([
      [OTHER, status, status === 'Failed' ? expect.any(String) : undefined],
    ]);
  });

  it('needs the replica’s key to read it, and permission for its ARN', async () => {
    await put('one');
    await arrive();
    const reader = (...statements: PolicyStatement[]) =>
      aws.secretsManager(aws.roleKey(...statements), OTHER);
    const arn = secret.arn.replace('eu-west-1', OTHER);
    const mayRead = allow(['secretsmanager:GetSecretValue'], arn);

    await expectDenied(read(reader()), 'secretsmanager:GetSecretValue', arn);
    expect((await refusalOf(read(reader(mayRead)))).message).toContain('Access to KMS is not allowed');
    expect((await read(reader(mayRead, allow(['kms:Decrypt'], OTHER_KEY)))).SecretString).toBe('one');
  });
});

it('needs permission to replicate', async () => {
  await expectDenied(
    replicate({}, aws.secretsManager(aws.roleKey())),
    'secretsmanager:ReplicateSecretToRegions',
    secret.arn,
  );
});

it('knows no region in which it has nothing', async () => {
  const third = aws.secretsManager(undefined, 'us-east-1');
  expect((await refusalOf(read(third))).name).toBe('InvalidSignatureException');
});

it('holds back what a region that is cut off would replicate, until its return', async () => {
  await put('one');
  await replicate();
  await arrive();
  const before = (await read()).SecretString;
  aws.account.outages.set('eu-west-1', 'go-on');
  await put('two');
  await aws.runClock.advance(60);
  const meanwhile = (await read()).SecretString;

  aws.account.outages.clear();

  expect([before, meanwhile, (await read()).SecretString]).toEqual(['one', 'one', 'two']);
});
