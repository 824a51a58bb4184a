import { Stack, type StackProps } from 'aws-cdk-lib';
import * as iam from 'aws-cdk-lib/aws-iam';
import { type Construct } from 'constructs';

import { deploymentName } from '../../core/tokens/token-key';
import { type Configuration } from '../options/schema';
import { type PolicyText, type RoleDocument, roleDocuments } from './role-documents';

export interface LocalRolesStackProps extends StackProps {
  readonly configuration: Configuration;
}

/** The roles and policies of `roles.existing`, with what `latchkey roles` prints: on the laptop, no cloud team makes them. */
export class LocalRolesStack extends Stack {
  private readonly roles = new Map<string, iam.CfnRole>();

  constructor(scope: Construct, id: string, { configuration, ...props }: LocalRolesStackProps) {
    super(scope, id, props);
    const printed = roleDocuments(configuration);
    configuration.deployments.forEach((deployment, index) => {
      const { existing } = deployment.roles;
      if (existing === undefined) return;
      const owner = deploymentName(deployment);
      for (const role of printed[index]!.roles) this.addRole(owner, role, existing[role.name]!);
      const { path, name } = partsOf(existing.operatorPolicy!);
      new iam.CfnManagedPolicy(this, `${owner}-operatorPolicy`, {
        ...{ path, managedPolicyName: name },
        policyDocument: printed[index]!.operatorPolicy,
      });
    });
  }

  private addRole(
    owner: string,
    { name, trustPolicy, managedPolicyArns, policy }: RoleDocument,
    arn: string,
  ): void {
    const id = `${owner}-${name}`;
    const known = this.roles.get(arn);
    if (known === undefined) {
      const { path, name: roleName } = partsOf(arn);
      const properties = { path, roleName, managedPolicyArns: [...managedPolicyArns] };
      this.roles.set(
        arn,
        new iam.CfnRole(this, id, { ...properties, assumeRolePolicyDocument: trustPolicy }),
      );
    } else {
      // One role for several purposes has the statements of all.
      const before = known.assumeRolePolicyDocument as PolicyText;
      known.assumeRolePolicyDocument = {
        ...before,
        Statement: [...before.Statement, ...trustPolicy.Statement],
      };
      known.managedPolicyArns = [...new Set([...(known.managedPolicyArns ?? []), ...managedPolicyArns])];
    }
    if (policy === undefined) return;
    const roles = [this.roles.get(arn)!.ref];
    new iam.CfnPolicy(this, `${id}-policy`, { policyName: id, policyDocument: policy, roles });
  }
}

/** `arn:aws:iam::111111111111:role/team/token-refresh` */
function partsOf(arn: string): { path: string; name: string } {
  const resource = arn.slice(arn.indexOf('/'));
  const end = resource.lastIndexOf('/') + 1;
  return { path: resource.slice(0, end), name: resource.slice(end) };
}
