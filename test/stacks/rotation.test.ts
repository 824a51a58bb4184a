import { type WrittenDeployment } from '../support/lib/configuration';
import { type Synthesis, synthesisWith } from '../support/lib/synthesis';

const STACK = 'latchkey-staging-global';
const TENANT_STACK = `${STACK}-tenant-a`;
const KEY_ARN = 'arn:aws:kms:eu-west-1:222233334444:key/0f0f';
const synthesis = synthesisWith();
const [rotate] = synthesis
  .resourcesOf(STACK, 'AWS::Lambda::Function')
  .filter(({ Properties }) => Properties.Description === 'rotate-credentials of staging global');

const schedules = (of: Synthesis) =>
  of.resourcesOf(TENANT_STACK, 'AWS::SecretsManager::RotationSchedule').map(({ Properties }) => Properties);
const withSchedule = (rotationSchedule: string, more: Partial<WrittenDeployment> = {}) =>
  synthesisWith({ credentials: { rotationSchedule }, ...more });

describe('the rotation schedule of credentials', () => {
  it('exists for each credential, four times a year, and rotates nothing at deployment', () => {
    const found = schedules(synthesis);

    expect(found.map(({ SecretId }) => SecretId)).toEqual([
      { Ref: expect.stringMatching(/^ClientCredentialsShellSecret/) as string },
      { Ref: expect.stringMatching(/^ApiKeyShellSecret/) as string },
    ]);
    for (const { RotationRules, RotateImmediatelyOnUpdate } of found) {
      expect(RotationRules).toEqual({ ScheduleExpression: 'cron(0 8 1 */3 ? *)' });
      expect(RotateImmediatelyOnUpdate).toBe(false);
    }
  });

  it('is configurable', () => {
    const ScheduleExpression = 'cron(0 6 ? JAN,JUL MON#1 *)';

    for (const { RotationRules } of schedules(withSchedule(ScheduleExpression)))
      expect(RotationRules).toEqual({ ScheduleExpression });
  });

  it('with none never starts a rotation, but allows one on request', () => {
    for (const schedule of schedules(withSchedule('none'))) {
      expect(Object.keys(schedule).sort()).toEqual([
        'RotateImmediatelyOnUpdate',
        'RotationLambdaARN',
        'SecretId',
      ]);
      expect(schedule.RotateImmediatelyOnUpdate).toBe(false);
    }
  });
});

describe('a tenant stack', () => {
  const ssmParameters = (of: Synthesis) => {
    const { Parameters } = of.template(TENANT_STACK) as unknown as {
      Parameters: Record<string, { Default: string }>;
    };
    return Object.values(Parameters)
      .map(({ Default }) => Default)
      .filter((name) => !name.startsWith('/cdk-bootstrap/'));
  };

  it('references only the deployment’s parameters', () => {
    expect(ssmParameters(synthesis)).toEqual([
      '/latchkey/staging/global/key-arn',
      '/latchkey/staging/global/rotate-credentials-arn',
      '/latchkey/staging/global/rotate-credentials-role-arn',
      '/latchkey/staging/global/alarm-topic-arn',
    ]);
    const topicArn = 'arn:aws:sns:eu-west-1:222233334444:pager';
    expect(ssmParameters(withSchedule('none', { kmsKeyArn: KEY_ARN, alarms: { topicArn } }))).toEqual([
      '/latchkey/staging/global/rotate-credentials-arn',
      '/latchkey/staging/global/rotate-credentials-role-arn',
    ]);
  });

  it('has no imports or exports, so that each stack can be removed alone', () => {
    const text = JSON.stringify(synthesis.assembly.stacks.map(({ template: of }) => of as unknown));

    expect(text).not.toContain('Fn::ImportValue');
    expect(text).not.toContain('"Export"');
  });
});

describe('rotate-credentials', () => {
  it('can be invoked only by Secrets Manager, for this deployment’s credentials in this account', () => {
    const permissions = synthesis
      .resourcesOf(STACK, 'AWS::Lambda::Permission')
      .map(({ Properties }) => Properties)
      .filter(({ FunctionName }) => JSON.stringify(FunctionName).includes(rotate!.logicalId));

    expect(permissions).toEqual(
      ['client-credentials', 'api-key'].map((kind) => ({
        Action: 'lambda:InvokeFunction',
        FunctionName: { 'Fn::GetAtt': [rotate!.logicalId, 'Arn'] },
        Principal: 'secretsmanager.amazonaws.com',
        SourceAccount: '222233334444',
        SourceArn: {
          'Fn::Join': [
            '',
            [
              'arn:',
              { Ref: 'AWS::Partition' },
              `:secretsmanager:eu-west-1:222233334444:secret:latchkey/staging/global/*/${kind}-??????`,
            ],
          ],
        },
      })),
    );
  });
});
