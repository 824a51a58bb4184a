import { type AwsErrorMeaning, describeDenial, meaningOfAwsError } from '../core/calls/aws-errors';
import { type TokenUnavailableCode } from './token-unavailable-error';

/** A failed AWS call. */
export interface AwsFailure {
  /** Name of the SDK's error. */
  name: string;
  meaning: AwsErrorMeaning;
  /** Code of a connection error, such as `ECONNRESET`; empty for other errors. */
  connectionCode: string;
  /** Set if a person must act; undefined if the failure may pass. */
  code: Extract<TokenUnavailableCode, 'access_denied' | 'aws_not_configured'> | undefined;
  reason: string;
}

/**
 * Describes a failed AWS call. Of AWS's message it keeps only the actions and resources of a denial.
 * @param action the IAM action, such as `secretsmanager:GetSecretValue`
 */
export function describeAwsFailure(error: unknown, action: string, resource: string): AwsFailure {
  const { name, message } = error instanceof Error ? error : new Error();
  const connectionCode = connectionCodeOf(error);
  const failed = `${action} on ${resource}`;
  // A disabled key needs a person, like a denial, whose text names this cause.
  const meaning = name === 'KMSDisabledException' ? 'access_denied' : meaningOfAwsError(name);
  const known = { name, meaning, connectionCode };
  if (meaning === 'access_denied') {
    const reason = `${failed} was denied: the role lacks ${describeDenial(message, action)}`;
    return { ...known, code: meaning, reason };
  }
  const missing = missingSetting(name, message);
  if (missing !== undefined) {
    const reason = `${failed} was not tried: no AWS ${missing}`;
    return { ...known, code: 'aws_not_configured', reason };
  }
  const cause = connectionCode === '' ? name : `${name} (${connectionCode})`;
  return { ...known, code: undefined, reason: `${failed} failed: ${cause}` };
}

/** The error may be anything: callers can pass their own client. */
function connectionCodeOf(error: unknown): string {
  const code = (error as { code?: unknown } | null | undefined)?.code;
  return typeof code === 'string' && /^E[A-Z_]+$/.test(code) ? code : '';
}

/** Why the SDK did not send the request: the end of a sentence that begins with `no AWS`. */
function missingSetting(name: string, message: string): string | undefined {
  if (message === 'Region is missing') return 'region is configured (AWS_REGION)';
  return name === 'CredentialsProviderError' ? 'credentials were found' : undefined;
}
