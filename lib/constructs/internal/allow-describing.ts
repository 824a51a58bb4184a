import type * as iam from 'aws-cdk-lib/aws-iam';

import { allow } from './allow';
import { type DeploymentFile } from '../../../core/deployment/deployment-file';
import { deploymentPath } from '../../../core/secrets/secret-names';
import { ownPolicyOf } from './acknowledge';
import { acknowledgeWildcards } from './acknowledge-wildcards';

/**
 * Lets a role describe secrets below the tenants' paths by name. Permissions on ARNs do not cover a name that does not exist,
 * so AWS would deny it, as if a permission were missing. With this permission, AWS says that the secret does not exist: the
 * tenant's stack is not deployed.
 */
export function allowDescribing(role: iam.IRole, deployment: DeploymentFile, names: string[]): void {
  const root = deploymentPath(deployment.prefix, deployment);
  allow(role, ['secretsmanager:DescribeSecret'], ['*'], {
    StringLike: { 'secretsmanager:SecretId': names.map((name) => `${root}/*/${name}`) },
  });
  acknowledgeWildcards(
    ownPolicyOf(role),
    ['*'],
    'A secret that does not exist has no ARN. The condition limits the names to this deployment’s path.',
  );
}
