import { Stack } from 'aws-cdk-lib';
import { type IConstruct } from 'constructs';

import { acknowledge } from './acknowledge';

/** Why policies name secrets by patterns. */
export const BY_PATH =
  'The pattern is limited to this deployment’s path; full ARNs would exceed the policy size limit at about 60 tenants.';

/** Acknowledges cdk-nag's findings about resource patterns in a policy, each pattern separately. */
export function acknowledgeWildcards(
  policy: IConstruct | undefined,
  patterns: string[],
  reason: string,
): void {
  if (policy === undefined) return;
  const rules = patterns.map((pattern) => `AwsSolutions-IAM5[Resource::${asNagWritesIt(policy, pattern)}]`);
  acknowledge(policy, rules, reason);
}

/** The ARN with references as `<LogicalId>`, as cdk-nag writes it. */
function asNagWritesIt(scope: IConstruct, arn: string): string {
  const resolved: unknown = Stack.of(scope).resolve(arn);
  if (typeof resolved === 'string') return resolved;
  const [, parts] = (resolved as { 'Fn::Join': [string, (string | { Ref: string })[]] })['Fn::Join'];
  return parts.map((part) => (typeof part === 'string' ? part : `<${part.Ref}>`)).join('');
}
