import { GetSecretValueCommand } from '@aws-sdk/client-secrets-manager';

import { asReliedOn, differs, type Probe } from '../probe';
import { allow, arnOf, outputs, role, withStack } from '../templates';

export const missingSecret: Probe = {
  id: 'missing-secret',
  group: 'store',
  subject: 'Reading a secret that does not exist, with permission on an ARN pattern',
  reliedOn: 'by its name: denied, or not found. Latchkey takes a denial as "perhaps missing", too',
  otherwise: "the command's advice is about something else than the missing secret",
  sources: [
    'https://docs.aws.amazon.com/secretsmanager/latest/userguide/troubleshoot.html',
    'https://docs.aws.amazon.com/secretsmanager/latest/userguide/auth-and-access_iam-policies.html',
  ],
  look: (system) => {
    const pattern = {
      'Fn::Sub': `arn:\${AWS::Partition}:secretsmanager:\${AWS::Region}:\${AWS::AccountId}:secret:${system.prefix}/*`,
    };
    const template = {
      Resources: { Reader: role(system, undefined, [allow(['secretsmanager:GetSecretValue'], pattern)]) },
      Outputs: outputs({ RoleArn: arnOf('Reader') }),
    };
    return withStack(system, template, async ({ RoleArn = '' }) => {
      const { secretsManager } = await system.as(RoleArn);
      const { name, arn } = await system.secret('one');
      const codeOf = async (SecretId: string) => {
        try {
          await secretsManager.send(new GetSecretValueCommand({ SecretId }));
          return 'its value';
        } catch (error) {
          return (error as Error).name;
        }
      };
      // The role's policy takes effect after some seconds.
      const isAllowed = async () => ((await codeOf(arn)) === 'its value' ? true : undefined);
      if (!(await system.time.until(isAllowed, { withinSec: 60 })))
        return differs('the role cannot read a secret that exists');
      const byName = await codeOf(`${system.prefix}/missing`);
      const seen = `${byName} for a missing name; of one that exists, the role reads ${await codeOf(name)}`;
      return ['AccessDeniedException', 'ResourceNotFoundException'].includes(byName)
        ? asReliedOn(seen)
        : differs(seen);
    });
  },
};
