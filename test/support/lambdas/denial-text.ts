import { ROLE_ARN } from 'cdk-on-loopback/testing/local-aws';

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
