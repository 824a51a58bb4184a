import { type TokenUnavailableCode } from './token-unavailable-error';

/** Denials whose text names no action: that of the key, which Secrets Manager uses in the caller's name. */
const KEY_DENIALS = ['DecryptionFailure', 'KMSAccessDeniedException', 'KMSDisabledException'];

export interface AwsFailure {
  /** As the SDK names it. */
  name: string;
  /** What broke the connection, such as `ECONNRESET`; empty where nothing did. */
  connectionCode: string;
  /** Where people must act; undefined for what may pass by itself. */
  code: Extract<TokenUnavailableCode, 'access_denied' | 'aws_not_configured'> | undefined;
  reason: string;
}

/**
 * A failed call of AWS in our words: of AWS's own text only the actions and resources that a denial names are kept.
 * Goes by names, since the client that was handed in may come from another copy of the SDK.
 * @param action as IAM names it, such as `secretsmanager:GetSecretValue`
 */
export function describeAwsFailure(error: unknown, action: string, resource: string): AwsFailure {
  const { name, message } = error instanceof Error ? error : new Error();
  const connectionCode = connectionCodeOf(error);
  const failed = `${action} on ${resource}`;
  if (name === 'AccessDeniedException' || KEY_DENIALS.includes(name)) {
    const reason = `${failed} was denied: the role may not ${denied(message)}`;
    return { name, connectionCode, code: 'access_denied', reason };
  }
  const missing = missingSetting(name, message);
  if (missing !== undefined) {
    const reason = `${failed} was not tried: no AWS ${missing}`;
    return { name, connectionCode, code: 'aws_not_configured', reason };
  }
  const cause = connectionCode === '' ? name : `${name} (${connectionCode})`;
  return { name, connectionCode, code: undefined, reason: `${failed} failed: ${cause}` };
}

/** A client that was handed in may fail with anything. */
function connectionCodeOf(error: unknown): string {
  const code = (error as { code?: unknown } | null | undefined)?.code;
  return typeof code === 'string' && /^E[A-Z_]+$/.test(code) ? code : '';
}

function denied(message: string): string {
  const denials = [...message.matchAll(/to perform: (\S+) on (?:the )?resource:? (\S+)/g)];
  // AWS says only "Access to KMS is not allowed".
  if (denials.length === 0) return `kms:Decrypt with the secret's key, or the key is not enabled`;
  // A right on an ARN does not cover the bare name, which is all that AWS has of a secret that does not exist.
  const isMissing = denials.every(([, , resource]) => !resource!.startsWith('arn:'));
  const list = denials.map(([, action, resource]) => `${action} on ${resource}`).join(', ');
  return isMissing ? `${list}, or there is no such secret` : list;
}

/** What the SDK misses before it sends anything. */
function missingSetting(name: string, message: string): string | undefined {
  if (message === 'Region is missing') return 'region is configured (AWS_REGION)';
  return name === 'CredentialsProviderError' ? 'credentials were found' : undefined;
}
