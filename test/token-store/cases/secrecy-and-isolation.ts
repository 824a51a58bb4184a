import { inspect } from 'node:util';

import { type TokenKey } from '../../../contract/token-key';
import { serializeStoredToken } from '../../../lambdas/shared/domain/stored-token';
import { findCanaries } from '../../support/canaries';
import { KEY } from '../../support/lambdas/token-functions';
import {
  type CallFailure,
  failureOf,
  nothingSeen,
  PATIENCE_MS,
  type StoreUnderTest,
  tokenNamed,
  write,
} from '../support/store-under-test';
import { tokenOfBytes } from './reading';

const CANARY = { name: 'token', value: 'zq7"canary/ü+0123456789' };
const SECRET = tokenNamed('', { accessToken: CANARY.value });
const [A, B] = [tokenNamed('a'), tokenNamed('b')];
const BY_HAND = '11111111-1111-4111-8111-111111111111';

/** Whatever a log could make of an error. */
function textsOf(error: Error): { place: string; text: string }[] {
  return [
    { place: 'message', text: error.message },
    { place: 'stack', text: error.stack ?? '' },
    { place: 'JSON', text: JSON.stringify(error) },
    { place: 'inspect', text: inspect(error, { depth: 12, showHidden: true }) },
  ];
}

/** What no failure may tell. */
export function secrecyCases(sut: () => StoreUnderTest): void {
  test.each<[string, CallFailure]>([
    ['throttled', { exception: 'ThrottlingException' }],
    ['refused by KMS', { exception: 'EncryptionFailure' }],
    ['answered with an error inside', { exception: 'InternalServiceError' }],
    ['lost on the way', 'request lost'],
    ['never answered', 'request swallowed'],
    ['acknowledged to nobody', 'answer lost'],
    ['refused a connection', 'connection refused'],
  ])('has no token in the error of a write that was %s', async (_, fault) => {
    const seen = nothingSeen(sut().arnOf(KEY));
    await sut().failNext(KEY, 'PutSecretValue', fault);

    const failure = await failureOf(sut().store.compareAndSet(KEY, seen, SECRET, PATIENCE_MS));

    expect(findCanaries([CANARY], textsOf(failure))).toEqual([]);
  });

  test.each(['denied', 'too large', 'on a secret that is gone'])(
    'has no token in the error of a write that was %s',
    async (what) => {
      const seen = nothingSeen(sut().arnOf(KEY));
      if (what === 'denied') sut().deny(KEY, 'secretsmanager:PutSecretValue');
      if (what === 'on a secret that is gone') await sut().deleteSecret(KEY);
      const tail = tokenOfBytes(65_537).accessToken;
      const token = what === 'too large' ? { ...SECRET, accessToken: CANARY.value + tail } : SECRET;

      const failure = await failureOf(sut().store.compareAndSet(KEY, seen, token));

      expect(findCanaries([CANARY], textsOf(failure))).toEqual([]);
    },
  );

  test.each<[string, CallFailure]>([
    ['throttled', { exception: 'ThrottlingException' }],
    ['refused by KMS', { exception: 'DecryptionFailure' }],
    ['cut off after the answer', 'answer lost'],
  ])('has no stored token in the error of a read that was %s', async (_, fault) => {
    await write(sut().store, SECRET);
    await sut().failNext(KEY, 'GetSecretValue', fault);

    const failure = await failureOf(sut().store.read(KEY));

    expect(findCanaries([CANARY], textsOf(failure))).toEqual([]);
  });

  test('gives nothing of a value that it does not understand', async () => {
    await sut().putByHand(KEY, BY_HAND, `{"accessToken":"${CANARY.value}`);

    const entry = await sut().store.read(KEY);

    expect(findCanaries([CANARY], [{ place: 'entry', text: inspect(entry) }])).toEqual([]);
  });
}

/** What two keys may never share. */
export function isolationCases(sut: () => StoreUnderTest): void {
  const OTHERS: [string, TokenKey][] = [
    ['environment', { ...KEY, environment: 'production' }],
    ['platform region', { ...KEY, platformRegion: 'global' }],
    ['tenant', { ...KEY, tenantId: 'eu-west-2_Acme2' }],
    ['tenant, by upper and lower case', { ...KEY, tenantId: KEY.tenantId.toUpperCase() }],
    ['interface', { ...KEY, interface: 'webhooks', scope: 'api/all' }],
    ['scope', { ...KEY, interface: 'content', scope: 'api/write' }],
  ];

  describe.each(OTHERS)('of two keys that differ in %s', (_, other) => {
    beforeEach(() => sut().createSecret(other));

    test('each has its own token and its own versions', async () => {
      const ours = await write(sut().store, A);
      expect((await sut().store.read(other)).versionId).toBeUndefined();
      const theirs = await write(sut().store, B, other);

      expect(sut().arnOf(other)).not.toBe(sut().arnOf(KEY));
      expect(ours).not.toBe(theirs);
      expect((await sut().store.read(KEY)).token).toEqual(A);
      expect((await sut().store.read(other)).token).toEqual(B);
      expect(Object.keys(await sut().labels(KEY))).toEqual([ours]);
    });

    test("the one's entry in the other's secret is none", async () => {
      await sut().putByHand(other, BY_HAND, serializeStoredToken(A, KEY));

      expect(await sut().store.read(other)).toMatchObject({ versionId: BY_HAND, token: undefined });
    });

    test('a failure of the one leaves the other be', async () => {
      await write(sut().store, B, other);
      await sut().scheduleDeletion(KEY);

      await failureOf(sut().store.read(KEY));

      expect((await sut().store.read(other)).token).toEqual(B);
    });
  });

  test('goes by the secret that was looked at, whatever key is written', async () => {
    const other: TokenKey = { ...KEY, tenantId: 'other' };
    sut().createSecret(other);
    const seen = await sut().store.read(other);

    await sut().store.compareAndSet(KEY, seen, A);

    expect(await sut().store.read(other)).toMatchObject({
      versionId: expect.any(String) as string,
      token: undefined,
    });
    expect((await sut().store.read(KEY)).versionId).toBeUndefined();
  });
}
