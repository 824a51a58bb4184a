import { GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts';

import { awsFailure } from '../../../cli/call-aws';
import { usageError } from '../../../cli/command-error';
import { otherAccount } from '../../../cli/deployment-location';
import { findLocalRun, type RunningLocally } from '../../../cli/local-run';
import { type AppRun } from '../../../cli/run-app';
import { type Terminal } from '../../../cli/terminal';
import { RUN_PREFIX } from './clean-up/runs';
import { PROVEN_DEPLOYMENT } from './configuration';
import { laptopConfig } from './laptop';
import { type ProveOptions, readProveOptions } from './options';
import { type ClientConfig, type Place } from './ports';

/** Who runs the command, and in which account. */
export interface Caller {
  readonly place: Place;
  readonly arn: string;
  readonly settings: ClientConfig;
  /** The running laptop system, if it stands for the account. */
  readonly laptop?: RunningLocally | undefined;
  /** Host and port of what answers in AWS's place, such as another implementation; undefined for AWS itself. */
  readonly endpoint?: string | undefined;
}

/** One command whose account is known. */
export interface Prepared {
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
  surroundings: Prepared['surroundings'],
): Promise<Prepared> {
  const options = readProveOptions(args);
  const caller = await findCaller(options, surroundings);
  const { accountId, region } = caller.place;
  const isNamed = options.account !== undefined && options.yes;
  if (caller.laptop === undefined && !terminal.isInteractive && !isNamed)
    throw usageError(
      '--account and --yes',
      'not both, and nobody to ask',
      'both in a script',
      `If ${accountId} (${region}) is the right account, add --account ${accountId} --yes`,
    );
  return { options, caller, terminal, surroundings };
}

/** Asks STS who the caller is. AWS needs no permission for that. */
async function findCaller(options: ProveOptions, surroundings: Prepared['surroundings']): Promise<Caller> {
  const { account, profile, local, 'state-dir': stateDir } = options;
  const { env, interrupted } = surroundings;
  const laptop = local ? await findLocalRun({ ...surroundings, stateDir }) : undefined;
  const region = options.region ?? (env.AWS_REGION || env.AWS_DEFAULT_REGION || undefined);
  const config = laptop ? laptopConfig(laptop.run, laptop.clockAheadMs) : { profile, region, maxAttempts: 5 };
  const sts = new STSClient({ ...config, requestHandler: REQUEST_LIMITS });
  let endpoint: string | undefined;
  sts.middlewareStack.add(
    (next) => (args) => {
      const { hostname, port } = args.request as { hostname: string; port?: number };
      if (!OF_AWS.test(hostname)) endpoint = port === undefined ? hostname : `${hostname}:${port}`;
      return next(args);
    },
    { step: 'finalizeRequest' },
  );
  try {
    // The SDK finds that of the profile.
    const found = await sts.config.region().catch(() => undefined);
    if (found === undefined)
      throw usageError('--region', 'nothing', 'an AWS region, here, in your profile or in AWS_REGION');
    const settings = { ...config, region: found };
    const { Account: accountId, Arn: arn } = await sts
      .send(new GetCallerIdentityCommand(), { abortSignal: interrupted })
      .catch((error: unknown) => {
        const deployment = { ...PROVEN_DEPLOYMENT, prefix: RUN_PREFIX, stackName: '' };
        throw awsFailure(error, { action: 'sts:GetCallerIdentity', resource: '*', deployment, interrupted });
      });
    if (account !== undefined && account !== accountId) {
      const location = { account: accountId!, region: found };
      throw otherAccount('AWS account', location, `${account}, as in --account`);
    }
    const place = { partition: arn!.split(':')[1]!, region: found, accountId: accountId! };
    // A report must not claim that AWS did what something else did, so the endpoint of one service is enough.
    if (Object.keys(env).some((name) => name.startsWith('AWS_ENDPOINT_URL'))) endpoint ??= 'another endpoint';
    return { place, arn: arn!, settings, laptop, endpoint };
  } finally {
    sts.destroy();
  }
}

const REQUEST_LIMITS = { connectionTimeout: 3_000, requestTimeout: 10_000, throwOnRequestTimeout: true };

/** Hosts of AWS's own endpoints, in every partition. @see https://docs.aws.amazon.com/general/latest/gr/rande.html */
const OF_AWS =
  /\.(amazonaws\.com|amazonaws\.com\.cn|amazonaws\.eu|api\.aws|api\.amazonwebservices\.com\.cn)$/;
