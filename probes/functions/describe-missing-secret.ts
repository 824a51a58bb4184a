import { DescribeSecretCommand } from '@aws-sdk/client-secrets-manager';

import { type Probe, verdictOf } from '../probe';
import { allow, arnOf, outputs, role, withStack } from '../templates';

/** A new policy is in force after some seconds. */
const IN_FORCE_SEC = 60;

export const describeMissingSecret: Probe = {
  id: 'describe-missing-secret',
  group: 'functions',
  subject:
    '`DescribeSecret` on a name that does not exist, allowed on `*` with a condition on `secretsmanager:SecretId`',
  reliedOn: '`ResourceNotFoundException`',
  otherwise: 'a tenant that is not deployed counts as `store_access_denied`, and an alarm notifies',
  sources: [
    'https://docs.aws.amazon.com/service-authorization/latest/reference/list_awssecretsmanager.html',
    'https://docs.aws.amazon.com/secretsmanager/latest/apireference/API_DescribeSecret.html',
  ],
  look: (system) => {
    const named = { StringLike: { 'secretsmanager:SecretId': `${system.prefix}/*` } };
    const template = {
      Resources: { Reader: role(system, undefined, [allow(['secretsmanager:DescribeSecret'], '*', named)]) },
      Outputs: outputs({ RoleArn: arnOf('Reader') }),
    };
    return withStack(system, template, async ({ RoleArn = '' }) => {
      const { secretsManager } = await system.as(RoleArn);
      const outcomeOf = (SecretId: string) =>
        secretsManager.send(new DescribeSecretCommand({ SecretId })).then(
          () => 'described',
          ({ name }: Error) => name,
        );
      const { name } = await system.secret('one');
      await system.time.until(async () => (await outcomeOf(name)) === 'described' || undefined, {
        withinSec: IN_FORCE_SEC,
      });
      const [existing, missing] = [await outcomeOf(name), await outcomeOf(`${system.prefix}/missing`)];
      return verdictOf(
        existing === 'described' && missing === 'ResourceNotFoundException',
        `one that exists: ${existing}; a missing one: ${missing}`,
      );
    });
  },
};
