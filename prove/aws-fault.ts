import { NO_IDENTITY, reasonOf } from '../cli/call-aws';
import { CommandError, interruption } from '../cli/command-error';
import { EXIT } from '../cli/exit-codes';
import { denialsIn } from '../contract/aws-errors';

/**
 * Turns a failed call of the command itself into an error with advice. Keeps nothing of AWS's message but what a denial names.
 * @param action such as `sts:GetCallerIdentity`
 */
export function awsFault(error: unknown, action: string, interrupted: AbortSignal): CommandError {
  if (error instanceof CommandError) return error;
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
    const advice = 'The permissions that this command needs: latchkey prove --policy';
    return new CommandError(EXIT.refused, 'access_denied', text, { cause: error, advice });
  }
  const text = `${action} failed: ${reasonOf(error, name)}`;
  return new CommandError(EXIT.unavailable, 'aws_unavailable', text, { cause: error });
}
