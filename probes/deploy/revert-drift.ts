import { DeleteRolePolicyCommand, GetRolePolicyCommand } from '@aws-sdk/client-iam';
import { DeleteScheduleCommand, GetScheduleCommand } from '@aws-sdk/client-scheduler';
import { DeleteSecretCommand, DescribeSecretCommand } from '@aws-sdk/client-secrets-manager';

import { differs, notRun, type Probe, verdictOf } from '../probe';
import { DeploymentFailed } from '../system';
import { allow, arnOf, outputs, role, secretShell, withStack } from '../templates';

/** A secret whose deletion is forced is gone after some seconds. */
const GONE_SEC = 120;

const isThere = (look: Promise<unknown>): Promise<boolean> =>
  look.then(
    () => true,
    ({ name }: Error) => {
      if (/^(ResourceNotFound|NoSuchEntity)/.test(name)) return false;
      throw Object.assign(new Error('cannot look'), { name });
    },
  );

export const revertDrift: Probe = {
  id: 'revert-drift',
  group: 'deploy',
  subject:
    "`npx cdk deploy --revert-drift` on a secret, a schedule or a role's policy that was deleted by hand",
  reliedOn: 'it is as in the template again',
  otherwise: 'the advice for `secret_missing`, `schedule_missing` and `missing_grant` does not help',
  sources: ['https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/drift-aware-change-sets.html'],
  slow: true,
  look: async (system) => {
    const { stacks, prefix: name } = system;
    const { iam, scheduler, secretsManager } = system.aws;
    if (!stacks.revertDrift) return notRun('stacks have no drift here');
    const template = {
      Resources: {
        Secret: secretShell(system, 'drifted'),
        Role: role(system, 'scheduler.amazonaws.com', [
          allow(['secretsmanager:DescribeSecret'], { Ref: 'Secret' }),
        ]),
        Schedule: {
          Type: 'AWS::Scheduler::Schedule',
          Properties: {
            ...{ Name: `${name}-drifted`, State: 'DISABLED', ScheduleExpression: 'rate(1 day)' },
            FlexibleTimeWindow: { Mode: 'OFF' },
            Target: {
              Arn: { 'Fn::Sub': 'arn:${AWS::Partition}:scheduler:::aws-sdk:secretsmanager:describeSecret' },
              RoleArn: arnOf('Role'),
              Input: '{}',
            },
          },
        },
      },
      Outputs: outputs({ SecretArn: { Ref: 'Secret' }, RoleName: { Ref: 'Role' } }),
    };
    return withStack(system, template, async ({ RoleName }) => {
      const SecretId = `${name}/drifted`;
      const Name = `${name}-drifted`;
      const grant = { RoleName, PolicyName: 'probe' };
      const secretIsThere = () => isThere(secretsManager.send(new DescribeSecretCommand({ SecretId })));
      await secretsManager.send(new DeleteSecretCommand({ SecretId, ForceDeleteWithoutRecovery: true }));
      await scheduler.send(new DeleteScheduleCommand({ Name }));
      await iam.send(new DeleteRolePolicyCommand(grant));
      await system.time.until(async () => ((await secretIsThere()) ? undefined : true), {
        withinSec: GONE_SEC,
      });
      try {
        await stacks.revertDrift!({ name, template });
      } catch (error) {
        if (!(error instanceof DeploymentFailed)) throw error;
        return differs(`the deployment failed: ${error.status ?? 'refused'}`);
      }
      const seen = {
        secret: await secretIsThere(),
        schedule: await isThere(scheduler.send(new GetScheduleCommand({ Name }))),
        policy: await isThere(iam.send(new GetRolePolicyCommand(grant))),
      };
      const missing = Object.entries(seen).filter(([, there]) => !there);
      return verdictOf(
        missing.length === 0,
        missing.length === 0
          ? 'all three are there again'
          : `missing: ${missing.map(([what]) => what).join(', ')}`,
      );
    });
  },
};
