import {
  DescribeSecretCommand,
  GetSecretValueCommand,
  PutSecretValueCommand,
  ResourceExistsException,
  ResourceNotFoundException,
  SecretsManagerClient,
  SecretsManagerServiceException,
} from '@aws-sdk/client-secrets-manager';
import { mockClient } from 'aws-sdk-client-mock';

import { SecretsManagerTokenStore } from '../../../../lambdas/shared/adapters/secrets-manager-token-store';
import { StoreError } from '../../../../lambdas/shared/domain/store-error';
import { serializeStoredToken } from '../../../../lambdas/shared/domain/stored-token';
import { KEY } from '../../../support/lambdas/token-functions';
import { NOON_MS } from '../../../support/lambdas/virtual-clock';

const NAME = 'latchkey/staging/mea/eu-west-2_Acme/token/content/api-read';
const ARN = `arn:aws:secretsmanager:eu-west-2:111122223333:secret:${NAME}-AbCdEf`;
const SEEN = { secretArn: ARN, versionId: 'v1', attempt: 0 };
const CANARY = 'canary-token';
const TOKEN = {
  accessToken: CANARY,
  issuedAtMs: NOON_MS,
  expiresAtMs: NOON_MS + 3_600_000,
  credentialVersionId: 'credential-1',
  writesMs: [NOON_MS],
};
const VALUE = serializeStoredToken(TOKEN, KEY);
const NO_VERSION = new ResourceNotFoundException({
  message: `Secrets Manager can't find the specified secret value for staging label: AWSCURRENT`,
  $metadata: {},
});

const aws = mockClient(SecretsManagerClient);
const store = new SecretsManagerTokenStore(new SecretsManagerClient({ region: 'eu-west-2' }), 'latchkey');
beforeEach(() => aws.reset());

const failed = (name: string) =>
  new SecretsManagerServiceException({ name, message: CANARY, $fault: 'client', $metadata: {} });
const failureOf = (call: Promise<unknown>) => call.then(fail, (error: StoreError) => error);
function fail(): never {
  throw new Error('the call succeeded');
}

describe('reading a token secret', () => {
  test('asks for the current version by the name of the key', async () => {
    aws.on(GetSecretValueCommand).resolves({ ARN, VersionId: 'v1', SecretString: VALUE });

    const entry = await store.read(KEY);

    expect(entry).toEqual({ ...SEEN, token: TOKEN });
    expect(aws.calls().map(({ args }) => args[0].input)).toEqual([
      { SecretId: NAME, VersionStage: 'AWSCURRENT' },
    ]);
  });

  test.each<[string, string | undefined]>([
    ['is of another key', serializeStoredToken(TOKEN, { ...KEY, tenantId: 'other' })],
    ['is no JSON', 'by hand'],
    ['is binary', undefined],
  ])(
    'has no token where the value %s, yet its version, so that it can be replaced',
    async (_, SecretString) => {
      aws.on(GetSecretValueCommand).resolves({ ARN, VersionId: 'v1', SecretString });

      expect(await store.read(KEY)).toEqual({ ...SEEN, token: undefined });
    },
  );

  test('has neither version nor token where none was written yet', async () => {
    aws.on(GetSecretValueCommand).rejects(NO_VERSION);
    aws.on(DescribeSecretCommand, { SecretId: NAME }).resolves({ ARN });

    expect(await store.read(KEY)).toEqual({ ...SEEN, versionId: undefined, token: undefined });
  });

  test('fails where there is no such secret', async () => {
    aws.on(GetSecretValueCommand).rejects(NO_VERSION);
    aws.on(DescribeSecretCommand).rejects(NO_VERSION);

    expect(await failureOf(store.read(KEY))).toMatchObject({
      code: 'not_found',
      message: `secretsmanager:DescribeSecret on ${NAME} failed: ResourceNotFoundException: the stack that makes this secret is not deployed`,
    });
  });

  test.each([
    ['ThrottlingException', 'throttled'],
    ['AccessDeniedException', 'access_denied'],
    ['DecryptionFailure', 'access_denied'],
    ['InvalidRequestException', 'scheduled_for_deletion'],
    ['InternalServiceError', 'unavailable'],
  ])('fails with %s as %s', async (name, code) => {
    aws.on(GetSecretValueCommand).rejects(failed(name));

    const failure = await failureOf(store.read(KEY));

    expect(failure).toBeInstanceOf(StoreError);
    expect(failure).toMatchObject({
      code,
      message: expect.stringMatching(`^secretsmanager:GetSecretValue on ${NAME}`) as string,
    });
    expect(failure.message).not.toContain(CANARY);
  });
});

describe('writing a token secret', () => {
  test('puts the value under the version id that follows what was seen, and moves no label itself', async () => {
    aws.on(PutSecretValueCommand).resolves({ VersionId: 'v2' });

    const outcome = await store.compareAndSet(KEY, { ...SEEN, secretArn: 'arn:x' }, TOKEN);

    expect(outcome).toEqual({ kind: 'written', versionId: 'v2' });
    expect(aws.calls().map(({ args }) => args[0].input)).toEqual([
      {
        SecretId: 'arn:x',
        ClientRequestToken: expect.stringMatching(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/) as string,
        SecretString: VALUE,
      },
    ]);
  });

  test('uses the same version id for the same look, and another for another', async () => {
    aws.on(PutSecretValueCommand).resolves({ VersionId: 'v2' });

    for (const seen of [SEEN, SEEN, { ...SEEN, attempt: 1 }, { ...SEEN, versionId: 'v2' }]) {
      await store.compareAndSet(KEY, seen, TOKEN);
    }

    const [first, second, third, fourth] = aws
      .commandCalls(PutSecretValueCommand)
      .map(({ args }) => args[0].input.ClientRequestToken);
    expect(second).toBe(first);
    expect(new Set([first, third, fourth]).size).toBe(3);
  });

  // https://docs.aws.amazon.com/secretsmanager/latest/apireference/API_PutSecretValue.html (ClientRequestToken)
  test('is a conflict where the version id exists with another value', async () => {
    aws.on(PutSecretValueCommand).rejects(new ResourceExistsException({ message: CANARY, $metadata: {} }));

    expect(await store.compareAndSet(KEY, SEEN, TOKEN)).toEqual({ kind: 'conflict' });
  });

  test.each([
    ['ThrottlingException', 'throttled'],
    ['LimitExceededException', 'limit_exceeded'],
    ['AccessDeniedException', 'access_denied'],
    ['EncryptionFailure', 'access_denied'],
    ['ResourceNotFoundException', 'not_found'],
    ['InvalidRequestException', 'scheduled_for_deletion'],
    ['InternalServiceError', 'unavailable'],
  ])('fails with %s as %s', async (name, code) => {
    aws.on(PutSecretValueCommand).rejects(failed(name));

    const failure = await failureOf(store.compareAndSet(KEY, SEEN, TOKEN));

    expect(failure).toMatchObject({
      code,
      message: expect.stringContaining(`secretsmanager:PutSecretValue on ${ARN}`) as string,
    });
    expect(`${failure.message} ${failure.stack}`).not.toContain(CANARY);
  });
});

test('every call ends with the time that it is given, all its repetitions included', async () => {
  aws.on(GetSecretValueCommand).rejects(NO_VERSION);
  aws.on(DescribeSecretCommand).resolves({ ARN });
  aws.on(PutSecretValueCommand).resolves({ VersionId: 'v2' });

  await store.read(KEY, 60_000);
  await store.compareAndSet(KEY, SEEN, TOKEN, 60_000);

  const options = aws.calls().map(({ args }: { args: unknown[] }) => args[1]);
  expect(options).toEqual(Array(3).fill({ abortSignal: expect.any(AbortSignal) as unknown }));
});
