import { unlessAborted } from '../client/waits';
import { denialsIn, meaningOfAwsError } from '../core/calls/aws-errors';
import { parameterName } from '../core/deployment/parameter-names';
import { StoreError } from '../core/secrets/store-error';
import { type DeploymentKey } from '../core/tokens/token-key';
import { type CommandContext } from './command';
import { CommandError, interruption, usageError } from './command-error';
import { EXIT } from './exit-codes';
import { type Deployment } from './system';

/** Time for one call with all its retries. */
export const CALL_TIMEOUT_MS = 20_000;

/** An AWS call, as its failure is reported. */
export interface AwsCall {
  /** The IAM action, such as `secretsmanager:DescribeSecret`. */
  readonly action: string;
  /** ARN or name. */
  readonly resource: string;
  readonly deployment: DeploymentKey & Pick<Deployment, 'prefix' | 'stackName' | 'signIn'>;
  /** Aborts the call. */
  readonly interrupted: AbortSignal;
  /** @default 20 s, with all retries */
  readonly timeoutMs?: number;
}

/** Makes one AWS call with a timeout. @throws {CommandError} see {@link awsFailure} */
export async function callAws<T>(
  call: AwsCall,
  send: (options: { abortSignal: AbortSignal }) => Promise<T>,
): Promise<T> {
  try {
    await call.deployment.signIn?.(call.interrupted);
    const timeout = AbortSignal.timeout(call.timeoutMs ?? CALL_TIMEOUT_MS);
    const abortSignal = AbortSignal.any([call.interrupted, timeout]);
    // abortSignal does not cover what the client does before sending, such as resolving credentials.
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
 * Retries an idempotent call while AWS is unavailable, up to four attempts. An interruption skips the waits, not the
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

/** Names of errors of a caller whose credentials AWS does not accept, or who has none. */
const NO_IDENTITY =
  /^(CredentialsProviderError|TokenProviderError|ExpiredToken(Exception)?|UnrecognizedClientException|InvalidSignatureException|InvalidClientTokenId|SSOTokenProviderFailure|IncompleteSignature\w*|MissingAuthenticationToken\w*)$/;
const REJECTED =
  /^(InvalidParameter\w*|ResourceExistsException|InvalidKeyId|Parameter(PatternMismatchException|MaxVersionLimitExceeded))$/;

/**
 * Turns a failed call into an error with advice. Of AWS's message, keeps only the actions and resources of a denial.
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
      `${failed} was denied: you are not allowed to ${denied(message, call.action)}`,
      {
        cause: error,
        advice:
          `The SSM parameter ${policyParameter(call)} names the policy with this permission. ` +
          'Ask an IAM administrator of the account to attach it to your role.',
      },
    );
  }
  if (message === 'Region is missing') {
    return usageError(
      'AWS region',
      'nothing',
      'one in AWS_REGION, your profile, or the deployment’s region setting',
    );
  }
  if (NO_IDENTITY.test(name)) {
    return new CommandError(
      EXIT.refused,
      'not_signed_in',
      `${failed} failed: you are not signed in to AWS (${name})`,
      {
        cause: error,
        advice:
          'Sign in again (aws sso login), or select the right profile with --profile, AWS_PROFILE or the deployment’s awsProfile. ' +
          'To see who you are: `aws sts get-caller-identity`',
      },
    );
  }
  if (meaning === 'not_found' || name === 'ParameterNotFound') {
    return new CommandError(EXIT.failed, 'not_found', `${failed} failed: it does not exist`, {
      cause: error,
      advice: `Stack ${stackName} or one of its tenants' stacks creates it: npx cdk deploy '${stackName}*'`,
    });
  }
  if (meaning === 'limit_exceeded') {
    return new CommandError(EXIT.failed, 'limit_exceeded', `${failed} failed: an AWS limit is reached`, {
      cause: error,
      advice: 'A secret can have about 100 versions younger than 24 hours. Try again tomorrow.',
    });
  }
  if (meaning === 'malformed' || meaning === 'scheduled_for_deletion' || REJECTED.test(name)) {
    return new CommandError(EXIT.failed, 'rejected_by_aws', `${failed} failed: AWS rejected it (${name})`, {
      cause: error,
    });
  }
  return new CommandError(EXIT.unavailable, 'aws_unavailable', `${failed} failed: ${reasonOf(error, name)}`, {
    cause: error,
    advice: 'The stored secrets are probably unaffected. Try again in a minute.',
  });
}

/** The actions and resources that a denial names. */
function denied(message: string, action: string): string {
  const denials = denialsIn(message);
  if (denials.length > 0) return denials.map((denial) => `${denial.action} on ${denial.resource}`).join(', ');
  // For KMS, AWS says only "Access to KMS is not allowed".
  const keyAction = action.endsWith(':PutSecretValue') ? 'kms:GenerateDataKey' : 'kms:Decrypt';
  return action.startsWith('secretsmanager:') ? `${keyAction} with the secret's key` : action;
}

function policyParameter({ deployment }: AwsCall): string {
  return parameterName(deployment.prefix, deployment, 'operator-policy-arn');
}

/** Why no answer came, without the error's message. */
function reasonOf(error: unknown, name: string): string {
  if (name === 'AbortError' || name === 'TimeoutError') return 'no answer in time';
  const { code } = (error ?? {}) as { code?: unknown };
  return typeof code === 'string' && /^E[A-Z_]+$/.test(code) ? `no connection (${code})` : name;
}
