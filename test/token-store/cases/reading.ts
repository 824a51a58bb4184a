import { serializeStoredToken, type StoredToken } from '../../../lambdas/shared/domain/stored-token';
import { KEY } from '../../support/lambdas/token-functions';
import { nothingSeen, type StoreUnderTest, tokenNamed, write } from '../support/store-under-test';

const VERSION_ID = '11111111-1111-4111-8111-111111111111';
const OTHER_ID = '22222222-2222-4222-8222-222222222222';
const TOKEN = tokenNamed('by-hand');
const VALUE = serializeStoredToken(TOKEN, KEY);
const FIELDS = JSON.parse(VALUE) as Record<string, unknown>;
/** The greatest value that Secrets Manager takes. @see Secrets Manager user guide, reference_limits */
const MAX_VALUE_BYTES = 65_536;

const without = (name: string) => ({ ...FIELDS, [name]: undefined });

/** A token whose value has exactly that many bytes. */
export function tokenOfBytes(bytes: number): StoredToken {
  const empty = serializeStoredToken(tokenNamed('', { accessToken: '' }), KEY);
  return tokenNamed('', { accessToken: 'x'.repeat(bytes - Buffer.byteLength(empty)) });
}

/** What a store promises of its reads. */
export function readingCases(sut: () => StoreUnderTest): void {
  test('has neither version nor token before the first write, yet the ARN', async () => {
    const { store } = sut();

    expect(await store.read(KEY)).toEqual({ ...nothingSeen(sut().arnOf(KEY)), token: undefined });
  });

  test('has the token that was written, with its version and the ARN', async () => {
    const { store } = sut();
    const versionId = await write(store, TOKEN);

    expect(await store.read(KEY)).toEqual({
      secretArn: sut().arnOf(KEY),
      versionId,
      attempt: 0,
      token: TOKEN,
    });
  });

  test.each<[string, StoredToken]>([
    ['letters of all scripts', tokenNamed('', { accessToken: 'Zoë–ключ–鍵–🔑–\u2028' })],
    ['quotes, backslashes and line breaks', tokenNamed('', { accessToken: '"\\"\r\n\t\u0000\u001f' })],
    ['a value of 65,536 bytes', tokenOfBytes(MAX_VALUE_BYTES)],
    [
      'times to the millisecond',
      tokenNamed('', { issuedAtMs: 1_700_000_000_001, expiresAtMs: 1_700_000_000_999 }),
    ],
    ['no writes yet', tokenNamed('', { writesMs: [] })],
    ['a hundred writes', tokenNamed('', { writesMs: Array.from({ length: 100 }, (_, n) => n + 0.25) })],
    ['a credential version of another form', tokenNamed('', { credentialVersionId: '' })],
  ])('gives back to the letter a token with %s', async (_, token) => {
    const { store } = sut();
    await write(store, token);

    expect((await store.read(KEY)).token).toEqual(token);
  });

  test.each<[string, string | Uint8Array]>([
    ['is no JSON', 'by hand'],
    ['was cut off', VALUE.slice(0, -1)],
    ['is null', 'null'],
    ['is a list', `[${VALUE}]`],
    ['is a text', JSON.stringify(VALUE)],
    ['is binary', new Uint8Array([0, 255, 7])],
    ['is binary, though its bytes are those of a token', Buffer.from(VALUE)],
    ['is of another environment', JSON.stringify({ ...FIELDS, environment: 'production' })],
    ['is of another platform region', JSON.stringify({ ...FIELDS, platformRegion: 'global' })],
    ['is of another tenant', JSON.stringify({ ...FIELDS, tenantId: 'other' })],
    ['is of another interface', JSON.stringify({ ...FIELDS, interface: 'webhooks' })],
    ['is of another scope', JSON.stringify({ ...FIELDS, scope: 'api/write' })],
    ['names no tenant', JSON.stringify(without('tenantId'))],
    ['has no access token', JSON.stringify(without('accessToken'))],
    ['has an empty access token', JSON.stringify({ ...FIELDS, accessToken: '' })],
    ['has another type of token', JSON.stringify({ ...FIELDS, tokenType: 'MAC' })],
    ['does not say when it expires', JSON.stringify(without('expiresAt'))],
    ['expires at no time', JSON.stringify({ ...FIELDS, expiresAt: 'tomorrow' })],
    ['was issued at no time', JSON.stringify({ ...FIELDS, issuedAt: 5 })],
    ['does not say which credential minted it', JSON.stringify(without('credentialVersionId'))],
  ])('has no token where the value %s, yet its version, so that it can be replaced', async (_, value) => {
    const { store } = sut();
    await sut().putByHand(KEY, VERSION_ID, value);

    expect(await store.read(KEY)).toEqual({
      secretArn: sut().arnOf(KEY),
      versionId: VERSION_ID,
      attempt: 0,
      token: undefined,
    });
    expect(await write(store, TOKEN)).not.toBe(VERSION_ID);
    expect((await store.read(KEY)).token).toEqual(TOKEN);
  });

  test('takes a token put by hand, and leaves out further fields', async () => {
    const { store } = sut();
    const value = `{"more":{"deep":[1]},"__proto__":{"accessToken":"other"},${VALUE.slice(1)}`;
    await sut().putByHand(KEY, VERSION_ID, value);

    expect((await store.read(KEY)).token).toEqual(TOKEN);
  });

  test.each<[string, unknown, number[]]>([
    ['are missing', undefined, []],
    ['are no list', 'many', []],
    ['hold more than times', [1, '2', null, 3], [1, 3]],
  ])('has a token whose writes %s', async (_, writesMs, read) => {
    const { store } = sut();
    await sut().putByHand(KEY, VERSION_ID, JSON.stringify({ ...FIELDS, writesMs }));

    expect((await store.read(KEY)).token).toEqual({ ...TOKEN, writesMs: read });
  });

  test('passes over a version that only has another label', async () => {
    const { store } = sut();
    const versionId = await write(store, TOKEN);
    const pending = serializeStoredToken(tokenNamed('pending'), KEY);
    await sut().putByHand(KEY, OTHER_ID, pending, ['AWSPENDING']);

    expect(await store.read(KEY)).toMatchObject({ versionId, token: TOKEN });
  });

  test('has the very first version, whatever label it was put with', async () => {
    const { store } = sut();
    await sut().putByHand(KEY, VERSION_ID, VALUE, ['AWSPENDING']);

    expect(await store.read(KEY)).toMatchObject({ versionId: VERSION_ID, token: TOKEN });
  });

  test('sees at once what another process wrote', async () => {
    const { store } = sut();
    await store.read(KEY);
    const versionId = await write(sut().anotherStore(), TOKEN);

    expect(await store.read(KEY)).toMatchObject({ versionId, token: TOKEN });
  });

  test('changes nothing', async () => {
    const { store } = sut();
    await write(store, TOKEN);
    const before = await sut().labels(KEY);

    const reads = await Promise.all([store.read(KEY), store.read(KEY), store.read(KEY)]);

    expect(new Set(reads.map((entry) => JSON.stringify(entry))).size).toBe(1);
    expect(await sut().labels(KEY)).toEqual(before);
  });
}
