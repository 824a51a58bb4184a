import { LOCAL_SERVICE, type PolicyStatement, signedFetch } from 'cdk-on-loopback/testing';
import { type LocalAws, ROLE_ARN } from 'cdk-on-loopback/testing/local-aws';

/** The Secrets Manager operations that the function calls. */
type SecretsManagerOperation = 'GetSecretValue' | 'PutSecretValue' | 'DescribeSecret';

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

/**
 * Makes the local endpoint fail calls with an exception: all, or the next few.
 * @param fault.secretId text in the names of the affected secrets
 */
export async function injectAwsFault(
  { url, administrator }: LocalAws,
  {
    secretId,
    ...fault
  }: { operation: SecretsManagerOperation; error: string; times?: number; secretId?: string },
): Promise<void> {
  const match = secretId === undefined ? {} : { match: { secretId } };
  const answer = await signedFetch(`${url}/_local/faults`, administrator, LOCAL_SERVICE, {
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ service: 'secretsmanager', ...fault, ...match }),
  });
  expect(answer.status).toBe(200);
}

/** Adds statements to the function's role; a `Deny` removes a permission. */
export function changeRole({ account }: LocalAws, ...statements: PolicyStatement[]): void {
  const document = { Version: '2012-10-17', Statement: statements };
  account.roles.get(ROLE_ARN)!.inlinePolicies.push({ name: 'the change', document });
}
