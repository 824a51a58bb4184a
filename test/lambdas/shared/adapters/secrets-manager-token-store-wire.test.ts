import { type AddressInfo, createServer, type Socket } from 'node:net';
import { inspect } from 'node:util';
import { PutSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';

import { tokenSecretName } from '../../../../core/secrets/secret-names';
import { SecretsManagerTokenStore } from '../../../../lambdas/shared/adapters/secrets-manager-token-store';
import { StoreError } from '../../../../core/secrets/store-error';
import { serializeStoredToken, type StoredToken } from '../../../../core/tokens/stored-token';
import { type Secret } from 'cdk-on-loopback/testing';
import { injectAwsFault } from '../../../faults/support/aws-faults';
import { KEY_ARN, LocalAws, REGION } from 'cdk-on-loopback/testing/local-aws';
import { KEY } from '../../../support/lambdas/token-functions';

const NAME = tokenSecretName('latchkey', KEY);
const CANARY = 'zq7"canary/ü+0123456789';
const PATIENCE_MS = 300;
const TOKEN: StoredToken = {
  accessToken: CANARY,
  issuedAtMs: 1_700_000_000_001,
  expiresAtMs: 1_700_000_000_999,
  credentialVersionId: 'credential-1',
  writesMs: [0.25],
};
const RIGHTS = [
  'secretsmanager:GetSecretValue',
  'secretsmanager:DescribeSecret',
  'secretsmanager:PutSecretValue',
  'kms:Decrypt',
  'kms:GenerateDataKey',
];

let aws: LocalAws;
let secret: Secret;

beforeEach(async () => {
  aws = new LocalAws();
  await aws.start();
  secret = aws.addSecret(NAME, { kmsKeyArn: KEY_ARN });
});
afterEach(() => aws.stop());

/** A store whose role lacks one permission, on secrets and keys. */
function storeWithout(right?: string): SecretsManagerTokenStore {
  const statements = RIGHTS.filter((each) => each !== right).map((Action) => ({
    ...{ Effect: 'Allow' as const, Action },
    Resource: Action.startsWith('kms:') ? KEY_ARN : '*',
  }));
  return new SecretsManagerTokenStore(aws.secretsManager(aws.roleKey(...statements)), 'latchkey');
}

const unseen = () => ({ secretArn: secret.arn, versionId: undefined });

/** The store error of a call. Checks that it does not contain a token. */
async function failureOf(call: Promise<unknown>): Promise<StoreError> {
  const failure: unknown = await call.then(
    () => new Error('the call succeeded'),
    (error: unknown) => error,
  );
  if (!(failure instanceof StoreError)) throw failure;
  const { message, stack } = failure;
  const texts = [message, stack, JSON.stringify(failure), inspect(failure, { depth: 12, showHidden: true })];
  expect(texts.filter((text) => text?.includes('canary'))).toEqual([]);
  return failure;
}

/** A token whose value has exactly this many bytes. */
function tokenOfBytes(bytes: number): StoredToken {
  const empty = serializeStoredToken({ ...TOKEN, accessToken: '' }, KEY);
  return { ...TOKEN, accessToken: 'x'.repeat(bytes - Buffer.byteLength(empty)) };
}

describe('over the wire, a token', () => {
  test.each<[string, StoredToken]>([
    ['letters of all scripts', { ...TOKEN, accessToken: 'Zoë–ключ–鍵–🔑–\u2028' }],
    ['quotes, backslashes and line breaks', { ...TOKEN, accessToken: '"\\"\r\n\t\u0000\u001f' }],
    ['a value of 65,536 bytes', tokenOfBytes(65_536)],
    ['a hundred writes', { ...TOKEN, writesMs: Array.from({ length: 100 }, (_, n) => n + 0.25) }],
  ])('with %s is read back exactly', async (_, token) => {
    const store = storeWithout();
    const empty = await store.read(KEY);

    const outcome = await store.compareAndSet(KEY, empty, token);

    expect(empty).toEqual({ ...unseen(), token: undefined });
    expect(outcome).toMatchObject({ kind: 'written' });
    expect((await store.read(KEY)).token).toEqual(token);
    expect(await store.compareAndSet(KEY, empty, token)).toEqual(outcome);
    expect(await store.compareAndSet(KEY, empty, TOKEN)).toEqual({ kind: 'conflict' });
  });

  test('of a key is read only from its own secret, whatever bytes are written by hand', async () => {
    const SecretBinary = Buffer.from(serializeStoredToken(TOKEN, KEY));
    const put = { SecretId: NAME, ClientRequestToken: 'v'.repeat(64), SecretBinary };
    await aws.secretsManager().send(new PutSecretValueCommand(put));
    const store = storeWithout();

    const seen = await store.read(KEY);

    expect(seen).toMatchObject({ versionId: 'v'.repeat(64), token: undefined });
    expect(await store.compareAndSet(KEY, seen, TOKEN)).toMatchObject({ kind: 'written' });
  });
});

describe('over the wire, a failure', () => {
  test.each([
    ['secretsmanager:GetSecretValue', 'GetSecretValue'],
    ['secretsmanager:DescribeSecret', 'DescribeSecret'],
    ['secretsmanager:PutSecretValue', 'PutSecretValue'],
  ])('without the permission %s names it, with the secret', async (right, operation) => {
    const store = storeWithout(right);
    const isWrite = operation === 'PutSecretValue';

    const failure = await failureOf(isWrite ? store.compareAndSet(KEY, unseen(), TOKEN) : store.read(KEY));

    expect(failure).toMatchObject({
      code: 'access_denied',
      message: `${right} on ${isWrite ? secret.arn : NAME} was denied: the role lacks ${right} on ${secret.arn}`,
    });
  });

  test.each([
    ['kms:Decrypt', 'GetSecretValue'],
    ['kms:GenerateDataKey', 'PutSecretValue'],
  ])('without the permission %s names the key', async (right, operation) => {
    await storeWithout().compareAndSet(KEY, unseen(), TOKEN);
    const store = storeWithout(right);

    const failure = await failureOf(
      right === 'kms:Decrypt'
        ? store.read(KEY)
        : store.compareAndSet(KEY, { ...unseen(), attempt: 1 }, TOKEN),
    );

    expect(failure.code).toBe('access_denied');
    expect(failure.message).toMatch(
      new RegExp(`^secretsmanager:${operation} on \\S+ was denied: the role lacks ${right} on `),
    );
    expect(secret.versions.size).toBe(1);
  });

  test.each([
    ['ThrottlingException', 'throttled'],
    ['InternalServiceError', 'unavailable'],
    ['LimitExceededException', 'limit_exceeded'],
    ['EncryptionFailure', 'access_denied'],
    ['InvalidRequestException', 'scheduled_for_deletion'],
    ['ResourceNotFoundException', 'not_found'],
  ])('of a write with %s is %s, and does not show the value', async (error, code) => {
    const store = storeWithout();
    await injectAwsFault(aws, { operation: 'PutSecretValue', error });

    expect(await failureOf(store.compareAndSet(KEY, unseen(), TOKEN))).toMatchObject({ code });
    expect(secret.versions.size).toBe(0);
  });

  test('of a value over 65,536 bytes is malformed, and does not show the value', async () => {
    const { accessToken } = tokenOfBytes(65_537);
    const call = storeWithout().compareAndSet(KEY, unseen(), { ...TOKEN, accessToken: CANARY + accessToken });

    expect(await failureOf(call)).toMatchObject({ code: 'malformed', isRetryable: false });
  });
});

describe('a Secrets Manager that', () => {
  test.each<[string, (socket: Socket) => void]>([
    ['resets connections', (socket) => socket.resetAndDestroy()],
    ['takes a request and resets', (socket) => socket.once('data', () => socket.resetAndDestroy())],
    ['is silent', (socket) => socket.unref()],
  ])('%s is an outage within bounds', async (_, onConnection) => {
    const server = createServer(onConnection).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const client = new SecretsManagerClient({
      endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      region: REGION,
      credentials: { accessKeyId: 'id', secretAccessKey: 'key' },
      maxAttempts: 1,
    });
    const store = new SecretsManagerTokenStore(client, 'latchkey');

    const failures = [
      await failureOf(store.read(KEY, PATIENCE_MS)),
      await failureOf(store.compareAndSet(KEY, unseen(), TOKEN, PATIENCE_MS)),
    ];

    const outage = { code: 'unavailable', isRetryable: true };
    expect(failures).toMatchObject([outage, outage]);
    client.destroy();
    server.close();
  });
});
