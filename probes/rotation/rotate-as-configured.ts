import { notRun, type Probe, verdictOf } from '../probe';
import { RULES, withRotation } from '../rotated-secret';
import { allow, arnOf, role } from '../templates';
import { RotateSecretCommand, type RotateSecretCommandInput } from '@aws-sdk/client-secrets-manager';

export const rotateAsConfigured: Probe = {
  id: 'rotate-as-configured',
  group: 'rotation',
  subject:
    '`secretsmanager:ModifyRotationRules` of a RotateSecret without rules, and `RotationLambdaARN` of one that names no function',
  reliedOn: 'absent, `false`, or the function that the secret has',
  otherwise: 'operators cannot rotate',
  sources: [
    'https://docs.aws.amazon.com/service-authorization/latest/reference/list_awssecretsmanager.html#awssecretsmanager-policy-keys',
  ],
  look: (system) => {
    const operator = role(system, undefined, [
      allow(
        ['secretsmanager:RotateSecret'],
        { Ref: 'Secret' },
        {
          ArnEqualsIfExists: { 'secretsmanager:RotationLambdaARN': arnOf('Function') },
          BoolIfExists: { 'secretsmanager:ModifyRotationRules': 'false' },
        },
      ),
      allow(['lambda:InvokeFunction'], arnOf('Function')),
    ]);
    const more = { resources: { Operator: operator }, outputs: { Operator: arnOf('Operator') } };
    return withRotation(system, { fails: 'createSecret', schedule: RULES, more }, async (rotation) => {
      if (!(await rotation.isIdle())) return notRun('the test of the configuration did not end');
      const { secretsManager } = await system.as(rotation.outputs.Operator!);
      const outcome = async (input: Partial<RotateSecretCommandInput> = {}) => {
        try {
          await secretsManager.send(new RotateSecretCommand({ SecretId: rotation.secretId, ...input }));
          return 'accepted';
        } catch (error) {
          return (error as Error).name;
        }
      };
      // The role's policy takes effect after some seconds.
      const accepted = await system.time.until(
        async () => ((await outcome()) === 'accepted' ? true : undefined),
        { withinSec: 60 },
      );
      const withRules = await outcome({ RotationRules: { AutomaticallyAfterDays: 1 } });
      return verdictOf(
        accepted === true && withRules === 'AccessDeniedException',
        `${accepted ? 'accepted' : 'denied'} as configured; with other rules: ${withRules}`,
      );
    });
  },
};
