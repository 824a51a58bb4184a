import { denialsIn, describeDenial, meaningOfAwsError } from '../../../core/calls/aws-errors';

const READ = 'secretsmanager:GetSecretValue';
const ARN = 'arn:aws:secretsmanager:eu-west-2:111122223333:secret:s';
const denial = (action: string, resource: string) =>
  `User: canary is not authorized to perform: ${action} on resource: ${resource} because no policy allows it`;
const NO_KMS = 'Access to KMS is not allowed';

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
  ['toString', 'unavailable'],
])('%s means %s', (name, meaning) => {
  expect(meaningOfAwsError(name)).toBe(meaning);
});

test('the denials of a message are its actions and resources, and nothing else of the text', () => {
  expect(denialsIn(`${denial(READ, ARN)}; ${denial('kms:Decrypt', 'arn:key')}`)).toEqual([
    { action: READ, resource: ARN },
    { action: 'kms:Decrypt', resource: 'arn:key' },
  ]);
});

test.each([
  [
    'of two ARNs',
    denial(READ, ARN) + denial('kms:Decrypt', 'arn:key'),
    READ,
    `${READ} on ${ARN}, kms:Decrypt on arn:key`,
  ],
  ['of a bare name', denial(READ, 'name'), READ, `${READ} on name, or the secret is missing`],
  [
    'of a name and an ARN',
    denial(READ, 'name') + denial('kms:Decrypt', 'arn:key'),
    READ,
    `${READ} on name, kms:Decrypt on arn:key`,
  ],
  [
    'of a read that names no permission',
    NO_KMS,
    READ,
    "kms:Decrypt on the secret's key, or the key is disabled",
  ],
  [
    'of a write that names none',
    NO_KMS,
    'secretsmanager:PutSecretValue',
    "kms:GenerateDataKey on the secret's key, or the key is disabled",
  ],
])('a denial %s is described by what is missing', (_, message, action, description) => {
  expect(describeDenial(message, action)).toBe(description);
});
