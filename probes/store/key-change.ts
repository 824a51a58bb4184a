import { ListSecretVersionIdsCommand, PutSecretValueCommand } from '@aws-sdk/client-secrets-manager';

import { CANDIDATE_LABEL } from '../../contract/credential-labels';
import { notRun, type Probe, verdictOf } from '../probe';
import { arnOf, key, outputs, secretShell, withStack } from '../templates';

const LABELS = ['AWSCURRENT', 'AWSPENDING', 'AWSPREVIOUS', CANDIDATE_LABEL] as const;

export const keyChange: Probe = {
  id: 'key-change',
  group: 'store',
  subject: 'A secret whose `KmsKeyId` CloudFormation changes',
  reliedOn:
    'versions with `AWSCURRENT`, `AWSPENDING` and `AWSPREVIOUS` are re-encrypted; one with our own label alone keeps its key',
  otherwise: 'a former key is needed longer, or shorter',
  sources: ['https://docs.aws.amazon.com/secretsmanager/latest/userguide/manage_update-encryption-key.html'],
  look: (system) => {
    const templateWith = (current: 'Former' | 'Later') => ({
      Resources: {
        Former: key(system),
        Later: key(system),
        Secret: secretShell(system, 'encrypted', { KmsKeyId: arnOf(current) }),
      },
      Outputs: outputs({ SecretArn: { Ref: 'Secret' }, Later: arnOf('Later') }),
    });
    return withStack(system, templateWith('Former'), async ({ SecretArn: SecretId, Later }) => {
      const { secretsManager } = system.aws;
      const put = (SecretString: string, ...VersionStages: string[]) =>
        secretsManager.send(new PutSecretValueCommand({ SecretId, SecretString, VersionStages }));
      await put('one', 'AWSCURRENT');
      await put('two', 'AWSCURRENT');
      await put('three', 'AWSPENDING');
      await put('four', CANDIDATE_LABEL);
      await system.stacks.deploy({ name: system.prefix, template: templateWith('Later') });

      const keysByLabel = async () => {
        const { Versions = [] } = await system.aws.secretsManager.send(
          new ListSecretVersionIdsCommand({ SecretId }),
        );
        const found = LABELS.map((label) =>
          Versions.find(({ VersionStages }) => VersionStages?.includes(label)),
        );
        return found.map((version) => (version?.KmsKeyIds ?? []).some((id) => Later!.endsWith(id)));
      };
      // KMS keeps its answers for a short time, and the listing its own.
      const isReEncrypted = await system.time.until(
        async () => {
          const [current, ...others] = await keysByLabel();
          return current ? [current, ...others] : undefined;
        },
        { withinSec: 60 },
      );
      if (isReEncrypted === undefined) return notRun('the listing never named the later key');
      const named = LABELS.filter((_label, n) => isReEncrypted[n]);
      return verdictOf(
        isReEncrypted.join() === 'true,true,true,false',
        `the later key opens the versions with ${named.join(', ')}`,
      );
    });
  },
};
