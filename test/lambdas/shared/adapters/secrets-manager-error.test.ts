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
  ['ThrottlingException', 'throttled', ''],
  ['SomethingNew', 'unavailable', ''],
  ['ResourceNotFoundException', 'not_found', ': the stack that creates this secret is not deployed'],
  ['LimitExceededException', 'limit_exceeded', ': the secret has too many versions from the last 24 hours'],
  [
    'InvalidRequestException',
    'scheduled_for_deletion',
    ': the secret is scheduled for deletion; to keep it, run latchkey doctor --fix',
  ],
])('%s is %s, and is explained', (name, code, explanation) => {
  expect(storeErrorOf(failed(name), ACTION, SECRET_ID)).toMatchObject({
    code,
    message: `${ACTION} on ${SECRET_ID} failed: ${name}${explanation}`,
  });
});

describe('a denial', () => {
  // https://docs.aws.amazon.com/IAM/latest/UserGuide/troubleshoot_access-denied.html
  test('names its action and resource, and nothing else of the text', () => {
    const text =
      'User: arn:aws:sts::111122223333:assumed-role/role/canary is not authorized to perform: kms:Decrypt on ' +
      'resource: arn:aws:kms:eu-west-2:111122223333:key/k because no identity-based policy allows the kms:Decrypt action';

    expect(storeErrorOf(failed('AccessDeniedException', text), ACTION, SECRET_ID)).toMatchObject({
      code: 'access_denied',
      message:
        `${ACTION} on ${SECRET_ID} was denied: the role lacks kms:Decrypt on ` +
        'arn:aws:kms:eu-west-2:111122223333:key/k',
    });
  });

  test('that names no action lacks the permission of the key', () => {
    const action = 'secretsmanager:PutSecretValue';

    expect(storeErrorOf(failed('EncryptionFailure'), action, SECRET_ID)).toMatchObject({
      code: 'access_denied',
      message: `${action} on ${SECRET_ID} was denied: the role lacks kms:GenerateDataKey on the secret's key, or the key is disabled`,
    });
  });
});

afterEach(() => jest.restoreAllMocks());

const named = (name: string) => Object.assign(new Error('canary'), { name });

test.each<[string, unknown, string]>([
  ['an error of the connection', named('TimeoutError'), 'no answer in time'],
  ['an aborted call', named('AbortError'), 'no answer in time'],
  ['another error with a known name', named('ThrottlingException'), 'ThrottlingException'],
  ['no error', 'canary', 'no error'],
])('%s is an outage', (_, error, name) => {
  jest.replaceProperty(process, 'env', { ...process.env, AWS_REGION: undefined });

  expect(storeErrorOf(error, ACTION, SECRET_ID)).toMatchObject({
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

  expect(storeErrorOf(named('TimeoutError'), ACTION, SECRET_ID).message).toBe(
    `${ACTION} on ${SECRET_ID} failed: no answer in time (a function in a VPC needs the endpoint ${endpoint}, or another way there)`,
  );
});
