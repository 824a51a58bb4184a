import { Validations } from 'aws-cdk-lib';
import type * as iam from 'aws-cdk-lib/aws-iam';
import { type IConstruct } from 'constructs';

/**
 * Acknowledges findings of cdk-nag about one resource.
 * @param rules with their pack, such as `AwsSolutions-SQS3`
 * @param reason a sentence that is true of this resource
 */
export function acknowledge(on: IConstruct, rules: readonly string[], reason: string): void {
  Validations.of(on).acknowledge(
    ...rules.map((rule) => ({ id: `${rule.slice(0, rule.indexOf('-'))}::${rule}`, reason })),
  );
}

/** Acknowledges the inline policy of a role, which has statements already. */
export function acknowledgeOwnPolicy(role: iam.Role): void {
  acknowledge(
    role.node.findChild('DefaultPolicy'),
    ['NIST.800.53.R5-IAMNoInlinePolicy'],
    'The policy is for this role alone and goes with it; a managed one could be attached to others.',
  );
}
