import { inspect } from 'node:util';

import { tokenSecretName } from '../../../../core/secrets/secret-names';
import { type TokenValue } from '../../../../core/secrets/secret-values';
import { type TokenKey } from '../../../../core/tokens/token-key';
import { SecretsManagerTokenReader } from '../../../../lambdas/shared/adapters/secrets-manager-token-reader';
import { SecretsManagerTokenStore } from '../../../../lambdas/shared/adapters/secrets-manager-token-store';
import { nextVersionId, type SeenVersion } from '../../../../core/secrets/compare-and-set';
import { type StoreError } from '../../../../core/secrets/store-error';
import { serializeStoredToken, type StoredToken } from '../../../../core/tokens/stored-token';
import { addVersion, moveLabel, type Secret } from 'cdk-on-loopback/testing';
import { arnOf, clientOf, SimulatedSecretsManager } from '../../../support/aws/simulated-secrets-manager';
import { denialText } from '../../../support/lambdas/denial-text';
import { failureOf as rejectionOf } from '../../../support/lambdas/failure-of';
import { KEY } from '../../../support/lambdas/token-functions';
import { NOON_MS } from '../../../support/lambdas/virtual-clock';

const NAME = tokenSecretName('latchkey', KEY);
const ARN = arnOf(NAME);
const UNSEEN: SeenVersion = { secretArn: ARN, versionId: undefined };
const BY_HAND = '11111111-1111-4111-8111-111111111111';
const CONFLICT = { kind: 'conflict' };
const CANARY = 'canary-token';
const TEXT_OF_AWS = 'text of AWS';
const HOUR_MS = 3_600_000;

function tokenNamed(name: string): StoredToken {
  return {
    accessToken: `${CANARY}-${name}`,
    issuedAtMs: NOON_MS,
    expiresAtMs: NOON_MS + HOUR_MS,
    credentialVersionId: 'credential-1',
    writesMs: [NOON_MS],
  };
}
const [A, B, C, D] = [tokenNamed('a'), tokenNamed('b'), tokenNamed('c'), tokenNamed('d')];
const VALUE = serializeStoredToken(A, KEY);

let secrets: SimulatedSecretsManager;
let secret: Secret;
let store: SecretsManagerTokenStore;
let reader: SecretsManagerTokenReader;

beforeEach(() => {
  secrets = new SimulatedSecretsManager({ nowMs: () => NOON_MS });
  secret = secrets.create(NAME);
  store = new SecretsManagerTokenStore(clientOf(secrets.send), 'latchkey');
  reader = new SecretsManagerTokenReader(clientOf(secrets.send), 'latchkey');
});

/** Replaces the current token, which must succeed. @returns the new version id */
async function write(token: StoredToken, key: TokenKey = KEY): Promise<string> {
  const outcome = await store.compareAndSet(key, await store.read(key), token);
  if (outcome.kind !== 'written') throw new Error(`the write was a ${outcome.kind}`);
  return outcome.versionId;
}

const current = async () => (await store.read(KEY)).token;
const previous = async () => (await reader.read(KEY, 'AWSPREVIOUS'))?.token;

/** The store error of a call. Checks that it contains neither a token nor AWS's text. */
async function failureOf(call: Promise<unknown>): Promise<StoreError> {
  const failure = await rejectionOf<StoreError>(call);
  expect(failure.name).toBe('StoreError');
  expect(inspect(failure, { depth: 12, showHidden: true })).not.toContain(CANARY);
  expect(failure.message).not.toContain(TEXT_OF_AWS);
  return failure;
}

describe('a read', () => {
  test('has the ARN, but neither version nor token, before the first write', async () => {
    expect(await store.read(KEY)).toEqual({ ...UNSEEN, token: undefined });
    expect(await reader.read(KEY, 'AWSCURRENT')).toBeUndefined();
  });

  test('has the written token, with its version and ARN, and the previous one as AWSPREVIOUS', async () => {
    const first = await write(A);
    const second = await write(B);

    expect(await store.read(KEY)).toEqual({ secretArn: ARN, versionId: second, token: B });
    expect(await reader.read(KEY, 'AWSPREVIOUS')).toEqual({ secretArn: ARN, versionId: first, token: A });
  });

  test.each<[string, object]>([
    ['is not JSON', { secretString: CANARY }],
    ['is binary, even with the bytes of a token', { secretBinary: Buffer.from(VALUE) }],
  ])('has no token if the value %s, but its version, so that it can be replaced', async (_, value) => {
    const version = Object.assign(addVersion(secret, BY_HAND, NOON_MS), value);
    moveLabel(secret, 'AWSCURRENT', version);

    expect(await store.read(KEY)).toEqual({ secretArn: ARN, versionId: BY_HAND, token: undefined });
    await write(A);
    expect(await current()).toEqual(A);
  });
});

describe('a write', () => {
  test('stores the value of the contract, with a version id derived from the version that was read', async () => {
    const outcome = await store.compareAndSet(KEY, UNSEEN, A);

    const versionId = nextVersionId(UNSEEN);
    expect(outcome).toEqual({ kind: 'written', versionId });
    expect(JSON.parse(secret.versions.get(versionId)!.secretString!) as TokenValue).toMatchObject({
      ...KEY,
      accessToken: A.accessToken,
      tokenType: 'Bearer',
      issuedAt: '2026-01-31T12:00:00.000Z',
      expiresAt: '2026-01-31T13:00:00.000Z',
      credentialVersionId: 'credential-1',
    });
    // It moves no label itself.
    expect(secrets.commands.map(({ operation, input }) => [operation, Object.keys(input)])).toEqual([
      ['PutSecretValue', ['SecretId', 'ClientRequestToken', 'SecretString']],
    ]);
  });

  test('is a conflict for a writer that read an old version, until it reads again', async () => {
    const seen = await store.read(KEY);
    for (const token of [A, B, C]) await write(token);

    expect(await store.compareAndSet(KEY, seen, D)).toEqual(CONFLICT);

    expect(await current()).toEqual(C);
    expect(secret.versions.size).toBe(3);
    await write(D);
    expect([await current(), await previous()]).toEqual([D, C]);
  });

  test('succeeds when repeated, and does not restore an old token when repeated late', async () => {
    const outcome = await store.compareAndSet(KEY, UNSEEN, A);
    expect(await store.compareAndSet(KEY, UNSEEN, A)).toEqual(outcome);
    await write(B);
    await write(C);

    expect(await store.compareAndSet(KEY, UNSEEN, A)).toEqual(outcome);
    expect([await current(), await previous()]).toEqual([C, B]);
    expect(secret.versions.size).toBe(3);
  });

  test('overwrites a version that was written by hand after the read, which becomes AWSPREVIOUS', async () => {
    await write(A);
    const seen = await store.read(KEY);
    secrets.put(NAME, serializeStoredToken(B, KEY), BY_HAND);

    expect(await store.compareAndSet(KEY, seen, C)).toMatchObject({ kind: 'written' });
    expect([await current(), await previous()]).toEqual([C, B]);
  });
});

test('after a rollback by hand, a write is a conflict because the next id exists, and succeeds after that version', async () => {
  const first = await write(A);
  await write(B);
  moveLabel(secret, 'AWSCURRENT', secret.versions.get(first)!);
  const seen = await store.read(KEY);

  expect(await store.compareAndSet(KEY, seen, C)).toEqual(CONFLICT);
  const next = (await store.readNext(KEY, seen))!;

  expect(next).toMatchObject({ token: B, labels: ['AWSPREVIOUS'] });
  expect(await store.readNext(KEY, next)).toBeUndefined();
  expect(await store.compareAndSet(KEY, next, C)).toMatchObject({ kind: 'written' });
  expect([await current(), await previous()]).toEqual([C, A]);
  expect(await store.readNext(KEY, next)).toMatchObject({ token: C, labels: ['AWSCURRENT'] });
});

// https://docs.aws.amazon.com/secretsmanager/latest/apireference/ API_GetSecretValue, API_PutSecretValue, CommonErrors
describe('a failure', () => {
  test.each<[string, string, () => Promise<unknown>]>([
    ['GetSecretValue', NAME, () => store.read(KEY)],
    ['DescribeSecret', NAME, () => store.read(KEY)],
    ['PutSecretValue', ARN, () => store.compareAndSet(KEY, UNSEEN, A)],
  ])('of %s names it and the secret', async (operation, secretId, call) => {
    secrets.faults.push({ operation, name: 'ThrottlingException', message: TEXT_OF_AWS });

    expect(await failureOf(call())).toMatchObject({
      code: 'throttled',
      message: `secretsmanager:${operation} on ${secretId} failed: ThrottlingException`,
    });
  });

  describe('of a read that AWS denies', () => {
    const deny = (operation: string, resource: string) =>
      secrets.faults.push({
        operation,
        name: 'AccessDeniedException',
        message: denialText(`secretsmanager:${operation}`, resource),
        times: Infinity,
      });

    test('is not_found if the secret does not exist, which AWS may tell only of DescribeSecret', async () => {
      secrets.account.secrets.clear();
      deny('GetSecretValue', NAME);

      expect(await failureOf(store.read(KEY))).toMatchObject({
        code: 'not_found',
        message: expect.stringContaining('the stack that creates this secret is not deployed') as string,
      });
    });

    test.each<[string, string, number]>([
      ['by ARN, which only an existing secret has', ARN, 0],
      ['by name', NAME, 1],
    ])('stays access_denied if the secret exists, and AWS names it %s', async (_, resource, described) => {
      await write(A);
      secrets.commands.length = 0;
      deny('GetSecretValue', resource);

      expect(await failureOf(store.read(KEY))).toMatchObject({
        code: 'access_denied',
        message: expect.stringContaining(`lacks secretsmanager:GetSecretValue on ${resource}`) as string,
      });
      expect(secrets.commandsOf('DescribeSecret')).toHaveLength(described);
    });

    test('stays access_denied if the role may not describe the secret either', async () => {
      secrets.account.secrets.clear();
      deny('GetSecretValue', NAME);
      deny('DescribeSecret', NAME);

      expect(await failureOf(store.read(KEY))).toMatchObject({ code: 'access_denied' });
    });
  });

  test.each<[string, () => void, boolean, string]>([
    ['a missing secret', () => secrets.account.secrets.clear(), true, 'not_found'],
    ['an empty one to be deleted', () => (secret.deletedAtMs = NOON_MS), false, 'scheduled_for_deletion'],
  ])('is the result of a read of %s', async (_, prepare, isProbablyStored, code) => {
    prepare();

    expect(await failureOf(store.read(KEY, undefined, isProbablyStored))).toMatchObject({ code });
  });
});

test('keys never share an entry: a write goes to the secret that was read, and no other key gets its token', async () => {
  const other: TokenKey = { ...KEY, tenantId: 'other' };
  secrets.create(tokenSecretName('latchkey', other));

  await store.compareAndSet(KEY, await store.read(other), A);

  const versionId = expect.any(String) as string;
  expect(await store.read(other)).toMatchObject({ versionId, token: undefined });
  expect((await store.read(KEY)).versionId).toBeUndefined();
});

test('every call, including its retries, ends at its timeout', async () => {
  const client = clientOf(secrets.send);
  const send = jest.spyOn(client, 'send');
  const timed = new SecretsManagerTokenStore(client, 'latchkey');

  await timed.compareAndSet(KEY, await timed.read(KEY, 60_000), A, 60_000);

  const options = send.mock.calls.map((args: unknown[]) => args[1]);
  expect(options).toEqual(Array(3).fill({ abortSignal: expect.any(AbortSignal) as unknown }));
});
