import { GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts';

import { awsFailure } from '../../../cli/call-aws';
import { CommandError, usageError } from '../../../cli/command-error';
import { otherAccount } from '../../../cli/deployment-location';
import { EXIT } from '../../../cli/exit-codes';
import { findLocalRun, type RunningLocally } from '../../../cli/local-run';
import { RUN_PREFIX } from './clean-up/runs';
import { type ClientConfig } from './ports';
import { PROVEN_DEPLOYMENT } from './configuration';
import { laptopConfig } from './laptop';
import { type ProveOptions } from './options';
import { type Place } from './ports';

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

export interface CallerSurroundings {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly workingDir: string;
  /** Of the command: the checkout, or the folder of an installed package. */
  readonly projectRoot: string;
  readonly interrupted: AbortSignal;
}

/**
 * Asks STS who the caller is. AWS needs no permission for that.
 * @throws {CommandError} usage without a region; `not_signed_in`, `other_account`
 */
export async function findCaller(
  options: Pick<ProveOptions, 'profile' | 'region' | 'account' | 'local' | 'state-dir'>,
  surroundings: CallerSurroundings,
): Promise<Caller> {
  const stateDir = options['state-dir'];
  const laptop = options.local ? await findLocalRun({ ...surroundings, stateDir }) : undefined;
  const settings =
    laptop === undefined
      ? await settingsOf(options, surroundings.env)
      : laptopConfig(laptop.run, laptop.clockAheadMs);
  const { Account, Arn, host } = await identity(settings, surroundings.interrupted);
  const { account } = options;
  if (account !== undefined && account !== Account) {
    const found = { account: Account!, region: settings.region };
    throw otherAccount('AWS account', found, `${account}, as in --account`);
  }
  const place = { partition: Arn!.split(':')[1]!, region: settings.region, accountId: Account! };
  return { place, arn: Arn!, settings, laptop, endpoint: otherEndpoint(host, surroundings.env) };
}

/** Hosts of AWS's own endpoints, in every partition. @see https://docs.aws.amazon.com/general/latest/gr/rande.html */
const OF_AWS =
  /\.(amazonaws\.com|amazonaws\.com\.cn|amazonaws\.eu|api\.aws|api\.amazonwebservices\.com\.cn)$/;

/** A report must not claim that AWS did what something else did, so the endpoint of one service is enough. */
function otherEndpoint(host: string, env: CallerSurroundings['env']): string | undefined {
  if (!OF_AWS.test(host)) return host;
  return Object.keys(env).some((name) => name.startsWith('AWS_ENDPOINT_URL'))
    ? 'another endpoint'
    : undefined;
}

async function settingsOf(
  { profile, region }: Pick<ProveOptions, 'profile' | 'region'>,
  env: CallerSurroundings['env'],
): Promise<ClientConfig> {
  const chosen = { ...(profile !== undefined && { profile }), maxAttempts: 5 };
  const named = region ?? (env.AWS_REGION || env.AWS_DEFAULT_REGION || undefined);
  try {
    // The SDK finds that of the profile.
    return { ...chosen, region: named ?? (await new STSClient(chosen).config.region()) };
  } catch (error) {
    const found = usageError('--region', 'nothing', 'an AWS region, here, in your profile or in AWS_REGION');
    throw new CommandError(EXIT.usage, 'usage', found.message, { cause: error });
  }
}

async function identity(settings: ClientConfig, interrupted: AbortSignal) {
  const requestHandler = { connectionTimeout: 3_000, requestTimeout: 10_000, throwOnRequestTimeout: true };
  const sts = new STSClient({ ...settings, requestHandler });
  let host = '';
  sts.middlewareStack.add(
    (next) => (args) => {
      const { hostname, port } = args.request as { hostname: string; port?: number };
      host = port === undefined ? hostname : `${hostname}:${port}`;
      return next(args);
    },
    { step: 'finalizeRequest' },
  );
  try {
    return { ...(await sts.send(new GetCallerIdentityCommand(), { abortSignal: interrupted })), host };
  } catch (error) {
    const deployment = { ...PROVEN_DEPLOYMENT, prefix: RUN_PREFIX, stackName: '' };
    throw awsFailure(error, { action: 'sts:GetCallerIdentity', resource: '*', deployment, interrupted });
  } finally {
    sts.destroy();
  }
}
