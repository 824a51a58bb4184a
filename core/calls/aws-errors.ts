/** What an AWS error means to a caller. `unavailable` is anything that may pass without a fix. */
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
  // Our requests are invalid for one reason only: the secret is scheduled for deletion.
  ['InvalidRequestException', 'scheduled_for_deletion'],
]);

/** The meaning of an error, by name and not by class: a caller's client may come from another copy of the SDK. */
export function meaningOfAwsError(name: string): AwsErrorMeaning {
  return MEANINGS.get(name) ?? 'unavailable';
}

/**
 * The permissions that an AccessDenied message names as missing. Empty if it names none: Secrets Manager does not name
 * the KMS permission that it uses on the caller's behalf.
 * @param message the error's message
 */
export function denialsIn(message: string): { action: string; resource: string }[] {
  const denials = message.matchAll(/to perform: (\S+) on (?:the )?resource:? (\S+)/g);
  return [...denials].map(([, action, resource]) => ({ action: action!, resource: resource! }));
}

/**
 * The permissions that a role lacks, from the message of a denial. Keeps only actions and resources of AWS's text.
 * @param action the denied IAM action, such as `secretsmanager:GetSecretValue`
 */
export function describeDenial(message: string, action: string): string {
  const denials = denialsIn(message);
  if (denials.length === 0) {
    // AWS's message is only "Access to KMS is not allowed".
    const keyAction = action === 'secretsmanager:PutSecretValue' ? 'kms:GenerateDataKey' : 'kms:Decrypt';
    return `${keyAction} on the secret's key, or the key is disabled`;
  }
  const denied = denials.map((denial) => `${denial.action} on ${denial.resource}`).join(', ');
  return denials.every(isWithoutArn) ? `${denied}, or the secret is missing` : denied;
}

/**
 * Whether a denial names its secret without an ARN. Then the secret may not exist: AWS has no ARN for it, and permissions
 * on an ARN do not cover the bare name.
 */
export function isWithoutArn({ resource }: { resource: string }): boolean {
  return !resource.startsWith('arn:');
}
