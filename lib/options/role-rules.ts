import { isOfOtherAccount } from './arn';
import { type ConfigurationIssue } from './configuration-issue';
import { type WellFormedConfiguration, type WellFormedDeployment } from './well-formed';
import { type RolesConfiguration } from './roles-settings';

type Existing = NonNullable<RolesConfiguration['existing']>;

/** Violated rules about the roles of a deployment. Paths are relative to it. */
export function roleIssues(
  deployment: WellFormedDeployment,
  { apiGatewayAccount }: Pick<WellFormedConfiguration, 'apiGatewayAccount'>,
): ConfigurationIssue[] {
  const { account, permissionsBoundaryArn, roles } = deployment;
  const { existing } = roles ?? {};
  if (existing === undefined) return [];
  const needed = neededOf(deployment, apiGatewayAccount);
  return [
    ...[
      { path: ['roles', 'path'], found: roles?.path },
      { path: ['roles', 'namePrefix'], found: roles?.namePrefix },
      { path: ['permissionsBoundaryArn'], found: permissionsBoundaryArn },
    ]
      .filter(({ found }) => found !== undefined)
      .map((issue) => ({ ...issue, allowed: 'nothing together with roles.existing: no role is created' })),
    ...needed
      .filter((name) => existing[name] === undefined)
      .map((name) => ({
        path: ['roles', 'existing', name],
        found: undefined,
        allowed: `an ARN, as for all of ${needed.join(', ')}; latchkey roles prints what each needs`,
      })),
    // Lambda and the other services refuse a role of another account:
    // https://docs.aws.amazon.com/IAM/latest/UserGuide/id_roles_use_passrole.html
    ...Object.entries(existing)
      .filter(([, found]) => typeof found === 'string' && isOfOtherAccount(found, account))
      .map(([name, found]) => ({
        path: ['roles', 'existing', name],
        found,
        allowed: `one of ${account}, the account of the deployment`,
      })),
  ];
}

/** What a deployment uses, in the order of the configuration. */
function neededOf(
  { auditSecrets, restoreApi }: WellFormedDeployment,
  apiGatewayAccount: WellFormedConfiguration['apiGatewayAccount'],
): (keyof Existing)[] {
  const hasApi = restoreApi?.enabled ?? true;
  const isForPlatform = hasApi && restoreApi?.auth !== 'iam';
  return [
    ...(['tokenRefresh', 'tokenSweep', 'credentialWatch', 'rotateCredentials'] as const),
    ...(hasApi ? (['restore'] as const) : []),
    ...(isForPlatform ? (['authorizer'] as const) : []),
    ...(['tokenSweepSchedule', 'credentialWatchSchedule'] as const),
    ...(isForPlatform ? (['credentialProofSchedule'] as const) : []),
    ...(auditSecrets ? (['secretAudit'] as const) : []),
    ...(hasApi && apiGatewayAccount !== 'existing' ? (['apiGatewayLogging'] as const) : []),
    'operatorPolicy',
  ];
}
