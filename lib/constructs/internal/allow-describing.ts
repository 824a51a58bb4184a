import type * as iam from 'aws-cdk-lib/aws-iam';

import { allow } from './allow';
import { type DeploymentFile } from '../../../core/deployment/deployment-file';
import { deploymentPath } from '../../../core/secrets/secret-names';
import { ownPolicyOf } from './acknowledge';
import { acknowledgeWildcards } from './acknowledge-wildcards';

/**
 * Lets a role describe secrets below the tenants' paths by name. AWS denies a name that does not exist, because
 * permissions on ARNs do not cover it. With this one it says so, and a tenant whose stack is not deployed yet, or no
 * longer, does not count as a missing permission.
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
