import { rotationResourceTypes } from '../../src/rotation/rotation-resource-types';
import { addPendingVersion } from '../../src/aws/secrets-manager/secret-versions';
import { type ProvisionedStack } from '../../src/template/provision';
import { provisionResources } from '../../src/testing/stacks';
import { FUNCTION_ARN, RotatedAccount } from './rotated-account';

const SCHEDULE = 'AWS::SecretsManager::RotationSchedule';
const RULES = { ScheduleExpression: 'cron(0 8 1 1/3 ? *)', Duration: '3h' };
const NEXT_RULES = { ScheduleExpression: 'cron(0 9 1 1/3 ? *)', Duration: '3h' };

describe('AWS::SecretsManager::RotationSchedule', () => {
  let local: RotatedAccount;
  let stack: ProvisionedStack | undefined;
  beforeEach(() => {
    local = new RotatedAccount({ isStarted: false });
    stack = undefined;
  });

  /** Deploys a secret and its rotations, which override what is usual. */
  const deploy = (rotations: Record<string, object>) => {
    const usual = {
      SecretId: { Ref: 'Secret' },
      RotationLambdaARN: FUNCTION_ARN,
      RotateImmediatelyOnUpdate: false,
    };
    const resources = Object.entries(rotations).map(
      ([id, properties]) => [id, [SCHEDULE, { ...usual, ...properties }]] as const,
    );
    stack = provisionResources(
      { Secret: ['AWS::SecretsManager::Secret', { Name: 'latchkey/a' }], ...Object.fromEntries(resources) },
      { account: local.account, types: rotationResourceTypes(local.rotator), previous: stack },
    );
    return stack;
  };
  const secret = () => [...local.account.secrets.values()][0]!;
  const begin = async () => {
    local.rotator.start();
    await local.clock.idle();
  };

  test('configures rotation of its secret, and tests it without a rotation once functions can run', async () => {
    const { resources } = deploy({ Rotation: { RotationRules: RULES } });
    await begin();

    expect(resources.get('Rotation')).toMatchObject({ ref: secret().arn, attributes: { Id: secret().arn } });
    expect(secret().rotation).toMatchObject({
      lambdaArn: FUNCTION_ARN,
      isEnabled: true,
      rules: { scheduleExpression: RULES.ScheduleExpression, duration: '3h' },
    });
    expect(local.invoked.map((line) => line.split(' ')[1])).toEqual(['testSecret']);
    expect(secret().versions.size).toBe(0);
  });

  test("rotates at once without RotateImmediatelyOnUpdate: false, which is CloudFormation's default", async () => {
    deploy({ Rotation: { RotationRules: RULES, RotateImmediatelyOnUpdate: undefined } });
    await begin();

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
    expect(() => deploy({ Rotation: { RotationRules: RULES, ...properties } })).toThrow(message);
  });

  describe('over its life', () => {
    const scheduled = () => secret().rotation;
    beforeEach(async () => {
      deploy({ Rotation: { RotationRules: RULES } });
      await begin();
    });

    test('changes the schedule of its secret', () => {
      const before = scheduled()?.nextRotationAtMs;

      deploy({ Rotation: { RotationRules: NEXT_RULES } });

      expect(scheduled()?.nextRotationAtMs).toBe(before! + 60 * 60_000);
    });

    // https://github.com/aws/aws-cdk/issues/27460
    test('changes nothing if its rules are removed', () => {
      const before = { ...scheduled() };

      deploy({ Rotation: {} });

      expect(scheduled()).toEqual(before);
    });

    test('cancels rotation when it is deleted', () => {
      deploy({});

      expect(scheduled()?.isEnabled).toBe(false);
    });

    // https://github.com/aws-cloudformation/cloudformation-coverage-roadmap/issues/1813
    test('cancels the rotation of the secret even if another one exists by then', () => {
      deploy({ Renamed: { RotationRules: NEXT_RULES } });

      expect(scheduled()).toMatchObject({
        isEnabled: false,
        rules: { scheduleExpression: 'cron(0 9 1 1/3 ? *)' },
      });
    });

    // API_RotateSecret. CloudFormation calls it for the rollback as well.
    test('cannot be updated, nor be rolled back, while another rotation has not finished', () => {
      addPendingVersion(secret(), 'p'.repeat(32), local.clock.nowMs());

      expect(() => deploy({ Rotation: { RotationRules: NEXT_RULES } })).toThrow(
        /Rotation: .*previous rotation isn't complete[^]*and the rollback failed: .*isn't complete/,
      );
    });
  });
});
