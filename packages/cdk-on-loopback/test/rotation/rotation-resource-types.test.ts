import { rotationResourceTypes } from '../../src/rotation/rotation-resource-types';
import { addPendingVersion } from '../../src/aws/secrets-manager/secret-versions';
import { type ProvisionedStack } from '../../src/template/provision';
import { provisionResources } from '../../src/testing/stacks';
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

    expect(stack.resources.get('Rotation')).toMatchObject({
      ref: secret().arn,
      attributes: { Id: secret().arn },
    });
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

  test.each<[string, Record<string, unknown>, RegExp]>([
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

  describe('over its life', () => {
    const NEXT_RULES = { ScheduleExpression: 'cron(0 9 1 1/3 ? *)', Duration: '3h' };
    let stack: ProvisionedStack;
    const update = (rotations: Record<string, object>) =>
      (stack = provisionResources(
        {
          Secret: ['AWS::SecretsManager::Secret', { Name: 'latchkey/a' }],
          ...Object.fromEntries(
            Object.entries(rotations).map(([id, properties]) => [
              id,
              [
                SCHEDULE,
                {
                  SecretId: { Ref: 'Secret' },
                  RotationLambdaARN: FUNCTION_ARN,
                  RotateImmediatelyOnUpdate: false,
                  ...properties,
                },
              ],
            ]),
          ),
        },
        { account: local.account, types: rotationResourceTypes(local.rotator), previous: stack },
      ));
    const scheduled = () => secret().rotation;
    beforeEach(async () => {
      local = new RotatedAccount();
      stack = undefined!;
      update({ Rotation: { RotationRules: RULES } });
      await local.clock.idle();
    });

    test('changes the schedule of its secret', () => {
      const before = scheduled()?.nextRotationAtMs;

      update({ Rotation: { RotationRules: NEXT_RULES } });

      expect(scheduled()?.nextRotationAtMs).toBe(before! + 60 * 60_000);
    });

    // https://github.com/aws/aws-cdk/issues/27460
    test('changes nothing if its rules are removed', () => {
      const before = { ...scheduled() };

      update({ Rotation: {} });

      expect(scheduled()).toEqual(before);
    });

    test('cancels rotation when it is deleted', () => {
      update({});

      expect(scheduled()?.isEnabled).toBe(false);
    });

    // https://github.com/aws-cloudformation/cloudformation-coverage-roadmap/issues/1813
    test('cancels the rotation of the secret even if another one exists by then', () => {
      update({ Renamed: { RotationRules: NEXT_RULES } });

      expect(scheduled()).toMatchObject({
        isEnabled: false,
        rules: { scheduleExpression: 'cron(0 9 1 1/3 ? *)' },
      });
    });

    // API_RotateSecret. CloudFormation calls it for the rollback as well.
    test('cannot be updated, nor be rolled back, while another rotation has not finished', () => {
      addPendingVersion(secret(), 'p'.repeat(32), local.clock.nowMs());

      expect(() => update({ Rotation: { RotationRules: NEXT_RULES } })).toThrow(
        /Rotation: .*previous rotation isn't complete[^]*and the rollback failed: .*isn't complete/,
      );
    });
  });
});
