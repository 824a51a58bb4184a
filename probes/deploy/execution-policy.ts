import { ListAttachedRolePoliciesCommand } from '@aws-sdk/client-iam';

import { asReliedOn, notRun, type Probe } from '../probe';

/** The names that the page gives to the policies. */
const NAME = /^cdk-deploys-/;

export const executionPolicy: Probe = {
  id: 'execution-policy',
  group: 'deploy',
  subject: '[The execution policy](execution-policy.md)',
  reliedOn: "the registry's schemas name every permission that CloudFormation needs",
  otherwise: 'a deployment fails with `AccessDenied`',
  sources: ['https://docs.aws.amazon.com/cdk/v2/guide/bootstrapping-customizing.html'],
  needs: 'latchkey',
  async look({ aws: { iam }, place: { accountId, region } }) {
    const RoleName = `cdk-hnb659fds-cfn-exec-role-${accountId}-${region}`;
    let names: string[];
    try {
      const { AttachedPolicies = [] } = await iam.send(new ListAttachedRolePoliciesCommand({ RoleName }));
      names = AttachedPolicies.map(({ PolicyName = '' }) => PolicyName);
    } catch (error) {
      return notRun(`the role of the bootstrap stack cannot be read: ${(error as Error).name}`);
    }
    if (names.length === 0 || !names.every((name) => NAME.test(name)))
      return notRun('the account is not bootstrapped with the execution policy');
    return asReliedOn(`the run was deployed with ${names.length} policies that the page describes`);
  },
};
