import { DescribeSecretCommand, TagResourceCommand } from '@aws-sdk/client-secrets-manager';

import { type Probe, verdictOf } from '../probe';
import { outputs, secretShell, withStack } from '../templates';

const TAG = 'latchkey:by-hand';

export const undeclaredTags: Probe = {
  id: 'undeclared-tags',
  group: 'store',
  subject: 'Tags that a template does not declare, when CloudFormation updates a secret',
  reliedOn: 'they stay: it removes and sets only what changed in the template',
  otherwise:
    'after an update, every current API key opens the restore API until the next run of credential-proof, within 5 minutes',
  sources: ['https://github.com/aws-cloudformation/cloudformation-coverage-roadmap/issues/1707'],
  look: (system) => {
    const templateWith = (Description: string) => ({
      Resources: { Secret: secretShell(system, 'tagged', { Description }) },
      Outputs: outputs({ SecretArn: { Ref: 'Secret' } }),
    });
    return withStack(system, templateWith('before'), async ({ SecretArn: SecretId }) => {
      await system.aws.secretsManager.send(
        new TagResourceCommand({ SecretId, Tags: [{ Key: TAG, Value: 'yes' }] }),
      );
      await system.stacks.deploy({ name: system.prefix, template: templateWith('after') });
      const updated = await system.time.until(
        async () => {
          const secret = await system.aws.secretsManager.send(new DescribeSecretCommand({ SecretId }));
          return secret.Description === 'after' ? secret : undefined;
        },
        { withinSec: 60 },
      );
      const isKept = updated?.Tags?.some(({ Key }) => Key === TAG) === true;
      return verdictOf(isKept, `after an update of the description, the tag is ${isKept ? 'there' : 'gone'}`);
    });
  },
};
