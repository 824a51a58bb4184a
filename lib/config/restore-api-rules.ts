import { type ConfigurationIssue } from './configuration-issue';
import { type Outline } from './outline';

type Deployment = NonNullable<Outline['deployments'][number]>;

/** Settings that name something in an account, of which a laptop has none. */
const IN_AN_ACCOUNT = ['webAclArn', 'domain', 'vpcEndpointIds'] as const;

/** What says where a deployment is. */
const PLACE = ['account', 'region'] as const;

/** What is wrong with the restore API of one deployment. Paths are relative to it. */
export function restoreApiIssues(deployment: Deployment, local: boolean): ConfigurationIssue[] {
  const { restoreApi } = deployment;
  if (restoreApi === null) return [];
  const issues = usagePlanIssues(restoreApi);
  const { domain, vpcEndpointIds } = restoreApi;
  if (domain !== undefined && vpcEndpointIds !== undefined) {
    const allowed = 'nothing beside vpcEndpointIds: a private API has its domain elsewhere in API Gateway';
    issues.push({ path: ['domain'], found: domain, allowed });
  }
  if (local) {
    const allowed = 'nothing: a configuration marked local is never deployed to an account';
    for (const field of IN_AN_ACCOUNT) {
      const found = restoreApi[field];
      if (found !== undefined) issues.push({ path: [field], found, allowed });
    }
  }
  return [
    ...(local ? [] : placeIssues(deployment, restoreApi)),
    ...issues.map((issue) => ({ ...issue, path: ['restoreApi', ...issue.path] })),
  ];
}

type RestoreApi = NonNullable<Deployment['restoreApi']>;

function usagePlanIssues({ auth, usagePlan, ...stage }: RestoreApi): ConfigurationIssue[] {
  if (usagePlan === undefined) return [];
  const issues: ConfigurationIssue[] = [];
  if (auth === 'iam') {
    const allowed = 'nothing with auth iam, where no authorizer tells API Gateway which tenant calls';
    issues.push({ path: ['usagePlan'], found: usagePlan, allowed });
  }
  for (const field of ['rateLimit', 'burstLimit'] as const) {
    const [found, bound] = [usagePlan[field], stage[field]];
    if (typeof found === 'number' && bound !== null && found > bound) {
      const allowed = `at most ${bound}, the ${field} of the whole API`;
      issues.push({ path: ['usagePlan', field], found, allowed });
    }
  }
  return issues;
}

/**
 * API Gateway refuses both in another place, in the middle of a deployment. Which place that is has to be known here: what
 * the profile decides is known at deployment only. Paths are relative to the deployment.
 */
function placeIssues(deployment: Deployment, { webAclArn, domain }: RestoreApi): ConfigurationIssue[] {
  const named = [
    { path: ['restoreApi', 'webAclArn'], found: webAclArn, what: 'a web ACL' },
    {
      path: ['restoreApi', 'domain', 'certificateArn'],
      found: domain?.certificateArn,
      what: 'a certificate',
    },
  ].flatMap(({ found, ...rest }) => {
    const [, , , region, account] = found?.split(':') ?? [];
    return region === undefined || account === undefined ? [] : [{ ...rest, found, region, account }];
  });
  const first = named[0];
  if (first === undefined) return [];
  const missing = PLACE.filter((field) => deployment[field] === undefined).map((field) => ({
    path: [field],
    found: undefined,
    allowed: `${first[field]}, where ${first.path.join('.')} is; without it, the profile decides`,
  }));
  const elsewhere = named
    .filter((resource) => PLACE.some((field) => (deployment[field] ?? first[field]) !== resource[field]))
    .map(({ path, found, what }) => ({
      path,
      found,
      allowed: `${what} in the deployment’s account and region`,
    }));
  return [...missing, ...elsewhere];
}

/** Names of one's own that stand at several deployments: the first API to be deployed has it. */
export function domainIssues(deployments: Outline['deployments']): ConfigurationIssue[] {
  const seen = new Set<string>();
  return deployments.flatMap((deployment, index) => {
    const name = deployment?.restoreApi?.domain?.name;
    if (name === undefined) return [];
    const isRepeated = seen.has(name);
    seen.add(name);
    const path = ['deployments', index, 'restoreApi', 'domain', 'name'];
    return isRepeated ? [{ path, found: name, allowed: 'each name at one deployment' }] : [];
  });
}
