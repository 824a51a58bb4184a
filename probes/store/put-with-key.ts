import { PutSecretValueCommand } from '@aws-sdk/client-secrets-manager';

import { notRun, type Probe, verdictOf } from '../probe';
import { allow, arnOf, key, outputs, role, secretShell, withStack } from '../templates';

/** The rights on the key that each role has. */
const RIGHTS = {
  Both: ['kms:GenerateDataKey', 'kms:Decrypt'],
  OnlyGenerate: ['kms:GenerateDataKey'],
  OnlyDecrypt: ['kms:Decrypt'],
} as const;

/** How long a policy takes to be in force everywhere. */
const SETTLED_SEC = 15;

export const putWithKey: Probe = {
  id: 'put-with-key',
  group: 'store',
  subject: '`PutSecretValue` with a customer managed key',
  reliedOn: 'needs `kms:GenerateDataKey` and `kms:Decrypt`, as AWS documents',
  otherwise: 'one right too many',
  sources: [
    'https://docs.aws.amazon.com/secretsmanager/latest/apireference/API_PutSecretValue.html',
    'https://docs.aws.amazon.com/secretsmanager/latest/userguide/security-encryption.html',
  ],
  look: (system) => {
    const roles = Object.entries(RIGHTS).map(([name, rights]): [string, object] => [
      name,
      role(system, undefined, [
        allow(['secretsmanager:PutSecretValue'], { Ref: 'Secret' }),
        allow(rights, arnOf('Key')),
      ]),
    ]);
    const template = {
      Resources: {
        Key: key(system),
        Secret: secretShell(system, 'encrypted', { KmsKeyId: arnOf('Key') }),
        ...Object.fromEntries(roles),
      },
      Outputs: outputs({
        SecretArn: { Ref: 'Secret' },
        ...Object.fromEntries(Object.keys(RIGHTS).map((name) => [name, arnOf(name)])),
      }),
    };
    return withStack(system, template, async ({ SecretArn: SecretId, ...roleArns }) => {
      const isAccepted = async (name: keyof typeof RIGHTS): Promise<boolean> => {
        const { secretsManager } = await system.as(roleArns[name]!);
        try {
          await secretsManager.send(new PutSecretValueCommand({ SecretId, SecretString: name }));
          return true;
        } catch (error) {
          if ((error as Error).name === 'AccessDeniedException') return false;
          throw error;
        }
      };
      // All three roles are of the same age, and so are their policies.
      const withBoth = await system.time.until(async () => (await isAccepted('Both')) || undefined, {
        withinSec: 60,
      });
      if (!withBoth) return notRun('denied with both rights');
      await system.time.pass(SETTLED_SEC);
      const [generate, decrypt] = [await isAccepted('OnlyGenerate'), await isAccepted('OnlyDecrypt')];
      const outcome = (isPut: boolean) => (isPut ? 'accepted' : 'denied');
      return verdictOf(
        !generate && !decrypt,
        `${outcome(generate)} with GenerateDataKey alone, ${outcome(decrypt)} with Decrypt alone`,
      );
    });
  },
};
