import { Aws } from 'aws-cdk-lib';

/** The condition key is absent for principals of accounts without an organization. */
export const ORGANIZATION_ID = 'aws:PrincipalOrgID';

/**
 * Conditions for every account of these organizations except the resource's own: there, a statement for everybody would allow
 * even principals whose own policies allow nothing.
 * @see https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_condition-keys.html#condition-keys-principalorgid
 * @see https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_evaluation-logic_policy-eval-basics-single-account.html
 */
export function membersOf(organizations: readonly string[]) {
  return {
    StringEquals: { [ORGANIZATION_ID]: organizations },
    StringNotEquals: { 'aws:PrincipalAccount': Aws.ACCOUNT_ID },
  };
}
