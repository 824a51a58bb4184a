import { type PolicyStatement } from 'cdk-on-loopback/testing';
import { type LocalAws, ROLE_ARN } from 'cdk-on-loopback/testing/local-aws';

/**
 * The message of a denial by AWS.
 * @see IAM user guide, troubleshoot_access-denied
 */
export function denialText(action: string, resource: string): string {
  return (
    `User: ${ROLE_ARN}/session is not authorized to perform: ${action} on resource: ${resource} ` +
    `because no identity-based policy allows the ${action} action`
  );
}

/** Adds statements to the function's role; a `Deny` removes a permission. */
export function changeRole({ account }: LocalAws, ...statements: PolicyStatement[]): void {
  const document = { Version: '2012-10-17', Statement: statements };
  account.roles.get(ROLE_ARN)!.inlinePolicies.push({ name: 'the change', document });
}
