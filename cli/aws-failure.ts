import { unlessAborted } from '../client/unless-aborted';
import { parameterName } from '../contract/parameter-names';
import { CommandError, usageError } from './command-error';
import { EXIT } from './exit-codes';
import { type Deployment } from './system';

/** Time for one call with all its repetitions. */
const CALL_TIMEOUT_MS = 20_000;

/** What is asked of AWS, in the words that a failure is told in. */
export interface AwsCall {
  /** As IAM names it, such as `secretsmanager:DescribeSecret`. */
  readonly action: string;
  /** ARN or name. */
  readonly resource: string;
  readonly deployment: Pick<Deployment, 'environment' | 'platformRegion' | 'prefix' | 'stackName'>;
  /** Ends the call: the person's interruption. */
  readonly interrupted: AbortSignal;
  /** @default 20 s, with all repetitions */
  readonly timeoutMs?: number;
}

/**
 * Makes one call of AWS, with an end.
 * @throws {CommandError} in our own words: see {@link awsFailure}
 */
export async function callAws<T>(
  call: AwsCall,
  send: (options: { abortSignal: AbortSignal }) => Promise<T>,
): Promise<T> {
  const end = AbortSignal.timeout(call.timeoutMs ?? CALL_TIMEOUT_MS);
  const abortSignal = AbortSignal.any([call.interrupted, end]);
  try {
    // The signal reaches what the client sends, not what it does before, such as finding credentials.
    return await unlessAborted(send({ abortSignal }), abortSignal);
  } catch (error) {
    throw awsFailure(error, call);
  }
}

const DENIED = /^(AccessDenied(Exception)?|KMSAccessDeniedException|DecryptionFailure|EncryptionFailure)$/;
const NO_IDENTITY =
  /^(CredentialsProviderError|TokenProviderError|ExpiredToken(Exception)?|UnrecognizedClientException|InvalidSignatureException|InvalidClientTokenId|SSOTokenProviderFailure|IncompleteSignature\w*|MissingAuthenticationToken\w*)$/;
const NOT_FOUND = /^(ResourceNotFoundException|ParameterNotFound)$/;
const REJECTED =
  /^(InvalidRequestException|InvalidParameter\w*|ValidationException|ResourceExistsException)$/;

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
  if (DENIED.test(name)) {
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
      'AWS region: found nothing; allowed: one in AWS_REGION, in your profile, or as region of the deployment',
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
  if (NOT_FOUND.test(name)) {
    return new CommandError(EXIT.failed, 'not_found', `${failed} failed: there is no such thing`, {
      cause: error,
      advice: `It comes with stack ${stackName} and those beside it: npx cdk deploy '${stackName}*'`,
    });
  }
  if (name === 'LimitExceededException') {
    return new CommandError(EXIT.failed, 'limit_exceeded', `${failed} failed: AWS's limit is reached`, {
      cause: error,
      advice: 'A secret may have about 100 versions that are younger than 24 hours: try again tomorrow.',
    });
  }
  if (REJECTED.test(name)) {
    return new CommandError(EXIT.failed, 'rejected_by_aws', `${failed} failed: AWS rejected it (${name})`, {
      cause: error,
    });
  }
  return new CommandError(EXIT.unavailable, 'aws_unavailable', `${failed} failed: ${reasonOf(error, name)}`, {
    cause: error,
    advice: 'Nothing is known to be wrong with what is stored. Try again in a minute.',
  });
}

/** What a command ends with that the person interrupted before anything was sent whose outcome matters. */
export function interruption(): CommandError {
  return new CommandError(EXIT.failed, 'interrupted', 'interrupted');
}

/** The actions that a denial names. */
function denied(message: string, action: string): string {
  const denials = [...message.matchAll(/to perform: (\S+) on (?:the )?resource:? (\S+)/g)];
  if (denials.length > 0) return denials.map(([, act, resource]) => `${act} on ${resource}`).join(', ');
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
