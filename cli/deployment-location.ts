import { denialsIn } from '../core/calls/aws-errors';
import { type DeploymentKey } from '../core/tokens/token-key';
import { CommandError, foundText } from './command-error';
import { type PublishedParameter } from './deployment-parameters';
import { describeSecret } from './describe-secret';
import { EXIT } from './exit-codes';
import { type Deployment, type Location } from './system';

/** What can say where a deployment is. */
interface LocationSources {
  readonly deployment: DeploymentKey & Pick<Deployment, 'prefix' | 'stackName' | 'secretsManager'>;
  /** Reads the parameter with the ARN of a function that every deployment has. */
  readonly functionParameter: () => Promise<PublishedParameter>;
  /** @throws {CommandError} `other_account`, if the ARN is not where the configuration says */
  readonly requireHere: (arn: string) => Promise<void>;
  readonly interrupted: AbortSignal;
}

/**
 * Finds a deployment by ARNs that AWS answers with, which have its account and region.
 * @see https://docs.aws.amazon.com/systems-manager/latest/APIReference/API_Parameter.html (ARN)
 * @see https://docs.aws.amazon.com/secretsmanager/latest/apireference/API_DescribeSecret.html (ARN)
 */
export async function findDeployment(
  sources: LocationSources,
  secretIds: readonly string[],
): Promise<Location> {
  const [arn, functionArn = arn] = await findArns(sources, secretIds);
  await sources.requireHere(arn);
  const location = locationOf(arn);
  const { stackName } = sources.deployment;
  requireLocation(functionArn, location, stackName);
  for (const adopted of secretIds.filter(isArn)) requireLocation(arn, locationOf(adopted), stackName);
  return location;
}

/** The ARN of a parameter and of the function in its value, or else of a secret. */
async function findArns(sources: LocationSources, secretIds: readonly string[]): Promise<[string, string?]> {
  try {
    const { arn, value } = await sources.functionParameter();
    return arn === undefined ? [value] : [arn, value];
  } catch (error) {
    if (!isHidden(error)) throw error;
    const denied = deniedArn(error);
    if (denied !== undefined) return [denied];
    // The ARN of an adopted secret comes from the configuration, so it says nothing about the caller's account.
    for (const name of secretIds.filter((id) => !isArn(id))) {
      const arn = await secretArn(sources, name);
      if (arn !== undefined) return [arn];
    }
    throw error;
  }
}

async function secretArn(
  { deployment, interrupted }: LocationSources,
  name: string,
): Promise<string | undefined> {
  try {
    const { ARN, PrimaryRegion } = await describeSecret(deployment, name, interrupted);
    if (ARN !== undefined) refuseReplica(ARN, PrimaryRegion, deployment.stackName);
    return ARN;
  } catch (error) {
    if (isHidden(error)) return undefined;
    throw error;
  }
}

/** @throws {CommandError} `other_account`, if the ARN is of a replica: nothing can be changed there */
function refuseReplica(arn: string, primaryRegion: string | undefined, stackName: string): void {
  const found = locationOf(arn);
  if (primaryRegion === undefined || primaryRegion === found.region) return;
  const allowed = `${primaryRegion}, the region of ${stackName}; ${found.region} only has replicas of its secrets`;
  throw otherAccount('AWS region', found, allowed);
}

/**
 * The resource that a denial names. AWS looks names up in the caller's account, and also names it if nothing is there.
 * @see https://docs.aws.amazon.com/IAM/latest/UserGuide/troubleshoot_access-denied.html
 * @see https://github.com/aws-solutions/aws-control-tower-customizations/issues/208 (a parameter that does not exist)
 */
function deniedArn({ cause }: CommandError): string | undefined {
  if (!(cause instanceof Error)) return undefined;
  return denialsIn(cause.message)
    .map(({ resource }) => resource)
    .find(isArn);
}

function isArn(id: string): boolean {
  return id.startsWith('arn:');
}

/** Whether something does not exist, or the caller may not see it. */
function isHidden(error: unknown): error is CommandError {
  return error instanceof CommandError && (error.code === 'not_found' || error.code === 'access_denied');
}

function locationOf(arn: string): Location {
  const [, , , region = 'unknown', account = 'unknown'] = arn.split(':');
  return { account, region };
}

/**
 * Refuses an ARN of another account or region, which may have a deployment of the same names.
 * @throws {CommandError} `other_account`
 */
export function requireLocation(arn: string, expected: Partial<Location>, stackName: string): void {
  const found = locationOf(arn);
  const { account = found.account, region = found.region } = expected;
  if (found.account === account && found.region === region) return;
  const allowed = `${locationText({ account, region })}, as configured for ${stackName}`;
  throw otherAccount('AWS account', found, allowed);
}

/** The error for a deployment that is elsewhere than it should be. */
export function otherAccount(place: string, found: Location, allowed: string): CommandError {
  return new CommandError(EXIT.refused, 'other_account', foundText(place, locationText(found), allowed), {
    advice:
      'Nothing was read or changed there. Select a profile of the right account with --profile, AWS_PROFILE or the deployment’s awsProfile.',
    details: { ...found },
  });
}

/** `111122223333, eu-west-1` */
export function locationText({ account, region }: Location): string {
  return `${account}, ${region}`;
}
