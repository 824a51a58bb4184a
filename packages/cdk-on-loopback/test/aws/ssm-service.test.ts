import {
  GetParameterCommand,
  GetParametersCommand,
  ParameterNotFound,
  PutParameterCommand,
} from '@aws-sdk/client-ssm';
import { ACCOUNT_ID, expectDenied, KEY_ARN, LocalAws, refusalOf } from '../../src/testing/local-aws';
import { allow } from '../support/policies';

const arnOf = (name: string) => `arn:aws:ssm:eu-west-1:${ACCOUNT_ID}:parameter${name}`;

let aws: LocalAws;

beforeEach(async () => {
  aws = new LocalAws();
  for (const name of [
    '/latchkey/staging/mea/a',
    '/latchkey/staging/mea/b',
    '/latchkey/staging/c',
    '/latchkey2/d',
  ]) {
    aws.account.parameters.set(name, { arn: arnOf(name), name, value: `value of ${name}` });
  }
  await aws.start();
});
afterEach(() => aws.stop());

it.each(['/latchkey/staging/c', arnOf('/latchkey/staging/c')])('returns the parameter %s', async (Name) => {
  const answer = await aws.ssm().send(new GetParameterCommand({ Name }));

  expect(answer.Parameter).toMatchObject({
    Name: '/latchkey/staging/c',
    Value: 'value of /latchkey/staging/c',
  });
});

describe('a SecureString', () => {
  const Name = '/app/secret';
  const put = (more: object = {}) =>
    aws
      .ssm()
      .send(new PutParameterCommand({ Name, Value: 'plain', Type: 'SecureString', KeyId: KEY_ARN, ...more }));
  const get = (actions: string[], WithDecryption: boolean) =>
    aws.ssm(aws.roleKey(allow(actions))).send(new GetParameterCommand({ Name, WithDecryption }));

  it('is readable only decrypted, with permission for its key', async () => {
    await put();

    const decrypted = await get(['ssm:GetParameter', 'kms:Decrypt'], true);
    const encrypted = await get(['ssm:GetParameter'], false);

    expect(decrypted.Parameter).toMatchObject({ Type: 'SecureString', Value: 'plain', Version: 1 });
    expect(encrypted.Parameter?.Value).not.toContain('plain');
    await expectDenied(get(['ssm:GetParameter'], true), 'kms:Decrypt', KEY_ARN);
  });

  it('needs an explicit overwrite, and loses its key without one', async () => {
    await put();

    expect((await refusalOf(put())).name).toBe('ParameterAlreadyExists');
    expect((await refusalOf(put({ Overwrite: true, Type: 'String' }))).name).toBe(
      'HierarchyTypeMismatchException',
    );
    expect(await put({ Overwrite: true, KeyId: undefined, Type: undefined })).toMatchObject({ Version: 2 });
    const { Parameter } = await aws.ssm().send(new GetParameterCommand({ Name, WithDecryption: true }));
    expect(Parameter).toMatchObject({ Type: 'SecureString', Version: 2 });
    expect(aws.account.parameters.get(Name)).not.toHaveProperty('kmsKeyArn');
  });

  it('stays in the advanced tier', async () => {
    await put({ Tier: 'Advanced' });

    expect((await refusalOf(put({ Overwrite: true }))).name).toBe('ValidationException');
    expect(await put({ Overwrite: true, Tier: 'Advanced' })).toMatchObject({ Tier: 'Advanced' });
  });

  it('must have a type, and needs permission', async () => {
    expect((await refusalOf(put({ Type: undefined }))).name).toBe('ValidationException');
    const denied = aws.ssm(aws.roleKey()).send(new PutParameterCommand({ Name, Value: 'x', Type: 'String' }));
    await expectDenied(denied, 'ssm:PutParameter');
  });
});

it('reports a missing parameter', async () => {
  expect(await refusalOf(aws.ssm().send(new GetParameterCommand({ Name: '/x' })))).toBeInstanceOf(
    ParameterNotFound,
  );
});

it('returns several parameters, and lists the missing ones', async () => {
  const answer = await aws.ssm().send(new GetParametersCommand({ Names: ['/latchkey/staging/c', '/x'] }));

  expect(answer.Parameters?.map(({ Name }) => Name)).toEqual(['/latchkey/staging/c']);
  expect(answer.InvalidParameters).toEqual(['/x']);
});

it('denies parameters that the role may not read', async () => {
  const key = aws.roleKey(allow('ssm:GetParameter*', arnOf('/latchkey/staging/mea/*')));
  const read = (Name: string) => aws.ssm(key).send(new GetParameterCommand({ Name }));

  expect((await read('/latchkey/staging/mea/a')).Parameter?.Value).toBeDefined();
  await expectDenied(read('/latchkey/staging/c'), 'ssm:GetParameter', arnOf('/latchkey/staging/c'));
  const several = new GetParametersCommand({ Names: ['/latchkey/staging/mea/a', '/latchkey/staging/c'] });
  await expectDenied(aws.ssm(key).send(several), 'ssm:GetParameters');
});
