import { GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts';

import { CommandError, usageError } from '../cli/command-error';
import { otherAccount } from '../cli/deployment-location';
import { EXIT } from '../cli/exit-codes';
import { findLocalRun, type RunningLocally } from '../cli/local-run';
import { type Place } from '../probes/system';
import { awsFault } from './aws-fault';
import { type ProveOptions } from './options';

/** Settings of every SDK client. */
export interface ClientSettings {
  readonly region: string;
  readonly profile?: string;
  readonly endpoint?: string;
  readonly credentials?: { readonly accessKeyId: string; readonly secretAccessKey: string };
  readonly systemClockOffset?: number;
  readonly maxAttempts: number;
}

/** Who runs the command, and in which account. */
export interface Caller {
  readonly place: Place;
  readonly arn: string;
  readonly settings: ClientSettings;
  /** The running laptop system, if it stands for the account. */
  readonly laptop?: RunningLocally;
  /** Host and port of what answers in AWS's place, such as another implementation; undefined for AWS itself. */
  readonly endpoint?: string;
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
  options: Pick<ProveOptions, 'profile' | 'region' | 'account' | 'local' | 'stateDir'>,
  surroundings: CallerSurroundings,
): Promise<Caller> {
  const laptop = options.local
    ? await findLocalRun({ ...surroundings, stateDir: options.stateDir })
    : undefined;
  const settings =
    laptop === undefined ? await settingsOf(options, surroundings.env) : settingsOfLaptop(laptop);
  const { Account, Arn, host } = await identity(settings, surroundings.interrupted);
  const { account } = options;
  if (account !== undefined && account !== Account) {
    const found = { account: Account!, region: settings.region };
    throw otherAccount('AWS account', found, `${account}, as in --account`);
  }
  const partition = Arn!.split(':')[1]!;
  return {
    place: { partition, region: settings.region, accountId: Account! },
    arn: Arn!,
    ...{ settings, laptop, endpoint: otherEndpoint(host, surroundings.env) },
  };
}

/** Hosts of AWS's own endpoints, in every partition. @see https://docs.aws.amazon.com/general/latest/gr/rande.html */
const OF_AWS =
  /\.(amazonaws\.com|amazonaws\.com\.cn|amazonaws\.eu|api\.aws|api\.amazonwebservices\.com\.cn)$/;

/**
 * A result must not claim that AWS did what something else did, so one variable is enough.
 * @see https://docs.aws.amazon.com/sdkref/latest/guide/feature-ss-endpoints.html
 */
function otherEndpoint(host: string, env: CallerSurroundings['env']): string | undefined {
  if (!OF_AWS.test(host)) return host;
  const named = Object.entries(env).find(
    ([name, value]) => /^AWS_ENDPOINT_URL(_|$)/.test(name) && value !== undefined && value !== '',
  );
  return named === undefined ? undefined : (hostOf(named[1]!) ?? 'another endpoint');
}

function hostOf(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).host : undefined;
}

async function settingsOf(
  { profile, region }: Pick<ProveOptions, 'profile' | 'region'>,
  env: CallerSurroundings['env'],
): Promise<ClientSettings> {
  const chosen = { ...(profile !== undefined && { profile }), maxAttempts: 5 };
  return {
    ...chosen,
    region: region ?? (env.AWS_REGION || env.AWS_DEFAULT_REGION || (await regionOf(chosen))),
  };
}

/** The region that the SDK finds in the profile. */
async function regionOf(chosen: { profile?: string }): Promise<string> {
  try {
    return await new STSClient(chosen).config.region();
  } catch (error) {
    const found = usageError('--region', 'nothing', 'an AWS region, here, in your profile or in AWS_REGION');
    throw new CommandError(EXIT.usage, 'usage', found.message, { cause: error });
  }
}

function settingsOfLaptop({ run, clockAheadMs }: RunningLocally): ClientSettings {
  const { endpoint, region, accessKeyId, secretAccessKey } = run.aws;
  const credentials = { accessKeyId, secretAccessKey };
  return { endpoint, region, credentials, systemClockOffset: clockAheadMs, maxAttempts: 5 };
}

async function identity(settings: ClientSettings, interrupted: AbortSignal) {
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
    throw awsFault(error, 'sts:GetCallerIdentity', interrupted);
  } finally {
    sts.destroy();
  }
}
