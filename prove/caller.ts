import { APIGatewayClient, GetAccountCommand } from '@aws-sdk/client-api-gateway';
import { GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts';

import { NO_IDENTITY, reasonOf } from '../cli/call-aws';
import { CommandError, interruption, usageError } from '../cli/command-error';
import { otherAccount } from '../cli/deployment-location';
import { EXIT } from '../cli/exit-codes';
import { findLocalRun, type RunningLocally } from '../cli/local-run';
import { denialsIn } from '../contract/aws-errors';
import { type ProveOptions } from './options';
import { type Place } from './ports';

/** Settings of every SDK client. */
interface ClientSettings {
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
    laptop === undefined ? await settingsOf(options, surroundings.env) : settingsOfLaptop(laptop);
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
): Promise<ClientSettings> {
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

/**
 * Whether API Gateway has a logging role in the account and region, without which it refuses stages with an access log. What is not
 * AWS is not asked.
 */
export async function findLoggingRole(
  { settings, endpoint }: Pick<Caller, 'settings' | 'endpoint'>,
  abortSignal: AbortSignal,
): Promise<boolean> {
  if (endpoint !== undefined) return false;
  try {
    const apiGateway = new APIGatewayClient(settings);
    return Boolean((await apiGateway.send(new GetAccountCommand(), { abortSignal })).cloudwatchRoleArn);
  } catch (error) {
    throw awsFault(error, 'apigateway:GET on /account', abortSignal);
  }
}

/**
 * Turns a failed call of the command itself into an error with advice. Keeps nothing of AWS's message but what a denial names.
 * @param action such as `sts:GetCallerIdentity`
 */
function awsFault(error: unknown, action: string, interrupted: AbortSignal): CommandError {
  if (interrupted.aborted) return interruption();
  const { name = 'no error', message = '' } = (error ?? {}) as Partial<Error>;
  if (NO_IDENTITY.test(name)) {
    const text = `${action} failed: you are not signed in to AWS (${name})`;
    const advice =
      'Sign in again (aws sso login), or select the right profile with --profile or AWS_PROFILE.';
    return new CommandError(EXIT.refused, 'not_signed_in', text, { cause: error, advice });
  }
  if (/^(AccessDenied|UnauthorizedOperation)/.test(name)) {
    const denied = denialsIn(message).map((denial) => denial.action);
    const text = `${action} was denied: you are not allowed to ${denied.join(', ') || action}`;
    const advice = 'The command needs the permissions of an administrator of an account for experiments.';
    return new CommandError(EXIT.refused, 'access_denied', text, { cause: error, advice });
  }
  const text = `${action} failed: ${reasonOf(error, name)}`;
  return new CommandError(EXIT.unavailable, 'aws_unavailable', text, { cause: error });
}
