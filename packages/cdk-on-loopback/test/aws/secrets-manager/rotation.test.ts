import {
  CancelRotateSecretCommand,
  DescribeSecretCommand,
  InvalidParameterException,
  InvalidRequestException,
  ListSecretsCommand,
  ListSecretVersionIdsCommand,
  PutSecretValueCommand,
  RotateSecretCommand,
  type RotateSecretCommandInput,
} from '@aws-sdk/client-secrets-manager';
import { type RotationEvent } from '../../../src/rotation/rotation-function';
import { type LambdaFunction, type PolicyStatement, type Secret } from '../../../src/account';
import { moveLabel } from '../../../src/aws/secrets-manager/labels';
import { ACCOUNT_ID, LocalAws, refusalOf } from '../../../src/testing/local-aws';
import { admitting, allow } from '../../support/policies';
import { failure } from '../../support/invocation-results';

const [A, B, C] = ['a', 'b', 'c'].map((letter) => letter.repeat(32)) as [string, string, string];
const SecretId = 'latchkey/staging/mea/t1/api-key';
const SESSION = `arn:aws:sts::${ACCOUNT_ID}:assumed-role/caller/session`;

// API_RotateSecret, API_CancelRotateSecret
describe('rotation, through the SDK', () => {
  let aws: LocalAws;
  let secret: Secret;
  let fn: LambdaFunction;

  beforeEach(async () => {
    aws = new LocalAws();
    secret = aws.addSecret(SecretId);
    aws.addVersion(secret, A, 'one');
    fn = aws.addFunction('rotate');
    fn.resourcePolicy = admitting(
      'secretsmanager.amazonaws.com',
      'lambda:InvokeFunction',
      fn.arn,
      secret.arn,
    );
    aws.invoker.effect = (payload) => {
      const { Step, ClientRequestToken } = JSON.parse(payload) as RotationEvent;
      const version = secret.versions.get(ClientRequestToken)!;
      if (Step === 'createSecret') version.secretString = 'two';
      if (Step === 'finishSecret') moveLabel(secret, 'AWSCURRENT', version);
    };
    await aws.start();
  });
  afterEach(() => aws.stop());

  const rotate = (part: Partial<RotateSecretCommandInput> = {}, statements?: PolicyStatement[]) =>
    aws.secretsManager(statements && aws.roleKey(...statements)).send(
      new RotateSecretCommand({
        SecretId,
        ClientRequestToken: B,
        RotationLambdaARN: fn.arn,
        RotationRules: { ScheduleExpression: 'cron(0 8 1 * ? *)', Duration: '2h' },
        ...part,
      }),
    );
  const describeIt = () => aws.secretsManager().send(new DescribeSecretCommand({ SecretId }));
  const failAll = (): void => {
    aws.invoker.result = failure('m');
    aws.invoker.effect = () => undefined;
  };

  it('returns the id of a new version, empty and pending, at once, and then runs the steps', async () => {
    const answer = await rotate();
    await aws.runClock.idle();

    expect(answer).toMatchObject({ ARN: secret.arn, Name: SecretId, VersionId: B });
    expect(aws.invoker.invoked.map(({ payload }) => JSON.parse(payload) as unknown)).toEqual(
      ['createSecret', 'setSecret', 'testSecret', 'finishSecret'].map((Step) => ({
        Step,
        SecretId: secret.arn,
        ClientRequestToken: B,
        RotationToken: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
      })),
    );
    expect(aws.invoker.invoked.every(({ isAsync }) => !isAsync)).toBe(true);
    expect((await describeIt()).VersionIdsToStages).toEqual({ [A]: ['AWSPREVIOUS'], [B]: ['AWSCURRENT'] });
  });

  it('is shown by DescribeSecret and ListSecrets, with dates once they are known', async () => {
    const before = await describeIt();
    await rotate();
    await aws.runClock.idle();

    const after = await describeIt();
    const { SecretList } = await aws.secretsManager().send(new ListSecretsCommand({}));

    expect(before.RotationEnabled).toBeUndefined();
    expect(after).toMatchObject({
      RotationEnabled: true,
      RotationLambdaARN: fn.arn,
      RotationRules: { ScheduleExpression: 'cron(0 8 1 * ? *)', Duration: '2h' },
      LastRotatedDate: new Date(secret.rotation!.lastRotatedAtMs!),
    });
    expect(after.NextRotationDate?.toISOString()).toMatch(/-01T09:59:59/);
    expect(SecretList?.[0]).toMatchObject({ RotationEnabled: true, RotationLambdaARN: fn.arn });
  });

  it('only tests the configuration if RotateImmediately is false', async () => {
    await rotate({ RotateImmediately: false });
    await aws.runClock.idle();

    expect(aws.invoker.invoked.map(({ payload }) => (JSON.parse(payload) as RotationEvent).Step)).toEqual([
      'testSecret',
    ]);
    expect((await describeIt()).VersionIdsToStages).toEqual({ [A]: ['AWSCURRENT'] });
  });

  it('is disabled by CancelRotateSecret, which keeps the labels, and enabled again by RotateSecret', async () => {
    failAll();
    await rotate();
    await aws.runClock.idle();

    await aws.secretsManager().send(new CancelRotateSecretCommand({ SecretId }));
    await aws.runClock.advance(100);

    expect(aws.invoker.invoked).toHaveLength(1);
    const off = await describeIt();
    expect(off.NextRotationDate).toBeUndefined();
    expect(off).toMatchObject({
      RotationEnabled: false,
      RotationLambdaARN: fn.arn,
      VersionIdsToStages: { [B]: ['AWSPENDING'] },
    });
    secret.versions.get(B)!.stages.clear();
    await rotate({ ClientRequestToken: C, RotationLambdaARN: undefined, RotationRules: undefined });
    expect(await describeIt()).toMatchObject({ RotationEnabled: true, RotationRules: { Duration: '2h' } });
  });

  it('lists a pending version without a value, with the time of its creation', async () => {
    failAll();
    await rotate();

    const { Versions } = await aws.secretsManager().send(new ListSecretVersionIdsCommand({ SecretId }));

    expect(Versions?.[1]).toMatchObject({ VersionId: B, VersionStages: ['AWSPENDING'] });
    expect(Versions?.[1]?.CreatedDate).toEqual(new Date(secret.versions.get(B)!.createdAtMs));
  });

  it('moves its date when a value is put without labels, which is current at once, and for no other', async () => {
    await rotate({ RotationRules: { AutomaticallyAfterDays: 10 } });
    await aws.runClock.idle();
    const before = await describeIt();
    aws.clock.advanceMs(2 * 86_400_000);
    const put = (SecretString: string, VersionStages?: string[]) =>
      aws.secretsManager().send(new PutSecretValueCommand({ SecretId, SecretString, VersionStages }));

    await put('beside the current one', ['STAGED']);
    const between = await describeIt();
    const { VersionStages } = await put('three');

    const after = await describeIt();
    expect(VersionStages).toEqual(['AWSCURRENT']);
    expect(between.NextRotationDate).toEqual(before.NextRotationDate);
    expect(after.NextRotationDate!.getTime() - before.NextRotationDate!.getTime()).toBe(2 * 86_400_000);
    expect(after.LastRotatedDate).toEqual(before.LastRotatedDate);
  });

  it.each<[string, Partial<RotateSecretCommandInput>, unknown, RegExp]>([
    [
      'two kinds of schedule',
      { RotationRules: { AutomaticallyAfterDays: 1, ScheduleExpression: 'rate(1 day)' } },
      InvalidParameterException,
      /not both/,
    ],
    ['a token that is in use', { ClientRequestToken: A }, InvalidRequestException, /has this id/],
    [
      'a managed external secret',
      { ExternalSecretRotationRoleArn: 'arn:aws:iam::111111111111:role/r' },
      Error,
      /does not support the parameter ExternalSecretRotationRoleArn/,
    ],
  ])('refuses %s, and changes nothing', async (_, part, kind, message) => {
    const refusal = await refusalOf(rotate(part));

    expect(refusal).toBeInstanceOf(kind);
    expect(refusal.message).toMatch(message);
    expect(secret.rotation).toBeUndefined();
    expect(secret.versions.size).toBe(1);
  });

  it('rejects a secret that is scheduled for deletion', async () => {
    secret.deletedAtMs = aws.clock.nowMs();

    expect(await refusalOf(rotate())).toBeInstanceOf(InvalidRequestException);
  });

  describe('permissions', () => {
    const mayRotate = allow('secretsmanager:RotateSecret');
    const mayInvoke = allow('lambda:InvokeFunction');
    const named = { RotationLambdaARN: undefined, RotationRules: undefined };

    it('are required for RotateSecret and for invoking the function, named or not', async () => {
      const without = await refusalOf(rotate({}, [mayInvoke]));
      const withoutInvoke = await refusalOf(rotate({}, [mayRotate]));
      await rotate({}, [mayRotate, mayInvoke]);
      await aws.runClock.idle();
      const laterWithout = await refusalOf(rotate({ ...named, ClientRequestToken: C }, [mayRotate]));
      const later = await rotate({ ...named, ClientRequestToken: C }, [mayRotate, mayInvoke]);

      expect(without.message).toBe(
        `User: ${SESSION} is not authorized to perform: secretsmanager:RotateSecret on resource: ${secret.arn} ` +
          'because no identity-based policy allows the secretsmanager:RotateSecret action',
      );
      expect(withoutInvoke.message).toContain(`lambda:InvokeFunction on resource: ${fn.arn}`);
      expect(laterWithout.message).toContain(`lambda:InvokeFunction on resource: ${fn.arn}`);
      expect(later.VersionId).toBe(C);
    });

    it('can depend on the function, the rules and RotateImmediately', async () => {
      const only = (Condition: PolicyStatement['Condition']) =>
        rotate({}, [{ ...mayRotate, Condition }, mayInvoke]);

      const refusals = [
        await refusalOf(only({ ArnEquals: { 'secretsmanager:RotationLambdaARN': `${fn.arn}-other` } })),
        await refusalOf(only({ Bool: { 'secretsmanager:ModifyRotationRules': 'false' } })),
        await refusalOf(only({ Bool: { 'secretsmanager:RotateImmediately': 'false' } })),
      ];
      const allowed = await only({
        ArnEquals: { 'secretsmanager:RotationLambdaARN': fn.arn },
        Bool: { 'secretsmanager:ModifyRotationRules': 'true', 'secretsmanager:RotateImmediately': 'true' },
      });

      expect(refusals.map(({ name }) => name)).toEqual(Array(3).fill('AccessDeniedException'));
      expect(allowed.VersionId).toBe(B);
    });

    it('let only whom the function rotates at present be meant by AllowRotationLambdaArn', async () => {
      await rotate();
      await aws.runClock.idle();
      const Condition = { ArnEquals: { 'secretsmanager:resource/AllowRotationLambdaArn': fn.arn } };
      const statement = { ...mayRotate, Action: 'secretsmanager:DescribeSecret', Condition };

      const answer = await aws
        .secretsManager(aws.roleKey(statement))
        .send(new DescribeSecretCommand({ SecretId }));

      expect(answer.Name).toBe(SecretId);
    });
  });
});
