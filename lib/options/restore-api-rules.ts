import { partOf } from './arn';
import { type ConfigurationIssue } from './configuration-issue';
import { callerAccountsRoom, hasRoomForOrganizations } from './restore-api-settings';
import { type WellFormedConfiguration, type WellFormedDeployment } from './well-formed';

/** Settings that need an AWS account, so a local configuration cannot have them. */
const IN_AN_ACCOUNT = ['webAclArn', 'domain', 'vpcEndpointIds'] as const;

/** The fields that say where a deployment is. */
const LOCATION = ['account', 'region'] as const;

/** Violated rules about the restore API of one deployment. Paths are relative to the deployment. */
export function restoreApiIssues(deployment: WellFormedDeployment, local: boolean): ConfigurationIssue[] {
  const { restoreApi } = deployment;
  if (restoreApi === undefined) return [];
  const issues = [
    ...usagePlanIssues(restoreApi),
    ...callerAccountsIssues(restoreApi, deployment.account),
    ...callerOrganizationsIssues(restoreApi),
  ];
  const { domain, vpcEndpointIds, webAclArn, ratePerIp } = restoreApi;
  if (webAclArn !== undefined && ratePerIp !== undefined) {
    const allowed = 'nothing together with webAclArn: add a rate-based rule to your web ACL';
    issues.push({ path: ['ratePerIp'], found: ratePerIp, allowed });
  }
  if (domain !== undefined && vpcEndpointIds !== undefined) {
    const allowed =
      'nothing together with vpcEndpointIds: API Gateway sets up the domain of a private API separately';
    issues.push({ path: ['domain'], found: domain, allowed });
  }
  // Public hosted zones do not exist there, and an alias in a private one leads only to a record of the same zone.
  // https://docs.aws.amazon.com/govcloud-us/latest/UserGuide/govcloud-r53.html
  if (domain?.hostedZoneId !== undefined && deployment.region?.startsWith('us-gov-')) {
    const allowed = `nothing in ${deployment.region}: create a CNAME record to the parameter restore-domain-target yourself`;
    issues.push({ path: ['domain', 'hostedZoneId'], found: domain.hostedZoneId, allowed });
  }
  if (local) {
    const allowed = 'nothing: a local configuration is never deployed to an account';
    for (const field of IN_AN_ACCOUNT) {
      const found = restoreApi[field];
      if (found !== undefined) issues.push({ path: [field], found, allowed });
    }
  }
  return [
    ...(local ? [] : locationIssues(deployment, restoreApi)),
    ...issues.map((issue) => ({ ...issue, path: ['restoreApi', ...issue.path] })),
  ];
}

type RestoreApi = NonNullable<WellFormedDeployment['restoreApi']>;

function usagePlanIssues({ auth, usagePlan, ...stage }: RestoreApi): ConfigurationIssue[] {
  if (usagePlan === undefined) return [];
  const issues: ConfigurationIssue[] = [];
  if (auth === 'iam') {
    const allowed =
      'nothing with auth iam: without an authorizer, API Gateway does not know the calling tenant';
    issues.push({ path: ['usagePlan'], found: usagePlan, allowed });
  }
  for (const field of ['rateLimit', 'burstLimit'] as const) {
    const [found, bound] = [usagePlan[field], stage[field]];
    if (found !== undefined && bound !== undefined && found > bound) {
      const allowed = `at most ${bound}, the ${field} of the whole API`;
      issues.push({ path: ['usagePlan', field], found, allowed });
    }
  }
  return issues;
}

const NO_SIGNERS = 'nothing with auth platform: callers authenticate with the platform’s credentials';

const endpointCountOf = ({ vpcEndpointIds = [] }: RestoreApi) => vpcEndpointIds.length;

function callerAccountsIssues(restoreApi: RestoreApi, ownAccount: string | undefined): ConfigurationIssue[] {
  const { auth, callerAccounts: found = [], callerOrganizations = [] } = restoreApi;
  const path = ['callerAccounts'];
  if (found.length === 0) return [];
  if (auth !== 'iam') return [{ path, found, allowed: NO_SIGNERS }];
  const { max, rule } = callerAccountsRoom(endpointCountOf(restoreApi), callerOrganizations.length);
  const allowed = 'other accounts: in its own, grant principals execute-api:Invoke';
  return [
    ...(found.length > max ? [{ path, found, allowed: rule }] : []),
    ...found.flatMap((account, index) =>
      account === ownAccount ? [{ path: [...path, index], found: account, allowed }] : [],
    ),
  ];
}

function callerOrganizationsIssues(restoreApi: RestoreApi): ConfigurationIssue[] {
  const { auth, callerOrganizations: found = [] } = restoreApi;
  const path = ['callerOrganizations'];
  if (found.length === 0) return [];
  if (auth !== 'iam') return [{ path, found, allowed: NO_SIGNERS }];
  const endpoints = endpointCountOf(restoreApi);
  if (hasRoomForOrganizations(endpoints, found.length)) return [];
  const allowed = `fewer with ${endpoints} vpcEndpointIds: API Gateway limits the resource policy to 8,192 characters`;
  return [{ path, found, allowed }];
}

/**
 * API Gateway rejects a web ACL or certificate of another account or region in the middle of a deployment. So account
 * and region must be configured: those of the AWS profile are known only at deployment. Paths are relative to the deployment.
 */
function locationIssues(
  deployment: WellFormedDeployment,
  { webAclArn, domain }: RestoreApi,
): ConfigurationIssue[] {
  const resources = [
    { path: ['restoreApi', 'webAclArn'], found: webAclArn, what: 'a web ACL' },
    {
      path: ['restoreApi', 'domain', 'certificateArn'],
      found: domain?.certificateArn,
      what: 'a certificate',
    },
  ].flatMap(({ found, ...rest }) => {
    const [region, account] = [partOf(found, 'region'), partOf(found, 'account')];
    return region === undefined || account === undefined ? [] : [{ ...rest, found, region, account }];
  });
  const [first] = resources;
  if (first === undefined) return [];
  const missing = LOCATION.filter((field) => deployment[field] === undefined).map((field) => ({
    path: [field],
    found: undefined,
    allowed: `${first[field]}, the ${field} of ${first.path.join('.')}; without it, your AWS profile decides`,
  }));
  const misplaced = resources
    .filter((resource) => LOCATION.some((field) => (deployment[field] ?? first[field]) !== resource[field]))
    .map(({ path, found, what }) => ({
      path,
      found,
      allowed: `${what} in the deployment’s account and region`,
    }));
  return [...missing, ...misplaced];
}

/** Domain names that several deployments use: only the first API deployed would get the name. */
export function domainIssues(
  deployments: NonNullable<WellFormedConfiguration['deployments']>,
): ConfigurationIssue[] {
  const seen = new Set<string>();
  return deployments.flatMap((deployment, index) => {
    const name = deployment?.restoreApi?.domain?.name;
    if (name === undefined) return [];
    const isRepeated = seen.has(name);
    seen.add(name);
    const path = ['deployments', index, 'restoreApi', 'domain', 'name'];
    return isRepeated ? [{ path, found: name, allowed: 'each name in only one deployment' }] : [];
  });
}
