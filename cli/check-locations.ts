import { type LocationFlags } from './command';
import { CommandError, orFailure, usageError } from './command-error';
import { locationText, otherAccount } from './deployment-location';
import { type Deployment, type Location } from './system';
import { requireConsent, type Terminal } from './terminal';

interface Candidate {
  readonly deployment: Deployment;
  /** Secrets that may be described to find it. */
  readonly secretIds: readonly string[];
}

/**
 * Checks that deployments are in the AWS account and region that the configuration or `--account` names; if neither
 * names an account, a person has to confirm that of the credentials. Comes before anything is asked, read or written.
 * @returns for each deployment why it must not be used, if so
 * @throws {CommandError} usage, if nobody can be asked; `declined`
 */
export async function checkLocations(
  terminal: Terminal,
  { account }: LocationFlags,
  chosen: readonly Candidate[],
): Promise<(CommandError | undefined)[]> {
  const found = await Promise.all(chosen.map((each) => locate(each, account)));
  const unnamed = found.flatMap((location, index) => {
    const { deployment } = chosen[index]!;
    const isNamed = account !== undefined || deployment.location?.isNamed !== false;
    return isNamed || location === undefined || location instanceof CommandError
      ? []
      : [{ stack: deployment.stackName, location }];
  });
  if (unnamed.length > 0) await requireConfirmation(terminal, unnamed);
  return found.map((location) => (location instanceof CommandError ? location : undefined));
}

/**
 * Refuses if all of these deployments are elsewhere. Asks nothing, so it can come before the person chooses one.
 * @throws {CommandError} `other_account`
 */
export async function requireOneHere(
  { account }: LocationFlags,
  chosen: readonly Candidate[],
): Promise<void> {
  refuseIfAllElsewhere(await Promise.all(chosen.map((each) => locate(each, account))));
}

/** @throws {CommandError} the first, if all are `other_account` */
export function refuseIfAllElsewhere(found: readonly (Location | CommandError | undefined)[]): void {
  const elsewhere = found.flatMap((each) =>
    each instanceof CommandError && each.code === 'other_account' ? [each] : [],
  );
  const [first] = elsewhere;
  if (first !== undefined && elsewhere.length === found.length) throw first;
}

/** Where a deployment is, or why it must not be used. Undefined with `--local`. */
async function locate(
  { deployment: { location, stackName }, secretIds }: Candidate,
  account: string | undefined,
): Promise<Location | CommandError | undefined> {
  const found = location && (await orFailure(location.find(secretIds)));
  if (found === undefined || found instanceof CommandError) return found;
  if (account === undefined || found.account === account) return found;
  return otherAccount(`AWS account of ${stackName}`, found, `${account}, as in --account`);
}

async function requireConfirmation(
  terminal: Terminal,
  unnamed: readonly { stack: string; location: Location }[],
): Promise<void> {
  for (const where of new Set(unnamed.map(({ location }) => locationText(location)))) {
    const here = unnamed.filter(({ location }) => locationText(location) === where);
    const stacks = here.map(({ stack }) => stack).join(', ');
    const { account, region } = here[0]!.location;
    if (!terminal.isInteractive) {
      throw usageError(
        '--account',
        'nothing, and no account in the configuration',
        `${account} (${region}), the account of your AWS credentials, if ${stacks} is there`,
        `To confirm it, add --account ${account}. To name it for all commands, add to the deployment in the configuration: ` +
          `"account": "${account}", "region": "${region}"`,
      );
    }
    await requireConsent(
      terminal,
      {},
      `The configuration names no AWS account. With your credentials, this uses ${stacks} in ${where}. Is this the right account?`,
    );
  }
}
