import type * as iam from 'aws-cdk-lib/aws-iam';
import { type IConstruct } from 'constructs';

/**
 * Where `Validations.acknowledge` keeps acknowledgements, and cdk-nag 3 finds them. Written directly, because aws-cdk-lib
 * before 2.269 has no `Validations` or one that refuses `::` in a rule.
 * @see https://docs.aws.amazon.com/cdk/api/v2/docs/aws-cdk-lib.Validations.html (ACKNOWLEDGED_RULES_METADATA_KEY)
 */
const ACKNOWLEDGED_RULES = 'aws:cdk:acknowledged-rules';

/**
 * Acknowledges findings of cdk-nag about one resource.
 * @param on undefined for a role that exists, which has no resource
 * @param rules with their pack, such as `AwsSolutions-SQS3`
 * @param reason a sentence that is true of this resource
 */
export function acknowledge(on: IConstruct | undefined, rules: readonly string[], reason: string): void {
  for (const rule of rules) {
    const pack = rule.slice(0, rule.indexOf('-'));
    on?.node.addMetadata(ACKNOWLEDGED_RULES, { [`${pack}::${rule}`]: reason });
  }
}

/** The inline policy of a role that has statements already; undefined for one that CDK's `customizeRoles` replaces. */
export function ownPolicyOf(role: iam.IRole): IConstruct | undefined {
  return role.node.tryFindChild('DefaultPolicy');
}

export function acknowledgeOwnPolicy(role: iam.IRole): void {
  const policy = ownPolicyOf(role);
  if (policy === undefined) return;
  acknowledge(
    policy,
    ['NIST.800.53.R5-IAMNoInlinePolicy'],
    'The policy is for this role alone and goes with it; a managed one could be attached to others.',
  );
}
