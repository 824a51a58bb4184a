const DENIALS = [
  'AccessDeniedException',
  'DecryptionFailure',
  'KMSAccessDeniedException',
  'KMSDisabledException',
];

/**
 * A failed call of AWS in our words: of AWS's own text only the actions and resources that a denial names are kept.
 * Goes by names, since the client that was handed in may come from another copy of the SDK.
 * @param action as IAM names it, such as `secretsmanager:GetSecretValue`
 */
export function describeAwsFailure(
  error: unknown,
  action: string,
  resource: string,
): { name: string; isDenied: boolean; reason: string } {
  const name = error instanceof Error ? error.name : 'no error';
  if (!DENIALS.includes(name)) {
    return { name, isDenied: false, reason: `${action} on ${resource} failed: ${name}` };
  }
  const denied = [...(error as Error).message.matchAll(/to perform: (\S+) on (?:the )?resource:? (\S+)/g)]
    .map(([, deniedAction, deniedResource]) => `${deniedAction} on ${deniedResource}`)
    .join(', ');
  const missing =
    denied === ''
      ? 'do so, or may not use the KMS key'
      : `${denied}${denied.includes(' on arn:') ? '' : ', or there is no such secret'}`;
  return {
    name,
    isDenied: true,
    reason: `${action} on ${resource} was denied: the role may not ${missing}`,
  };
}
