import { ResourceNotFoundException, SecretsManagerServiceException } from '@aws-sdk/client-secrets-manager';

import { createTokenSource } from '../../client';
import { NOON_MS } from './support/client-clock';
import { FakeAws, KEY, MINUTE_MS } from './support/fake-aws';
import { failureOf } from '../support/lambdas/failure-of';

const NAME = 'latchkey/staging/mea/eu-west-2_AbcdEfghI/token/content/api-write';
const CANARY = 'canary-of-a-header';
const READ = `secretsmanager:GetSecretValue on ${NAME}`;

let aws: FakeAws;
beforeEach(() => (aws = new FakeAws()));

// https://docs.aws.amazon.com/secretsmanager/latest/apireference/API_GetSecretValue.html ("Errors")
const service = (name: string, message = CANARY) =>
  new SecretsManagerServiceException({ name, message, $fault: 'client', $metadata: {} });
const named = (name: string, more: object = {}) => Object.assign(new Error(CANARY), { name }, more);
const DENIAL =
  'User: arn:aws:sts::111122223333:assumed-role/reader/x is not authorized to perform: secretsmanager:GetSecretValue ' +
  `on resource: ${NAME} because no identity-based policy allows the secretsmanager:GetSecretValue action`;

const WAS_DENIED = `${READ} was denied: the role lacks`;
const get = () => createTokenSource(aws.options()).getToken(KEY);

test.each<[string, Error, string, string]>([
  [
    'denied',
    service('AccessDeniedException', DENIAL),
    'access_denied',
    `${WAS_DENIED} secretsmanager:GetSecretValue on ${NAME}, or the secret is missing`,
  ],
  [
    'impossible to decrypt',
    service('DecryptionFailure'),
    'access_denied',
    `${WAS_DENIED} kms:Decrypt on the secret's key, or the key is disabled`,
  ],
  ['without a role to assume', named('AccessDenied'), 'store_unavailable', `${READ} failed: AccessDenied`],
  [
    'of a secret that is scheduled for deletion',
    service('InvalidRequestException'),
    'not_found',
    `secret ${NAME} is scheduled for deletion`,
  ],
  [
    'without a region',
    new Error('Region is missing'),
    'aws_not_configured',
    `${READ} was not tried: no AWS region is configured (AWS_REGION)`,
  ],
  [
    'without credentials',
    named('CredentialsProviderError'),
    'aws_not_configured',
    `${READ} was not tried: no AWS credentials were found`,
  ],
  ['throttled', service('ThrottlingException'), 'store_unavailable', `${READ} failed: ThrottlingException`],
  [
    'without a connection',
    named('Error', { code: 'ECONNREFUSED' }),
    'store_unavailable',
    `${READ} failed: Error (ECONNREFUSED)`,
  ],
  ['rejected without an error', undefined as never, 'store_unavailable', `${READ} failed: Error`],
  [
    'without an answer',
    named('TimeoutError', { $response: { headers: CANARY } }),
    'store_unavailable',
    `${READ} failed: TimeoutError`,
  ],
])('a read that is %s causes an error with our own message', async (_, error, code, reason) => {
  aws.failingReads = { times: 3, error };

  const failure = await failureOf(get());

  expect(failure).toMatchObject({ code, reason });
  expect(failure.cause).toBeUndefined();
  expect(aws.invocations).toEqual([]);
});

test('a secret without a value makes the source call token-refresh', async () => {
  aws.failingReads = { times: 1, error: new ResourceNotFoundException({ message: CANARY, $metadata: {} }) };

  expect(await get()).toMatchObject({ accessToken: 'token-1' });
});

test.each<[string, Error, string, string]>([
  [
    'denied',
    service(
      'AccessDeniedException',
      'User: x is not authorized to perform: lambda:InvokeFunction on resource: arn:f because no policy',
    ),
    'access_denied',
    'the role lacks lambda:InvokeFunction on arn:f',
  ],
  ['unknown', service('ResourceNotFoundException'), 'token_refresh_unavailable', 'ResourceNotFoundException'],
  ['cut off', named('AbortError'), 'token_refresh_unavailable', 'AbortError'],
])('an invocation that is %s causes an error with our own message', async (_, error, code, end) => {
  aws.refreshAnswers.push(error);

  const failure = await failureOf(get());

  expect(failure).toMatchObject({ code, reason: expect.stringMatching(new RegExp(`${end}$`)) as string });
  expect(JSON.stringify(failure) + String(failure)).not.toContain(CANARY);
});

test.each<[string, () => string | undefined, string | undefined]>([
  ['is late, by the answer’s date', () => new Date(NOON_MS + 60 * MINUTE_MS).toUTCString(), undefined],
  ['is in time, by our clock alone', () => undefined, 'token-1'],
  ['is in time, by an answer with an unreadable date', () => 'yesterday', 'token-1'],
])('a token that %s is judged so', async (_, date, expected) => {
  aws.store(60 * MINUTE_MS);
  aws.dateHeader = date;

  const token = await createTokenSource(aws.readOnlyOptions())
    .getToken(KEY)
    .catch(() => undefined);

  expect(token?.accessToken).toBe(expected);
});
