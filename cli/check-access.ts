import { credentialKindsOf } from '../core/deployment/deployment-file';
import { harmless } from '../core/commands/harmless-text';
import { type DeploymentKey, deploymentKeyOf } from '../core/tokens/token-key';
import { MIN_UNRESERVED_CONCURRENCY, RESERVING_FUNCTIONS } from '../lib/options/quota-settings';
import { readConcurrency } from './account-concurrency';
import { checkBootstrap } from './bootstrap-check';
import { callAws } from './call-aws';
import { type ChosenDeployment } from './choose-tenant';
import { type CommandContext } from './command';
import { CommandError, foundText, orFailure } from './command-error';
import { describeSecret } from './describe-secret';
import { readSchedules } from './deployment-schedules';
import { readAlarms } from './read-alarms';
import { EXIT } from './exit-codes';
import { type Deployment } from './system';

/** Whether a resource that an operator needs exists and may be used. */
export type Check = DeploymentKey & {
  readonly name: string;
  /** Undefined if the check passed. */
  readonly failure: CommandError | undefined;
  /** Why it could not be checked, if that is no failure. */
  readonly note?: string;
  /** What could be better, if nothing is wrong. */
  readonly hint?: string;
};

/** The functions that commands need. */
const FUNCTIONS = [
  'token-refresh-arn',
  'token-sweep-arn',
  'rotate-credentials-arn',
  'credential-watch-arn',
] as const;
/** With at least this many tenants, `trailEvents` saves more than its queues cost. */
const MIN_TENANTS_FOR_EVENTS = 5;
const LOCATION = 'AWS account and region';
/** The checks that fail with `not_found` if the deployment does not exist. */
const EXISTENCE_CHECKS: readonly string[] = [LOCATION, ...FUNCTIONS.map(functionName)];

/**
 * Checks that each deployment has its functions, and that the caller may find them and read its schedules, its alarms
 * and the state of its credentials.
 */
export async function checkAccess(
  context: CommandContext,
  deployments: readonly ChosenDeployment[],
): Promise<Check[]> {
  const accessChecks = await Promise.all(deployments.map((chosen) => checkOperatorAccess(context, chosen)));
  const otherChecks = await Promise.all(
    deployments.flatMap(({ deployment }, index) => [
      bootstrapCheck(deployment, accessChecks[index]!),
      concurrencyCheck(context, deployment, accessChecks[index]!),
      trailCheck(context, deployment),
    ]),
  );
  return [...otherChecks.filter((check) => check !== undefined), ...accessChecks.flat()];
}

function checkOperatorAccess(context: CommandContext, chosen: ChosenDeployment): Promise<Check[]> {
  const { deployment, tenantIds, locationFailure } = chosen;
  const deploymentKey = deploymentKeyOf(deployment);
  if (locationFailure !== undefined) {
    return Promise.resolve([{ ...deploymentKey, name: LOCATION, failure: locationFailure }]);
  }
  const check = async (name: string, work: Promise<unknown>): Promise<Check> => {
    const result = await orFailure(work);
    return { ...deploymentKey, name, failure: result instanceof CommandError ? result : undefined };
  };
  const tenant = deployment.tenants.find(({ tenantId }) => tenantIds?.includes(tenantId) ?? true);
  const kinds = tenant === undefined ? [] : credentialKindsOf(tenant);
  return Promise.all([
    ...FUNCTIONS.map((leaf) => check(functionName(leaf), deployment.functionArn(leaf))),
    ...kinds.map((kind) =>
      check(
        `permission to describe ${kind}`,
        describeSecret(deployment, tenant!.secretIds[kind], context.terminal.interrupted),
      ),
    ),
    check('permission to read schedules', readSchedules(context, deployment)),
    check('permission to read alarms', readAlarms(context, chosen)),
  ]);
}

/** Whether the account has room for the concurrency that a deployment reserves or could reserve; undefined if there is nothing to say. */
async function concurrencyCheck(
  context: CommandContext,
  deployment: Deployment,
  checks: readonly Check[],
): Promise<Check | undefined> {
  const { concurrency } = deployment;
  if (concurrency === undefined || concurrency.reserved === 'none') return undefined;
  // What is deployed has its concurrency already.
  if (concurrency.reserved === 1 && isDeployed(checks)) return undefined;
  const account = await orFailure(readConcurrency(context, deployment));
  if (account instanceof CommandError) return undefined;
  const { quota, roomForDeployments: room } = account;
  const check = { ...deploymentKeyOf(deployment), name: 'reserved concurrency', failure: undefined };
  if (concurrency.reserved === 1) {
    if (room > 0) return check;
    const found = `1 for ${RESERVING_FUNCTIONS} functions`;
    const allowed = `"none": of the account’s ${quota} concurrent executions, ${MIN_UNRESERVED_CONCURRENCY} must stay unreserved`;
    const message = foundText('reservedConcurrency', found, allowed);
    return { ...check, failure: new CommandError(EXIT.failed, 'quota_too_small', message) };
  }
  if (room === 0) return undefined;
  const hint =
    'The account has room. For one token request per renewal, write in the deployment: "reservedConcurrency": 1. ' +
    'Then deploy. To turn off this hint: "none"';
  return { ...check, hint };
}

/**
 * Whether the account has the trail that `trailEvents` needs, or could use `trailEvents` because it has one; undefined if there
 * is nothing to say.
 */
async function trailCheck(
  { terminal: { interrupted } }: CommandContext,
  deployment: Deployment,
): Promise<Check | undefined> {
  const { trail, tenants } = deployment;
  if (trail === undefined || (!trail.isUsed && tenants.length < MIN_TENANTS_FOR_EVENTS)) return undefined;
  const check = { ...deploymentKeyOf(deployment), name: 'trail of the account', failure: undefined };
  const call = { action: 'cloudtrail:DescribeTrails', resource: '*', deployment, interrupted };
  const name = await orFailure(callAws(call, () => trail.find()));
  if (name instanceof CommandError) return { ...check, note: name.message };
  if (!trail.isUsed) {
    if (name === undefined) return undefined;
    const hint =
      `${harmless(name)} records who changes secrets. For a third of the calls, write in the deployment: ` +
      '"trailEvents": true. Then deploy.';
    return { ...check, hint };
  }
  if (name !== undefined) return check;
  const message =
    'trailEvents: no trail records who changes secrets in this AWS region, so changes are noticed within an hour';
  const advice =
    'Create a trail of management events of the type Write or All, or remove "trailEvents" and deploy';
  return { ...check, failure: new CommandError(EXIT.failed, 'no_trail', message, { advice }) };
}

/** Whether anything of a deployment was found, by its checks. */
function isDeployed(checks: readonly Check[]): boolean {
  return checks.some(({ name, failure }) => EXISTENCE_CHECKS.includes(name) && failure?.code !== 'not_found');
}

/** Whether CDK can deploy a deployment of which nothing exists yet; undefined for others. */
async function bootstrapCheck(deployment: Deployment, checks: readonly Check[]): Promise<Check | undefined> {
  const { bootstrap } = deployment;
  if (bootstrap === undefined || isDeployed(checks)) return undefined;
  const check = { ...deploymentKeyOf(deployment), name: 'CDK bootstrap', failure: undefined };
  const note = await orFailure(checkBootstrap(bootstrap));
  if (note instanceof CommandError) return { ...check, failure: note };
  return { ...check, ...(note !== undefined && { note }) };
}

/** `token-refresh` */
function functionName(leaf: (typeof FUNCTIONS)[number]): string {
  return leaf.replace(/-arn$/, '');
}
