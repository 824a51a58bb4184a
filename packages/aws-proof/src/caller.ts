import { GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts';

import { awsFailure } from '../../../cli/call-aws';
import { usageError } from '../../../cli/command-error';
import { otherAccount } from '../../../cli/deployment-location';
import { findLocalRun, type RunningLaptop } from '../../../cli/local-run';
import { type AppRun } from './run-app';
import { type Terminal } from '../../../cli/terminal';
import { RUN_PREFIX } from './clean-up/runs';
import { PROVEN_DEPLOYMENT } from './configuration';
import { laptopConfig } from './laptop';
import { type ProveOptions, readProveOptions } from './options';
import { type ClientConfig, type AwsLocation } from './ports';

/** Who runs the command, and in which account. */
export interface Caller {
  readonly location: AwsLocation;
  readonly arn: string;
  readonly settings: ClientConfig;
  /** The running laptop system, if it stands for the account. */
  readonly laptop?: RunningLaptop | undefined;
  /** Host and port of what answers in AWS's place, such as another implementation; undefined for AWS itself. */
  readonly endpoint?: string | undefined;
}

/** One run of `latchkey prove`: its options, and the account that it works on. */
export interface ProveCommand {
  readonly options: ProveOptions;
  readonly caller: Caller;
  readonly terminal: Terminal;
  readonly surroundings: Omit<AppRun, 'app'>;
}

/**
 * Reads the arguments of `latchkey prove`, and asks who runs it. A person is asked later whether to go on; a script names the
 * account that it means.
 * @param args without Node and the script
 * @throws {CommandError} usage; `not_signed_in`, `other_account`
 */
export async function prepare(
  args: readonly string[],
  terminal: Terminal,
  surroundings: ProveCommand['surroundings'],
): Promise<ProveCommand> {
  const options = readProveOptions(args);
  const caller = await findCaller(options, surroundings);
  const { accountId, region } = caller.location;
  const hasConsented = options.account !== undefined && options.yes;
  if (caller.laptop === undefined && !terminal.isInteractive && !hasConsented)
    throw usageError(
      '--account and --yes',
      'not both, and nobody to ask',
      'both in a script',
      `If ${accountId} (${region}) is the right account, add --account ${accountId} --yes`,
    );
  return { options, caller, terminal, surroundings };
}

/** Finds out who the caller is, and in which account. @throws {CommandError} if that is not the account of `--account` */
async function findCaller(
  { account, profile, region, local, 'state-dir': stateDir }: ProveOptions,
  surroundings: ProveCommand['surroundings'],
): Promise<Caller> {
  const { env, interrupted } = surroundings;
  const laptop = local ? await findLocalRun({ ...surroundings, stateDir }) : undefined;
  const config = laptop
    ? laptopConfig(laptop.run, laptop.clockAheadMs)
    : { profile, region: region ?? (env.AWS_REGION || env.AWS_DEFAULT_REGION || undefined), maxAttempts: 5 };
  const { location, arn, foreignHost } = await askSts(config, interrupted);
  if (account !== undefined && account !== location.accountId)
    throw otherAccount(
      'AWS account',
      { account: location.accountId, region: location.region },
      `${account}, as in --account`,
    );
  // One service with another endpoint is enough: a report must not claim that AWS did what something else did.
  const hasOtherEndpoint = Object.keys(env).some((name) => name.startsWith('AWS_ENDPOINT_URL'));
  const endpoint = foreignHost ?? (hasOtherEndpoint ? 'another endpoint' : undefined);
  return { location, arn, settings: { ...config, region: location.region }, laptop, endpoint };
}

/**
 * Asks STS who the caller is. AWS needs no permission for that.
 * @returns also the host and port that answered, if it is not AWS's
 */
async function askSts(config: Partial<ClientConfig>, interrupted: AbortSignal) {
  const sts = new STSClient({ ...config, requestHandler: REQUEST_LIMITS });
  let foreignHost: string | undefined;
  sts.middlewareStack.add(
    (next) => (args) => {
      const { hostname, port } = args.request as { hostname: string; port?: number };
      if (!AWS_HOST.test(hostname)) foreignHost = port === undefined ? hostname : `${hostname}:${port}`;
      return next(args);
    },
    { step: 'finalizeRequest' },
  );
  try {
    // The SDK also looks into the profile.
    const region = await sts.config.region().catch(() => undefined);
    if (region === undefined)
      throw usageError('--region', 'nothing', 'an AWS region, here, in your profile or in AWS_REGION');
    const { Account: accountId, Arn: arn } = await sts
      .send(new GetCallerIdentityCommand(), { abortSignal: interrupted })
      .catch((error: unknown) => {
        const deployment = { ...PROVEN_DEPLOYMENT, prefix: RUN_PREFIX, stackName: '' };
        throw awsFailure(error, { action: 'sts:GetCallerIdentity', resource: '*', deployment, interrupted });
      });
    const location = { partition: arn!.split(':')[1]!, region, accountId: accountId! };
    return { location, arn: arn!, foreignHost };
  } finally {
    sts.destroy();
  }
}

const REQUEST_LIMITS = { connectionTimeout: 3_000, requestTimeout: 10_000, throwOnRequestTimeout: true };

/** Hosts of AWS's own endpoints, in every partition. @see https://docs.aws.amazon.com/general/latest/gr/rande.html */
const AWS_HOST =
  /\.(amazonaws\.com|amazonaws\.com\.cn|amazonaws\.eu|api\.aws|api\.amazonwebservices\.com\.cn)$/;
