import * as iam from 'aws-cdk-lib/aws-iam';

/** Adds a statement to the policy of a role. */
export function allow(
  role: iam.IRole,
  actions: string[],
  resources: string[],
  conditions?: iam.Conditions,
): void {
  role.addToPrincipalPolicy(new iam.PolicyStatement({ actions, resources, conditions }));
}
