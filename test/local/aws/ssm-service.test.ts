import {
  GetParameterCommand,
  GetParametersByPathCommand,
  GetParametersCommand,
  ParameterNotFound,
} from '@aws-sdk/client-ssm';
import { ACCOUNT_ID, expectDenied, LocalAws, refusalOf } from './local-account';

const arnOf = (name: string) => `arn:aws:ssm:eu-west-1:${ACCOUNT_ID}:parameter${name}`;

describe('Systems Manager parameters, through the SDK', () => {
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

  const byPath = (part: object) =>
    aws.ssm().send(new GetParametersByPathCommand({ Path: '/latchkey', Recursive: true, ...part }));

  it.each(['/latchkey/staging/c', arnOf('/latchkey/staging/c')])('returns the parameter %s', async (Name) => {
    const answer = await aws.ssm().send(new GetParameterCommand({ Name }));

    expect(answer.Parameter).toMatchObject({
      Name: '/latchkey/staging/c',
      Value: 'value of /latchkey/staging/c',
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

  it('returns the parameters under a path, in pages, and no others', async () => {
    const first = await byPath({ MaxResults: 2 });
    const second = await byPath({ MaxResults: 2, NextToken: first.NextToken });
    const flat = await byPath({ Path: '/latchkey/staging/', Recursive: false });

    expect([...(first.Parameters ?? []), ...(second.Parameters ?? [])].map(({ Name }) => Name)).toEqual([
      '/latchkey/staging/c',
      '/latchkey/staging/mea/a',
      '/latchkey/staging/mea/b',
    ]);
    expect(second.NextToken).toBeUndefined();
    expect(flat.Parameters?.map(({ Name }) => Name)).toEqual(['/latchkey/staging/c']);
  });

  it('denies parameters that the role may not read', async () => {
    const key = aws.roleKey({
      Effect: 'Allow',
      Action: 'ssm:GetParameter*',
      Resource: arnOf('/latchkey/staging/mea/*'),
    });
    const read = (Name: string) => aws.ssm(key).send(new GetParameterCommand({ Name }));

    expect((await read('/latchkey/staging/mea/a')).Parameter?.Value).toBeDefined();
    await expectDenied(read('/latchkey/staging/c'), 'ssm:GetParameter', arnOf('/latchkey/staging/c'));
    const several = new GetParametersCommand({ Names: ['/latchkey/staging/mea/a', '/latchkey/staging/c'] });
    await expectDenied(aws.ssm(key).send(several), 'ssm:GetParameters');
  });
});
