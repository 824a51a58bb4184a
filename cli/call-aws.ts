import { unlessAborted } from '../client/waits';
import { denialsIn, meaningOfAwsError } from '../contract/aws-errors';
import { parameterName } from '../contract/parameter-names';
import { StoreError } from '../lambdas/shared/domain/store-error';
import { type CommandContext } from './command';
import { CommandError, interruption, usageError } from './command-error';
import { EXIT } from './exit-codes';
import { type Deployment } from './system';

/** Time for one call with all its retries. */
export const CALL_TIMEOUT_MS = 20_000;

/** A call of AWS, in the words that its failure is reported in. */
export interface AwsCall {
  /** As IAM names it, such as `secretsmanager:DescribeSecret`. */
  readonly action: string;
  /** ARN or name. */
  readonly resource: string;
  readonly deployment: Pick<Deployment, 'environment' | 'platformRegion' | 'prefix' | 'stackName'>;
  /** Ends the call when the person interrupts. */
  readonly interrupted: AbortSignal;
  /** @default 20 s, with all retries */
  readonly timeoutMs?: number;
}

/**
 * Makes one call of AWS, with a timeout.
 * @throws {CommandError} in our own words: see {@link awsFailure}
 */
export async function callAws<T>(
  call: AwsCall,
  send: (options: { abortSignal: AbortSignal }) => Promise<T>,
): Promise<T> {
  const timeout = AbortSignal.timeout(call.timeoutMs ?? CALL_TIMEOUT_MS);
  const abortSignal = AbortSignal.any([call.interrupted, timeout]);
  try {
    // The signal reaches what the client sends, not what it does before, such as finding credentials.
    return await unlessAborted(send({ abortSignal }), abortSignal);
  } catch (error) {
    throw awsFailure(error instanceof StoreError ? error.cause : error, call);
  }
}

const RETRY_WAITS_MS = [1_000, 2_000, 4_000];

/** Whether the same call may succeed within seconds. */
export function isUnavailable(error: unknown): boolean {
  return error instanceof CommandError && error.exitCode === EXIT.unavailable;
}

/**
 * Repeats an idempotent call while AWS is unavailable, four attempts at most. An interruption ends the waits, not the
 * attempts.
 */
export async function retryWhileUnavailable<T>(context: CommandContext, call: () => Promise<T>): Promise<T> {
  for (const waitMs of RETRY_WAITS_MS) {
    try {
      return await call();
    } catch (error) {
      if (!isUnavailable(error)) throw error;
    }
    await context.sleep(waitMs).catch(() => undefined);
  }
  return call();
}

const NO_IDENTITY =
  /^(CredentialsProviderError|TokenProviderError|ExpiredToken(Exception)?|UnrecognizedClientException|InvalidSignatureException|InvalidClientTokenId|SSOTokenProviderFailure|IncompleteSignature\w*|MissingAuthenticationToken\w*)$/;
const REJECTED = /^(InvalidParameter\w*|ResourceExistsException)$/;

/**
 * What a failed call means for the person at the terminal. Of AWS's own text only the actions and resources that a
 * denial names are kept.
 */
export function awsFailure(error: unknown, call: AwsCall): CommandError {
  if (error instanceof CommandError) return error;
  if (call.interrupted.aborted) return interruption();
  const { name = 'no error', message = '' } = (error ?? {}) as Partial<Error>;
  const failed = `${call.action} on ${call.resource}`;
  const { stackName } = call.deployment;
  const meaning = meaningOfAwsError(name);
  if (meaning === 'access_denied' || name === 'AccessDenied') {
    return new CommandError(
      EXIT.refused,
      'access_denied',
      `${failed} was denied: you may not ${denied(message, call.action)}`,
      {
        cause: error,
        advice:
          `The policy with this right is the one that SSM parameter ${policyParameter(call)} names. ` +
          'Whoever administers IAM in the account can attach it to your role.',
      },
    );
  }
  if (message === 'Region is missing') {
    return usageError(
      'AWS region',
      'nothing',
      'one in AWS_REGION, in your profile, or as region of the deployment',
    );
  }
  if (NO_IDENTITY.test(name)) {
    return new CommandError(
      EXIT.refused,
      'not_signed_in',
      `${failed} failed: AWS does not know you (${name})`,
      {
        cause: error,
        advice:
          'Sign in again (aws sso login), or name the right profile with --profile or AWS_PROFILE; ' +
          '`aws sts get-caller-identity` shows who you are.',
      },
    );
  }
  if (meaning === 'not_found' || name === 'ParameterNotFound') {
    return new CommandError(EXIT.failed, 'not_found', `${failed} failed: there is no such thing`, {
      cause: error,
      advice: `It comes with stack ${stackName} and those beside it: npx cdk deploy '${stackName}*'`,
    });
  }
  if (meaning === 'limit_exceeded') {
    return new CommandError(EXIT.failed, 'limit_exceeded', `${failed} failed: AWS's limit is reached`, {
      cause: error,
      advice: 'A secret may have about 100 versions that are younger than 24 hours: try again tomorrow.',
    });
  }
  if (meaning === 'malformed' || meaning === 'scheduled_for_deletion' || REJECTED.test(name)) {
    return new CommandError(EXIT.failed, 'rejected_by_aws', `${failed} failed: AWS rejected it (${name})`, {
      cause: error,
    });
  }
  return new CommandError(EXIT.unavailable, 'aws_unavailable', `${failed} failed: ${reasonOf(error, name)}`, {
    cause: error,
    advice: 'Nothing is known to be wrong with what is stored. Try again in a minute.',
  });
}

/** The actions that a denial names. */
function denied(message: string, action: string): string {
  const denials = denialsIn(message);
  if (denials.length > 0) return denials.map((denial) => `${denial.action} on ${denial.resource}`).join(', ');
  // AWS says only "Access to KMS is not allowed".
  const keyAction = action.endsWith(':PutSecretValue') ? 'kms:GenerateDataKey' : 'kms:Decrypt';
  return action.startsWith('secretsmanager:') ? `${keyAction} with the secret's key` : action;
}

function policyParameter({ deployment }: AwsCall): string {
  return parameterName(deployment.prefix, deployment, 'operator-policy-arn');
}

function reasonOf(error: unknown, name: string): string {
  if (name === 'AbortError' || name === 'TimeoutError') return 'no answer in time';
  const { code } = (error ?? {}) as { code?: unknown };
  return typeof code === 'string' && /^E[A-Z_]+$/.test(code) ? `no connection (${code})` : name;
}
