import { GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts';

import { awsFailure } from '../../../cli/call-aws';
import { usageError } from '../../../cli/command-error';
import { otherAccount } from '../../../cli/deployment-location';
import { findLocalRun, type RunningLaptop } from '../../../cli/local-run';
import { RUN_PREFIX } from './clean-up/runs';
import { PROVEN_DEPLOYMENT } from './configuration';
import { laptopConfig } from './laptop';
import { type ProveOptions } from './options';
import { type AwsLocation, type ClientConfig, type Surroundings } from './ports';

/** Who runs the command, and in which account. */
export interface Caller {
  readonly location: AwsLocation;
  readonly arn: string;
  readonly clientConfig: ClientConfig;
  /** The running laptop system, if it stands for the account. */
  readonly laptop?: RunningLaptop | undefined;
  /** What answers in AWS's place: its host and port if known, else `another endpoint`. Undefined for AWS itself. */
  readonly endpoint?: string | undefined;
}

/**
 * Finds out who the caller is, and in which account.
 * @throws {CommandError} `not_signed_in`; `other_account`, if it is not that of `--account`
 */
export async function findCaller(
  { account, profile, region, local, 'state-dir': stateDir }: ProveOptions,
  surroundings: Surroundings,
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
  return { location, arn, clientConfig: { ...config, region: location.region }, laptop, endpoint };
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
    // If the command line and the environment name no region, the SDK takes the profile's.
    const region = await sts.config.region().catch(() => undefined);
    if (region === undefined)
      throw usageError('--region', 'nothing', 'an AWS region, here, in your profile or in AWS_REGION');
    const { Account: accountId, Arn: arn } = await sts
      .send(new GetCallerIdentityCommand(), { abortSignal: interrupted })
      .catch((error: unknown) => {
        // No stack is deployed yet, and a failure of this call names none.
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
