/** What an error of AWS means; what a caller can do about it differs. `unavailable` is whatever may pass by itself. */
export type AwsErrorMeaning =
  | 'throttled'
  | 'access_denied'
  | 'not_found'
  | 'scheduled_for_deletion'
  | 'limit_exceeded'
  | 'malformed'
  | 'unavailable';

/**
 * The names of errors of Secrets Manager, and of Lambda's Invoke.
 * @see https://docs.aws.amazon.com/secretsmanager/latest/apireference/API_PutSecretValue.html ("Errors")
 * @see https://docs.aws.amazon.com/lambda/latest/api/API_Invoke.html ("Errors")
 */
const MEANINGS: ReadonlyMap<string, AwsErrorMeaning> = new Map([
  ['ThrottlingException', 'throttled'],
  ['TooManyRequestsException', 'throttled'],
  ['AccessDeniedException', 'access_denied'],
  ['DecryptionFailure', 'access_denied'],
  ['EncryptionFailure', 'access_denied'],
  ['KMSAccessDeniedException', 'access_denied'],
  ['ResourceNotFoundException', 'not_found'],
  ['LimitExceededException', 'limit_exceeded'],
  ['InvalidParameterException', 'malformed'],
  ['ValidationException', 'malformed'],
  // Of what we send, only a secret that is scheduled for deletion makes a request invalid.
  ['InvalidRequestException', 'scheduled_for_deletion'],
]);

/** The meaning of an error by its name: a client that was handed in may come from another copy of the SDK. */
export function meaningOfAwsError(name: string): AwsErrorMeaning {
  return MEANINGS.get(name) ?? 'unavailable';
}

/**
 * The permissions that a denial names as missing. Empty where it names none: Secrets Manager does not name that of the
 * key, which it uses in the caller's name.
 * @param message of the error
 */
export function denialsIn(message: string): { action: string; resource: string }[] {
  const denials = message.matchAll(/to perform: (\S+) on (?:the )?resource:? (\S+)/g);
  return [...denials].map(([, action, resource]) => ({ action: action!, resource: resource! }));
}

/**
 * What a role may not do, by the text of a denial: of AWS's text only actions and resources are kept.
 * @param action that was denied, as IAM names it, such as `secretsmanager:GetSecretValue`
 */
export function describeDenial(message: string, action: string): string {
  const denials = denialsIn(message);
  if (denials.length === 0) {
    // AWS says only "Access to KMS is not allowed".
    const keyAction = action === 'secretsmanager:PutSecretValue' ? 'kms:GenerateDataKey' : 'kms:Decrypt';
    return `${keyAction} with the secret's key, or the key is not enabled`;
  }
  const denied = denials.map((denial) => `${denial.action} on ${denial.resource}`).join(', ');
  return denials.every(isOfBareName) ? `${denied}, or there is no such secret` : denied;
}

/**
 * Whether a denial names its secret without an ARN. Then there may be no such secret: permissions on an ARN do not cover
 * the bare name, which is all that AWS has of a secret that does not exist.
 */
export function isOfBareName({ resource }: { resource: string }): boolean {
  return !resource.startsWith('arn:');
}
