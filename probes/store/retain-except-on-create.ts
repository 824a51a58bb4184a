import { DescribeSecretCommand } from '@aws-sdk/client-secrets-manager';

import { DeploymentFailed } from '../system';
import { notRun, type Probe, verdictOf } from '../probe';
import { arnOf, key, secretShell } from '../templates';

const RETAINED = { DeletionPolicy: 'RetainExceptOnCreate', UpdateReplacePolicy: 'Retain' };

export const retainExceptOnCreate: Probe = {
  id: 'retain-except-on-create',
  group: 'store',
  subject: '`RetainExceptOnCreate` with `UpdateReplacePolicy: Retain`',
  reliedOn: 'a stack whose creation fails deletes secrets and key, by force, so that their names are free',
  otherwise: 'a first deployment that failed meets `already exists`',
  sources: [
    'https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/aws-attribute-deletionpolicy.html',
    'https://github.com/aws/aws-cdk/pull/26602',
  ],
  async look(system) {
    const name = system.prefix;
    const secret = secretShell(system, 'retained');
    const failing = {
      Resources: {
        Key: { ...key(system), ...RETAINED },
        Secret: { ...secretShell(system, 'retained', { KmsKeyId: arnOf('Key') }), ...RETAINED },
        Failing: {
          Type: 'AWS::Lambda::Permission',
          DependsOn: 'Secret',
          Properties: {
            Action: 'lambda:InvokeFunction',
            FunctionName: `${system.prefix.slice(0, 40)}-missing`,
            Principal: 'secretsmanager.amazonaws.com',
          },
        },
      },
    };
    try {
      const status = await statusOf(system.stacks.deploy({ name, template: failing }));
      if (status === 'CREATE_COMPLETE') return notRun('the stack that should fail was created');
      // Secrets Manager deletes by force in the background.
      const look = () =>
        system.aws.secretsManager.send(new DescribeSecretCommand({ SecretId: `${system.prefix}/retained` }));
      const isGone = await system.time.until(async () => ((await isFound(look)) ? undefined : true), {
        withinSec: 60,
      });
      const again = await statusOf(
        system.stacks.deploy({ name, template: { Resources: { Secret: secret } } }),
      );
      return verdictOf(
        isGone === true && again === 'CREATE_COMPLETE',
        `after a creation that failed, the secret is ${isGone ? 'gone' : 'there'}; the next creation: ${again}`,
      );
    } finally {
      await system.stacks.delete(name);
    }
  },
};

async function statusOf(deployment: Promise<unknown>): Promise<string> {
  try {
    await deployment;
    return 'CREATE_COMPLETE';
  } catch (error) {
    if (error instanceof DeploymentFailed && error.status !== undefined) return error.status;
    throw error;
  }
}

async function isFound(look: () => Promise<unknown>): Promise<boolean> {
  try {
    await look();
    return true;
  } catch (error) {
    if ((error as Error).name === 'ResourceNotFoundException') return false;
    throw error;
  }
}
