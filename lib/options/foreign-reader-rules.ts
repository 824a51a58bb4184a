import { type ConfigurationIssue } from './configuration-issue';
import { type WellFormedDeployment } from './well-formed';

/**
 * Maximum size of a function's resource policy, in bytes.
 * @see https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html (function resource-based policy)
 */
const MAX_POLICY_BYTES = 20_480;

/** The longest names that a statement can have: of a partition, a region, a function and a statement. */
const PARTITION = 'aws-us-gov';
const FUNCTION_ARN = `arn:${PARTITION}:lambda:ap-southeast-1:${'0'.repeat(12)}:function:${'f'.repeat(64)}`;
const ACCOUNT_STATEMENT = {
  Sid: 's'.repeat(100),
  Effect: 'Allow',
  Principal: { AWS: `arn:${PARTITION}:iam::${'0'.repeat(12)}:root` },
  Action: 'lambda:InvokeFunction',
  Resource: FUNCTION_ARN,
};
const ORGANIZATION_STATEMENT = {
  ...ACCOUNT_STATEMENT,
  Principal: '*',
  Condition: { StringEquals: { 'aws:PrincipalOrgID': `o-${'o'.repeat(32)}` } },
};

/** With the comma after it. */
const bytesOf = (statement: object) => JSON.stringify(statement).length + 1;
const EMPTY_POLICY_BYTES = JSON.stringify({ Version: '2012-10-17', Id: 'default', Statement: [] }).length;

/** The policy of token-refresh has a statement for each account and organization that may read a token. Paths are relative to the deployment. */
export function foreignReaderIssues({ tenants = [] }: WellFormedDeployment): ConfigurationIssue[] {
  const tokens = tenants.flatMap((tenant) => tenant?.tokens ?? []);
  const accounts = new Set(tokens.flatMap((token) => token?.readerAccounts ?? []));
  const organizations = new Set(tokens.flatMap((token) => token?.readerOrganizations ?? []));
  const room = MAX_POLICY_BYTES - EMPTY_POLICY_BYTES - organizations.size * bytesOf(ORGANIZATION_STATEMENT);
  const max = Math.max(0, Math.floor(room / bytesOf(ACCOUNT_STATEMENT)));
  if (room >= 0 && accounts.size <= max) return [];
  const beside = organizations.size === 0 ? '' : ` beside ${organizations.size} organizations`;
  const found = `${accounts.size} accounts in readerAccounts${beside}`;
  const allowed =
    room < 0
      ? `fewer organizations, because the policy of token-refresh names each in at most ${MAX_POLICY_BYTES} bytes`
      : `at most ${max}, because the policy of token-refresh names each in at most ${MAX_POLICY_BYTES} bytes; for more, name their organization in readerOrganizations`;
  return [{ path: ['tenants'], found, allowed }];
}
