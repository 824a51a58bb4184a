import { createServer, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';

import {
  InvalidRequestException,
  ResourceNotFoundException,
  SecretsManagerClient,
  SecretsManagerServiceException,
} from '@aws-sdk/client-secrets-manager';

import { createTokenSource } from '../../client';
import { FakeAws, KEY, MINUTE_MS } from './support/fake-aws';
import { failureOf } from './support/failure-of';

const NAME = 'latchkey/staging/mea/eu-west-2_AbcdEfghI/token/content/api-write';
const CANARY = 'canary-of-a-header';

let aws: FakeAws;
beforeEach(() => (aws = new FakeAws()));

// https://docs.aws.amazon.com/secretsmanager/latest/apireference/API_GetSecretValue.html ("Errors")
const service = (name: string, message = CANARY) =>
  new SecretsManagerServiceException({ name, message, $fault: 'client', $metadata: {} });
const DENIAL =
  'User: arn:aws:sts::111122223333:assumed-role/reader/x is not authorized to perform: secretsmanager:GetSecretValue ' +
  `on resource: ${NAME} because no identity-based policy allows the secretsmanager:GetSecretValue action`;

test.each<[string, Error, string, string]>([
  [
    'denied',
    service('AccessDeniedException', DENIAL),
    'access_denied',
    `secretsmanager:GetSecretValue on ${NAME} was denied: the role lacks secretsmanager:GetSecretValue on ${NAME}, or the secret is missing`,
  ],
  [
    'denied without naming the permission',
    service('AccessDeniedException'),
    'access_denied',
    `secretsmanager:GetSecretValue on ${NAME} was denied: the role lacks kms:Decrypt on the secret's key, or the key is disabled`,
  ],
  [
    'impossible to decrypt',
    service('DecryptionFailure'),
    'access_denied',
    `secretsmanager:GetSecretValue on ${NAME} was denied: the role lacks kms:Decrypt on the secret's key, or the key is disabled`,
  ],
  [
    'not possible since a role cannot be assumed',
    Object.assign(new Error(CANARY), { name: 'AccessDenied' }),
    'store_unavailable',
    `secretsmanager:GetSecretValue on ${NAME} failed: AccessDenied`,
  ],
  [
    'of a secret that is scheduled for deletion',
    new InvalidRequestException({ message: CANARY, $metadata: {} }),
    'not_found',
    `secret ${NAME} is scheduled for deletion`,
  ],
  [
    'not possible without a region',
    new Error('Region is missing'),
    'aws_not_configured',
    `secretsmanager:GetSecretValue on ${NAME} was not tried: no AWS region is configured (AWS_REGION)`,
  ],
  [
    'not possible without credentials',
    Object.assign(new Error(CANARY), { name: 'CredentialsProviderError' }),
    'aws_not_configured',
    `secretsmanager:GetSecretValue on ${NAME} was not tried: no AWS credentials were found`,
  ],
  [
    'throttled',
    service('ThrottlingException'),
    'store_unavailable',
    `secretsmanager:GetSecretValue on ${NAME} failed: ThrottlingException`,
  ],
  [
    'without a connection',
    Object.assign(new Error(CANARY), { code: 'ECONNREFUSED' }),
    'store_unavailable',
    `secretsmanager:GetSecretValue on ${NAME} failed: Error (ECONNREFUSED)`,
  ],
  [
    'failed by the caller’s client without an error',
    undefined as never,
    'store_unavailable',
    `secretsmanager:GetSecretValue on ${NAME} failed: Error`,
  ],
  [
    'without an answer',
    Object.assign(new Error(CANARY), { name: 'TimeoutError', $response: { headers: CANARY } }),
    'store_unavailable',
    `secretsmanager:GetSecretValue on ${NAME} failed: TimeoutError`,
  ],
])('a read that is %s causes an error with our own message', async (_, error, code, reason) => {
  aws.failingReads = { times: 3, error };

  const failure = await failureOf(createTokenSource(aws.options()).getToken(KEY));

  expect(failure).toMatchObject({ code, reason });
  expect((failure as Error).cause).toBeUndefined();
  expect(aws.invocations).toEqual([]);
});

test('a secret without a value makes the source call token-refresh', async () => {
  aws.failingReads = { times: 1, error: new ResourceNotFoundException({ message: CANARY, $metadata: {} }) };

  const { accessToken } = await createTokenSource(aws.options()).getToken(KEY);

  expect(accessToken).toBe('token-1');
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
  [
    'cut off',
    Object.assign(new Error(CANARY), { name: 'AbortError' }),
    'token_refresh_unavailable',
    'AbortError',
  ],
])('an invocation that is %s causes an error with our own message', async (_, error, code, end) => {
  aws.refreshAnswers.push(error);

  const failure = await failureOf(createTokenSource(aws.options()).getToken(KEY));

  expect(failure).toMatchObject({ code, reason: expect.stringMatching(new RegExp(`${end}$`)) as string });
  expect(JSON.stringify(failure) + String(failure)).not.toContain(CANARY);
});

describe('over the wire', () => {
  let server: Server;
  let client: SecretsManagerClient;
  let dates: (string | undefined)[];

  beforeEach(async () => {
    // An hour by the clock of the test, which stops during real network calls.
    aws.clock.wakesSleepers = false;
    dates = [];
    const value = { ...KEY, accessToken: 'token-1', tokenType: 'Bearer', credentialVersionId: 'c' };
    const times = {
      issuedAt: new Date(aws.clock.trueMs).toISOString(),
      expiresAt: new Date(aws.clock.trueMs + 60 * MINUTE_MS).toISOString(),
    };
    const body = { Name: NAME, VersionId: 'v1', SecretString: JSON.stringify({ ...value, ...times }) };
    server = createServer((request, response) => {
      request.resume();
      response.sendDate = false;
      const date = dates.shift();
      if (date !== undefined) response.setHeader('date', date);
      response.end(JSON.stringify(body));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    client = new SecretsManagerClient({
      region: 'eu-west-2',
      endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      credentials: { accessKeyId: 'id', secretAccessKey: 'key' },
    });
  });
  afterEach(async () => {
    client.destroy();
    await new Promise((resolve) => server.close(resolve));
  });

  test.each<[string, () => string | undefined, string | undefined]>([
    [
      'is late, by the answer’s date',
      () => new Date(aws.clock.trueMs + 60 * MINUTE_MS).toUTCString(),
      undefined,
    ],
    ['is in time, by the answer’s date', () => new Date(aws.clock.trueMs).toUTCString(), 'token-1'],
    ['is in time, by our clock alone', () => undefined, 'token-1'],
    ['is in time, by an answer with an unreadable date', () => 'yesterday', 'token-1'],
  ])('a token that %s is judged so, and the caller’s client is not modified', async (_, date, expected) => {
    dates.push(date());
    const before = client.middlewareStack.identify();
    const tokens = createTokenSource({ secretsManager: client, clock: aws.clock });

    const accessToken = await tokens.getToken(KEY).then(
      (token) => token.accessToken,
      () => undefined,
    );

    expect(accessToken).toBe(expected);
    expect(client.middlewareStack.identify()).toEqual(before);
  });
});
