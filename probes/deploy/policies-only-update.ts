import { DeleteSecretCommand, DescribeSecretCommand } from '@aws-sdk/client-secrets-manager';

import { asReliedOn, type Probe } from '../probe';
import { outputs, secretShell, withStack } from '../templates';

/** A secret that a stack deletes is gone after some seconds. */
const DELETED_SEC = 60;

export const policiesOnlyUpdate: Probe = {
  id: 'policies-only-update',
  group: 'deploy',
  subject: 'An update that changes only `DeletionPolicy` or `UpdateReplacePolicy`',
  reliedOn: 'ignored, or applied: the stack of the logging role changes a property, too',
  otherwise: 'nothing: right either way',
  sources: [
    'https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-attribute-deletionpolicy.html',
  ],
  async look(system) {
    const { prefix: name, stacks } = system;
    const { secretsManager } = system.aws;
    const templateWith = (DeletionPolicy: string) => ({
      Resources: {
        Secret: { ...secretShell(system, 'policies'), DeletionPolicy, UpdateReplacePolicy: DeletionPolicy },
      },
      Outputs: outputs({ SecretArn: { Ref: 'Secret' } }),
    });
    const SecretId = await withStack(system, templateWith('Delete'), async ({ SecretArn }) => {
      await stacks.deploy({ name, template: templateWith('Retain') });
      return SecretArn;
    });
    const isGone = await system.time.until(
      async () => {
        try {
          const { DeletedDate } = await secretsManager.send(new DescribeSecretCommand({ SecretId }));
          return DeletedDate === undefined ? undefined : true;
        } catch (error) {
          if ((error as Error).name === 'ResourceNotFoundException') return true;
          throw error;
        }
      },
      { withinSec: DELETED_SEC, everySec: 15 },
    );
    if (!isGone)
      await secretsManager.send(new DeleteSecretCommand({ SecretId, ForceDeleteWithoutRecovery: true }));
    return asReliedOn(`a change to Retain alone was ${isGone ? 'ignored' : 'applied'}`);
  },
};
