import { type AwsErrorMeaning, describeDenial, meaningOfAwsError } from '../contract/aws-errors';
import { type TokenUnavailableCode } from './token-unavailable-error';

/** A failed call of AWS. */
export interface AwsFailure {
  /** As the SDK names it. */
  name: string;
  meaning: AwsErrorMeaning;
  /** What broke the connection, such as `ECONNRESET`; empty where nothing did. */
  connectionCode: string;
  /** Where people must act; undefined for what may pass by itself. */
  code: Extract<TokenUnavailableCode, 'access_denied' | 'aws_not_configured'> | undefined;
  reason: string;
}

/**
 * Describes a failed call of AWS in our words: of AWS's own text only the actions and resources that a denial names are
 * kept.
 * @param action as IAM names it, such as `secretsmanager:GetSecretValue`
 */
export function describeAwsFailure(error: unknown, action: string, resource: string): AwsFailure {
  const { name, message } = error instanceof Error ? error : new Error();
  const connectionCode = connectionCodeOf(error);
  const failed = `${action} on ${resource}`;
  // Of a disabled key the text below says so; it does not pass by itself either.
  const meaning = name === 'KMSDisabledException' ? 'access_denied' : meaningOfAwsError(name);
  const known = { name, meaning, connectionCode };
  if (meaning === 'access_denied') {
    const reason = `${failed} was denied: the role may not ${describeDenial(message, action)}`;
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

/** A client that was handed in may fail with anything. */
function connectionCodeOf(error: unknown): string {
  const code = (error as { code?: unknown } | null | undefined)?.code;
  return typeof code === 'string' && /^E[A-Z_]+$/.test(code) ? code : '';
}

/** What the SDK misses before it sends anything. */
function missingSetting(name: string, message: string): string | undefined {
  if (message === 'Region is missing') return 'region is configured (AWS_REGION)';
  return name === 'CredentialsProviderError' ? 'credentials were found' : undefined;
}
