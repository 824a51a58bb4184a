import { denialsIn, describeDenial, meaningOfAwsError } from '../../../core/calls/aws-errors';

const READ = 'secretsmanager:GetSecretValue';
const ARN = 'arn:aws:secretsmanager:eu-west-2:111122223333:secret:s';
const denial = (action: string, resource: string) =>
  `User: canary is not authorized to perform: ${action} on resource: ${resource} because no policy allows it`;

test.each([
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
  ['InvalidRequestException', 'scheduled_for_deletion'],
  ['InternalServiceError', 'unavailable'],
  ['toString', 'unavailable'],
])('%s means %s', (name, meaning) => {
  expect(meaningOfAwsError(name)).toBe(meaning);
});

test('a denial names the missing permissions, and nothing else of the text', () => {
  const message = `${denial(READ, ARN)}; ${denial('kms:Decrypt', 'arn:key')}`;

  expect(denialsIn(message)).toEqual([
    { action: READ, resource: ARN },
    { action: 'kms:Decrypt', resource: 'arn:key' },
  ]);
  expect(describeDenial(message, READ)).toBe(`${READ} on ${ARN}, kms:Decrypt on arn:key`);
});

test('a denial on bare names only says that the secret may be missing', () => {
  expect(describeDenial(denial(READ, 'name'), READ)).toBe(`${READ} on name, or the secret is missing`);
  expect(describeDenial(denial(READ, 'name') + denial('kms:Decrypt', 'arn:key'), READ)).not.toMatch(
    /or the secret is missing/,
  );
});

test.each([
  [READ, 'kms:Decrypt'],
  ['secretsmanager:PutSecretValue', 'kms:GenerateDataKey'],
])('a denial of %s that names no permission lacks that of the key: %s', (action, keyAction) => {
  expect(describeDenial('Access to KMS is not allowed', action)).toBe(
    `${keyAction} on the secret's key, or the key is disabled`,
  );
});
