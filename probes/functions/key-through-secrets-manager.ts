import { GetSecretValueCommand, PutSecretValueCommand } from '@aws-sdk/client-secrets-manager';

import { type Probe, verdictOf } from '../probe';
import { allow, arnOf, key, outputs, role, secretShell, withStack } from '../templates';

/** A new policy is in force after some seconds. */
const IN_FORCE_SEC = 60;
/** What `kms:ViaService` may be, by role. */
const SUFFIXES = { Usual: '', China: '.cn' } as const;

export const keyThroughSecretsManager: Probe = {
  id: 'key-through-secrets-manager',
  group: 'functions',
  subject: '`kms:ViaService` of Secrets Manager, which matters in China',
  reliedOn: '`secretsmanager.REGION.amazonaws.com` or `.com.cn`: policies allow both',
  otherwise: 'functions cannot read secrets',
  sources: [
    'https://docs.aws.amazon.com/kms/latest/developerguide/conditions-kms.html#conditions-kms-via-service',
  ],
  look: (system) => {
    const readers = Object.entries(SUFFIXES).map(([name, suffix]) => {
      const service = `secretsmanager.${system.place.region}.amazonaws.com${suffix}`;
      const through = { StringEquals: { 'kms:ViaService': service } };
      return [
        name,
        role(system, undefined, [
          allow(['secretsmanager:GetSecretValue'], { Ref: 'Secret' }),
          allow(['kms:Decrypt'], arnOf('Key'), through),
        ]),
      ];
    });
    const template = {
      Resources: {
        Key: key(system),
        Secret: secretShell(system, 'encrypted', { KmsKeyId: arnOf('Key') }),
        ...(Object.fromEntries(readers) as object),
      },
      Outputs: outputs({ SecretArn: { Ref: 'Secret' }, Usual: arnOf('Usual'), China: arnOf('China') }),
    };
    return withStack(system, template, async ({ SecretArn: SecretId, Usual = '', China = '' }) => {
      await system.aws.secretsManager.send(new PutSecretValueCommand({ SecretId, SecretString: 'one' }));
      const mayRead = async (roleArn: string) => {
        const { secretsManager } = await system.as(roleArn);
        try {
          await secretsManager.send(new GetSecretValueCommand({ SecretId }));
          return true;
        } catch (error) {
          if (/AccessDenied/.test((error as Error).name)) return false;
          throw error;
        }
      };
      // Both policies are of the same age.
      const readable = await system.time.until(
        async () => {
          const readers = { usual: await mayRead(Usual), china: await mayRead(China) };
          return readers.usual || readers.china ? readers : undefined;
        },
        { withinSec: IN_FORCE_SEC },
      );
      const { usual = false, china = false } = readable ?? {};
      return verdictOf(
        usual || china,
        `read with .com: ${usual ? 'yes' : 'no'}; with .com.cn: ${china ? 'yes' : 'no'}`,
      );
    });
  },
};
