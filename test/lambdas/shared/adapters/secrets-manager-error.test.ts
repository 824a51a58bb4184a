import { SecretsManagerServiceException } from '@aws-sdk/client-secrets-manager';

import { storeErrorOf } from '../../../../lambdas/shared/adapters/secrets-manager-error';

const ACTION = 'secretsmanager:GetSecretValue';
const SECRET_ID = 'latchkey/staging/mea/eu-west-2_Acme/client-credentials';

function failed(name: string, message = 'canary'): SecretsManagerServiceException {
  return new SecretsManagerServiceException({ name, message, $fault: 'client', $metadata: {} });
}

// https://docs.aws.amazon.com/secretsmanager/latest/apireference/API_GetSecretValue.html and API_PutSecretValue.html
// ("Errors"), CommonErrors.html
test.each([
  ['ThrottlingException', 'throttled', true, ''],
  ['TooManyRequestsException', 'throttled', true, ''],
  ['InternalServiceError', 'unavailable', true, ''],
  ['ResourceNotFoundException', 'not_found', false, ': the stack that creates this secret is not deployed'],
  [
    'LimitExceededException',
    'limit_exceeded',
    false,
    ': the secret has too many versions from the last 24 hours',
  ],
  [
    'InvalidRequestException',
    'scheduled_for_deletion',
    false,
    ': the secret is scheduled for deletion; to keep it, run latchkey doctor --fix',
  ],
  ['SomethingNew', 'unavailable', true, ''],
])('%s is %s, retryable: %s, and is explained', (name, code, isRetryable, explanation) => {
  const failure = storeErrorOf(failed(name), ACTION, SECRET_ID);

  expect(failure).toMatchObject({
    code,
    isRetryable,
    message: `${ACTION} on ${SECRET_ID} failed: ${name}${explanation}`,
  });
});

describe('a denial', () => {
  test('on a bare name says that the secret may be missing', () => {
    const text = `User: arn:u is not authorized to perform: ${ACTION} on resource: ${SECRET_ID} because no policy`;

    const { message } = storeErrorOf(failed('AccessDeniedException', text), ACTION, SECRET_ID);

    expect(message).toMatch(/, or the secret is missing$/);
  });

  // https://docs.aws.amazon.com/IAM/latest/UserGuide/troubleshoot_access-denied.html
  test('names its action and resource, and nothing else of the text', () => {
    const text =
      'User: arn:aws:sts::111122223333:assumed-role/role/canary is not authorized to perform: kms:Decrypt on ' +
      'resource: arn:aws:kms:eu-west-2:111122223333:key/k because no identity-based policy allows the kms:Decrypt action';

    const failure = storeErrorOf(failed('AccessDeniedException', text), ACTION, SECRET_ID);

    expect(failure).toMatchObject({
      code: 'access_denied',
      isRetryable: false,
      message:
        `${ACTION} on ${SECRET_ID} was denied: the role lacks kms:Decrypt on ` +
        'arn:aws:kms:eu-west-2:111122223333:key/k',
    });
  });

  test.each([
    ['AccessDeniedException', 'Access to KMS is not allowed, canary', ACTION, 'kms:Decrypt'],
    ['DecryptionFailure', 'canary', ACTION, 'kms:Decrypt'],
    ['EncryptionFailure', 'canary', 'secretsmanager:PutSecretValue', 'kms:GenerateDataKey'],
  ])('that names no action lacks the permission of the key: %s', (name, text, action, keyAction) => {
    const failure = storeErrorOf(failed(name, text), action, SECRET_ID);

    expect(failure).toMatchObject({
      code: 'access_denied',
      message: `${action} on ${SECRET_ID} was denied: the role lacks ${keyAction} on the secret's key, or the key is disabled`,
    });
  });
});

afterEach(() => jest.restoreAllMocks());

test.each<[string, unknown, string]>([
  [
    'an error of the connection',
    Object.assign(new Error('canary'), { name: 'TimeoutError' }),
    'no answer in time',
  ],
  ['an aborted call', Object.assign(new Error('canary'), { name: 'AbortError' }), 'no answer in time'],
  [
    'another error with a known name',
    Object.assign(new Error('canary'), { name: 'ThrottlingException' }),
    'ThrottlingException',
  ],
  ['no error', 'canary', 'no error'],
])('%s is an outage', (_, error, name) => {
  jest.replaceProperty(process, 'env', { ...process.env, AWS_REGION: undefined });
  const failure = storeErrorOf(error, ACTION, SECRET_ID);

  expect(failure).toMatchObject({
    code: 'unavailable',
    message: `${ACTION} on ${SECRET_ID} failed: ${name}`,
    cause: error,
  });
});

test.each([
  ['eu-west-2', 'com.amazonaws.eu-west-2.secretsmanager'],
  ['cn-north-1', 'cn.com.amazonaws.cn-north-1.secretsmanager'],
])('without an answer in %s, the message names the VPC endpoint', (AWS_REGION, endpoint) => {
  jest.replaceProperty(process, 'env', { ...process.env, AWS_REGION });
  const error = Object.assign(new Error('canary'), { name: 'TimeoutError' });

  expect(storeErrorOf(error, ACTION, SECRET_ID).message).toBe(
    `${ACTION} on ${SECRET_ID} failed: no answer in time (a function in a VPC needs the endpoint ${endpoint}, or another way there)`,
  );
});
