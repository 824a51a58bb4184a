import { rotationResourceTypes } from '../../../local/rotation/rotation-resource-types';
import { provisionResources } from '../../support/local/stacks';
import { FUNCTION_ARN, RotatedAccount } from './rotated-account';

const SCHEDULE = 'AWS::SecretsManager::RotationSchedule';
const RULES = { ScheduleExpression: 'cron(0 8 1 1/3 ? *)', Duration: '3h' };

describe('AWS::SecretsManager::RotationSchedule', () => {
  let local: RotatedAccount;
  beforeEach(() => (local = new RotatedAccount({ isStarted: false })));

  const provision = (properties: Record<string, unknown>, name = 'latchkey/staging/mea/t1/api-key') =>
    provisionResources(
      {
        Secret: ['AWS::SecretsManager::Secret', { Name: name }],
        Rotation: [
          SCHEDULE,
          {
            SecretId: { Ref: 'Secret' },
            RotationLambdaARN: FUNCTION_ARN,
            RotationRules: RULES,
            ...properties,
          },
        ],
      },
      { account: local.account, types: rotationResourceTypes(local.rotator) },
    );
  const secret = () => [...local.account.secrets.values()][0]!;

  test('configures rotation of its secret, and tests it without a rotation once functions can run', async () => {
    const stack = provision({ RotateImmediatelyOnUpdate: false });
    local.rotator.start();
    await local.clock.idle();

    expect(stack.resources.get('Rotation')).toEqual({ ref: secret().arn, attributes: { Id: secret().arn } });
    expect(secret().rotation).toMatchObject({
      lambdaArn: FUNCTION_ARN,
      isEnabled: true,
      rules: { scheduleExpression: RULES.ScheduleExpression, duration: '3h' },
    });
    expect(local.invoked.map((line) => line.split(' ')[1])).toEqual(['testSecret']);
    expect(secret().versions.size).toBe(0);
  });

  test("rotates at once without RotateImmediatelyOnUpdate: false, which is CloudFormation's default", async () => {
    provision({});
    local.rotator.start();
    await local.clock.idle();

    expect(local.invoked).toHaveLength(4);
  });

  test('fires at its window, on the run’s clock', async () => {
    provision({ RotateImmediatelyOnUpdate: false });
    local.rotator.start();
    await local.clock.advance(100 * 24 * 60 * 60);

    expect(local.invoked.filter((line) => line.includes('createSecret'))).toHaveLength(2);
  });

  test.each<[string, Record<string, unknown>, RegExp]>([
    [
      'a hosted function',
      { HostedRotationLambda: { RotationType: 'MySQLSingleUser' } },
      /HostedRotationLambda/,
    ],
    [
      'rules of another dialect',
      { RotationRules: { ScheduleExpression: 'rate(5 minutes)' } },
      /rate\(5 minutes\)/,
    ],
    ['an unknown secret', { SecretId: 'arn:missing' }, /no secret arn:missing/],
    ['an unknown function', { RotationLambdaARN: `${FUNCTION_ARN}-x` }, /app, Rotation: .*cannot invoke/],
  ])('refuses %s', (_, properties, message) => {
    expect(() => provision(properties)).toThrow(message);
  });

  test('rejects a function whose policy does not allow Secrets Manager for the secret', () => {
    expect(() => provision({}, 'other/api-key')).toThrow(/AccessDeniedException/);
  });

  test('is one per secret', () => {
    const rotation = [SCHEDULE, { SecretId: { Ref: 'Secret' }, RotationLambdaARN: FUNCTION_ARN }] as const;

    expect(() =>
      provisionResources(
        {
          Secret: ['AWS::SecretsManager::Secret', { Name: 'latchkey/a' }],
          First: [...rotation],
          Second: [...rotation],
        },
        { account: local.account, types: rotationResourceTypes(local.rotator) },
      ),
    ).toThrow(/Second: .*has a rotation schedule/);
  });
});
