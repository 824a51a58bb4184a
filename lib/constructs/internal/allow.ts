import * as iam from 'aws-cdk-lib/aws-iam';

export function allow(
  role: iam.IRole,
  actions: string[],
  resources: string[],
  conditions?: iam.Conditions,
): void {
  role.addToPrincipalPolicy(new iam.PolicyStatement({ actions, resources, conditions }));
}
