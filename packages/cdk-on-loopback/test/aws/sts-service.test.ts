import { GetSecretValueCommand } from '@aws-sdk/client-secrets-manager';
import { type PolicyDocument, type PolicyStatement } from '../../src/account';
import { type AccessKey } from '../../src/iam/access-keys';
import { addRole } from '../../src/testing/account-parts';
import { ACCOUNT_ID, LocalAws, refusalOf } from '../../src/testing/local-aws';
import { signedFetch } from '../../src/testing/signed-fetch';

const TARGET = `arn:aws:iam::${ACCOUNT_ID}:role/target`;

let aws: LocalAws;

beforeEach(async () => {
  aws = new LocalAws();
  await aws.start();
});
afterEach(() => aws.stop());

async function call(form: Record<string, string>, key: AccessKey = aws.administrator) {
  const answer = await signedFetch(aws.url, key, 'sts', {
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ Version: '2011-06-15', ...form }).toString(),
  });
  const text = await answer.text();
  const member = (name: string) => new RegExp(`<${name}>([^<]*)</${name}>`).exec(text)?.[1];
  return { status: answer.status, member };
}
const assume = (form: Record<string, string> = {}, key?: AccessKey) =>
  call({ Action: 'AssumeRole', RoleArn: TARGET, RoleSessionName: 'me', ...form }, key);
const trust = (statement: Partial<PolicyStatement> = {}): PolicyDocument => ({
  Statement: {
    Effect: 'Allow',
    Action: 'sts:AssumeRole',
    Principal: { AWS: `arn:aws:iam::${ACCOUNT_ID}:root` },
    ...statement,
  },
});
const addTarget = (trustPolicy: PolicyDocument) =>
  addRole(aws.account, 'target', [{ Effect: 'Allow', Action: '*', Resource: '*' }], trustPolicy);

const keyOf = ({ member }: Awaited<ReturnType<typeof call>>): AccessKey => ({
  accessKeyId: member('AccessKeyId') ?? '',
  secretAccessKey: member('SecretAccessKey') ?? '',
  sessionToken: member('SessionToken') ?? '',
  principal: aws.administrator.principal,
});

it('returns the identity of any caller', async () => {
  const { member } = await call({ Action: 'GetCallerIdentity' }, aws.roleKey());

  expect(member('Arn')).toBe(`arn:aws:sts::${ACCOUNT_ID}:assumed-role/caller/session`);
  expect(member('Account')).toBe(ACCOUNT_ID);
});

it('issues a key for the role, valid for an hour', async () => {
  addTarget(trust());
  aws.addVersion(aws.addSecret('s'), 'v', 'x');
  const answer = await assume();
  const key = keyOf(answer);
  const read = () => aws.secretsManager(key).send(new GetSecretValueCommand({ SecretId: 's' }));

  expect(answer.member('Arn')).toBe(`arn:aws:sts::${ACCOUNT_ID}:assumed-role/target/me`);
  expect((await read()).SecretString).toBe('x');
  aws.clock.advanceMs(60 * 60 * 1000);
  expect((await refusalOf(read())).name).toBe('ExpiredTokenException');
});

it('refuses a role whose trust policy requires another external id', async () => {
  addTarget(trust({ Condition: { StringEquals: { 'sts:ExternalId': 'other' } } }));

  const { status, member } = await assume({ ExternalId: 'mine' });

  expect([status, member('Code')]).toEqual([403, 'AccessDenied']);
  expect(member('Message')).toContain(
    `perform: sts:AssumeRole on resource: ${TARGET} because no role trust policy`,
  );
  expect((await assume({ ExternalId: 'other' })).status).toBe(200);
});

it('limits the session to the policy that it was given', async () => {
  addTarget(trust());
  for (const name of ['mine', 'other']) aws.addVersion(aws.addSecret(name), 'v', 'x');
  const Statement = { Effect: 'Allow', Action: '*', Resource: 'arn:aws:secretsmanager:*:*:secret:mine-*' };
  const key = keyOf(await assume({ Policy: JSON.stringify({ Version: '2012-10-17', Statement }) }));
  const read = (SecretId: string) => aws.secretsManager(key).send(new GetSecretValueCommand({ SecretId }));

  expect((await read('mine')).SecretString).toBe('x');
  expect((await refusalOf(read('other'))).message).toContain('because no session policy allows');
});

it.each([
  ['no JSON', '{', 'not JSON'],
  [
    'a principal',
    '{"Statement":{"Effect":"Allow","Action":"*","Resource":"*","Principal":"*"}}',
    'Statement.Principal: ',
  ],
])('refuses a session policy with %s', async (_, Policy, text) => {
  addTarget(trust());

  const { status, member } = await assume({ Policy });

  expect([status, member('Code')]).toEqual([400, 'MalformedPolicyDocument']);
  expect(member('Message')).toContain(text);
});

it('requires the caller’s own permission if the trust policy names only the account', async () => {
  addTarget(trust());
  const right: PolicyStatement = { Effect: 'Allow', Action: 'sts:AssumeRole', Resource: TARGET };

  expect((await assume({}, aws.roleKey())).status).toBe(403);
  expect((await assume({}, aws.roleKey(right))).status).toBe(200);
});

it.each<[string, Record<string, string>]>([
  ['a role that does not exist', { RoleArn: `${TARGET}2` }],
  ['a duration under 15 minutes', { DurationSeconds: '899' }],
  ['a session name with spaces', { RoleSessionName: 'a b' }],
  [
    'managed session policies, which are not supported',
    { 'PolicyArns.member.1.arn': 'arn:aws:iam::aws:policy/x' },
  ],
  ['a code of an MFA device, which is not supported', { SerialNumber: 'device', TokenCode: '123456' }],
])('refuses %s', async (_, form) => {
  addTarget(trust());

  expect((await assume(form)).status).toBeGreaterThanOrEqual(400);
});

it('rejects an unsupported operation, naming the supported ones', async () => {
  const { member } = await call({ Action: 'GetSessionToken' });

  expect(member('Code')).toBe('InvalidAction');
  expect(member('Message')).toContain('AssumeRole, GetCallerIdentity');
});
