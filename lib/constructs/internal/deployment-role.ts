import { createHash } from 'node:crypto';

import { Stack, Token } from 'aws-cdk-lib';
import * as iam from 'aws-cdk-lib/aws-iam';
import { type Construct } from 'constructs';

import { deploymentName, type DeploymentKey } from '../../../core/tokens/token-key';
import { type RolesConfiguration } from '../../options/roles-settings';
import { type DeploymentSettings } from '../deployment-settings';

export interface RoleSource {
  /** What the role is for, as a part of its name, such as `token-refresh`. */
  readonly name: string;
  /** @default a role named by CloudFormation */
  readonly options?: RolesConfiguration;
  /** Whose role it is, as a part of its name. */
  readonly owner: string;
}

export function roleOf({ options, file }: DeploymentSettings, name: string): RoleSource {
  return { name, options: options.roles, owner: ownerOf(file) };
}

/** IAM's limit: https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_iam-quotas.html */
const MAX_NAME_LENGTH = 64;
const HASH_LENGTH = 8;

export function createRole(
  scope: Construct,
  id: string,
  { name, options = {}, owner }: RoleSource,
  props: iam.RoleProps,
): iam.Role {
  const { path, namePrefix } = options;
  return new iam.Role(scope, id, {
    ...props,
    path,
    roleName: roleNameOf(scope, namePrefix, owner, name),
  });
}

/**
 * The name of a role or managed policy, which must be unique in the account, whatever its AWS region and path: it ends with a
 * hash of owner, name and region. The owner's name is cut off if the whole would be too long.
 * @returns undefined without a prefix, so that CloudFormation chooses the name
 */
export function roleNameOf(
  scope: Construct,
  namePrefix: string | undefined,
  owner: string,
  name: string,
): string | undefined {
  if (namePrefix === undefined) return undefined;
  const { region } = Stack.of(scope);
  const hash = createHash('sha256')
    .update(JSON.stringify([owner, name, Token.isUnresolved(region) ? '' : region]))
    .digest('hex')
    .slice(0, HASH_LENGTH);
  const end = `-${name}-${hash}`;
  return `${namePrefix}${owner.slice(0, MAX_NAME_LENGTH - namePrefix.length - end.length)}${end}`;
}

/** A deployment in the names of its roles. */
export function ownerOf({ prefix, ...deploymentKey }: DeploymentKey & { readonly prefix: string }): string {
  return `${prefix}-${deploymentName(deploymentKey)}`;
}
