import { type TokenValue } from '../../../contract/secret-values';
import { nextVersionId } from '../../../lambdas/shared/domain/compare-and-set';
import { serializeStoredToken } from '../../../lambdas/shared/domain/stored-token';
import { KEY } from '../../support/lambdas/token-functions';
import { nothingSeen, type StoreUnderTest, tokenNamed, write } from '../support/store-under-test';
import { tokenOfBytes } from './reading';

const [A, B, C] = [tokenNamed('a'), tokenNamed('b'), tokenNamed('c')];
const CONFLICT = { kind: 'conflict' };

/** What a store promises of its writes. */
export function writingCases(sut: () => StoreUnderTest): void {
  const countVersions = async () => Object.keys(await sut().labels(KEY)).length;
  const currentToken = async () => (await sut().store.read(KEY)).token;

  test('makes the first token current', async () => {
    const { store } = sut();

    const outcome = await store.compareAndSet(KEY, await store.read(KEY), A);

    expect(outcome).toEqual({ kind: 'written', versionId: (await store.read(KEY)).versionId });
    expect(await currentToken()).toEqual(A);
  });

  test('makes each next token current, one version a write', async () => {
    const { store } = sut();
    const ids = [await write(store, A), await write(store, B), await write(store, C)];

    expect(await store.read(KEY)).toMatchObject({ versionId: ids[2], token: C });
    expect(new Set(ids).size).toBe(3);
    expect(await countVersions()).toBe(3);
  });

  test('names the version by nothing but what was seen', async () => {
    const { store } = sut();
    const first = await store.read(KEY);

    expect(await write(store, A)).toBe(nextVersionId(first));
    const second = await store.read(KEY);
    expect(await write(store, B)).toBe(nextVersionId(second));
  });

  test('stores the value that the contract describes', async () => {
    const versionId = await write(sut().store, A);

    const value = JSON.parse((await sut().valueOf(KEY, versionId)) as string) as TokenValue;

    expect(value).toMatchObject({
      ...KEY,
      accessToken: 'token-a',
      tokenType: 'Bearer',
      issuedAt: '2026-01-31T12:00:00.000Z',
      expiresAt: '2026-01-31T13:00:00.000Z',
      credentialVersionId: 'credential-1',
    });
  });

  test('is a conflict for whoever saw no version, where there is one now', async () => {
    const { store } = sut();
    const seen = await store.read(KEY);
    await write(store, A);

    expect(await store.compareAndSet(KEY, seen, B)).toEqual(CONFLICT);
    expect(await currentToken()).toEqual(A);
    expect(await countVersions()).toBe(1);
  });

  test('is a conflict for whoever saw the version before, and writes nothing', async () => {
    const { store } = sut();
    await write(store, A);
    const seen = await store.read(KEY);
    await write(store, B);

    expect(await store.compareAndSet(KEY, seen, C)).toEqual(CONFLICT);
    expect(await currentToken()).toEqual(B);
    expect(await countVersions()).toBe(2);
  });

  test('is a conflict for whoever saw a version of long ago', async () => {
    const { store } = sut();
    const seen = await store.read(KEY);
    for (const token of [A, B, C]) await write(store, token);

    expect(await store.compareAndSet(KEY, seen, tokenNamed('late'))).toEqual(CONFLICT);
    expect(await currentToken()).toEqual(C);
  });

  test('is a conflict again, however often the loser repeats it', async () => {
    const { store } = sut();
    const seen = await store.read(KEY);
    await write(store, A);

    for (let n = 0; n < 3; n += 1) expect(await store.compareAndSet(KEY, seen, B)).toEqual(CONFLICT);
    expect(await countVersions()).toBe(1);
  });

  test.each<[string, Partial<typeof A>]>([
    ['another access token', { accessToken: 'other' }],
    ['another life', { expiresAtMs: A.expiresAtMs + 1 }],
    ['another credential', { credentialVersionId: 'credential-2' }],
    ['other writes', { writesMs: [] }],
  ])('is a conflict where the version of the same name has %s', async (_, change) => {
    const { store } = sut();
    const seen = await store.read(KEY);
    await store.compareAndSet(KEY, seen, A);

    expect(await store.compareAndSet(KEY, seen, { ...A, ...change })).toEqual(CONFLICT);
  });

  test('succeeds when repeated, and changes nothing', async () => {
    const { store } = sut();
    const seen = await store.read(KEY);
    const outcome = await store.compareAndSet(KEY, seen, A);
    const before = await sut().labels(KEY);

    expect(await store.compareAndSet(KEY, seen, A)).toEqual(outcome);
    expect(await sut().labels(KEY)).toEqual(before);
  });

  test('does not bring an old token back when it is repeated late', async () => {
    const { store } = sut();
    const seen = await store.read(KEY);
    const outcome = await store.compareAndSet(KEY, seen, A);
    await write(store, B);
    await write(store, C);
    const before = await sut().labels(KEY);

    expect(await store.compareAndSet(KEY, seen, A)).toEqual(outcome);
    expect(await sut().labels(KEY)).toEqual(before);
    expect(await currentToken()).toEqual(C);
  });

  test('lets the loser write once it has read again', async () => {
    const { store } = sut();
    const seen = await store.read(KEY);
    await write(store, A);
    await store.compareAndSet(KEY, seen, B);

    await write(store, B);

    expect(await currentToken()).toEqual(B);
    expect((await sut().readPrevious(KEY))?.token).toEqual(A);
  });

  test.each([2, 20])('lets exactly one of %d writers win who saw the same version', async (count) => {
    await write(sut().store, A);
    const writers = Array.from({ length: count }, (_, n) => ({
      store: sut().anotherStore(),
      token: tokenNamed(`of-writer-${n}`),
    }));
    const looks = await Promise.all(writers.map(({ store }) => store.read(KEY)));

    const outcomes = await Promise.all(
      writers.map(({ store, token }, n) => store.compareAndSet(KEY, looks[n]!, token)),
    );

    const winner = outcomes.findIndex(({ kind }) => kind === 'written');
    expect(outcomes.filter(({ kind }) => kind === 'conflict')).toHaveLength(count - 1);
    expect(await currentToken()).toEqual(writers[winner]!.token);
    expect(await countVersions()).toBe(2);
  });

  test('tells every writer of one and the same token that it is written, once', async () => {
    const seen = nothingSeen(sut().arnOf(KEY));
    const stores = Array.from({ length: 5 }, () => sut().anotherStore());

    const outcomes = await Promise.all(stores.map((store) => store.compareAndSet(KEY, seen, A)));

    expect(new Set(outcomes.map((outcome) => JSON.stringify(outcome))).size).toBe(1);
    expect(await countVersions()).toBe(1);
  });

  test('lets every writer in, one after another, when each reads again after a conflict', async () => {
    const writers = Array.from({ length: 5 }, (_, n) => ({
      store: sut().anotherStore(),
      token: tokenNamed(`of-writer-${n}`),
    }));

    await Promise.all(
      writers.map(async ({ store, token }) => {
        // In each round one of them wins.
        for (let round = 1; round <= 5; round += 1) {
          const outcome = await store.compareAndSet(KEY, await store.read(KEY), token);
          if (outcome.kind === 'written') return;
        }
      }),
    );

    expect(await countVersions()).toBe(5);
  });

  test.each([
    ['is of 32 characters and no UUID', 'v'.repeat(32)],
    ['is of 64 characters', 'v'.repeat(64)],
    ['ends in the highest digit', 'ffffffff-ffff-4fff-bfff-ffffffffffff'],
  ])('follows a version put by hand, whose id %s', async (_, byHand) => {
    await sut().putByHand(KEY, byHand, serializeStoredToken(A, KEY));

    const versionId = await write(sut().store, B);

    expect(versionId).toMatch(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/);
    expect(await currentToken()).toEqual(B);
  });

  test('is a conflict where its version id was taken by hand', async () => {
    const { store } = sut();
    const seen = await store.read(KEY);
    await sut().putByHand(KEY, nextVersionId(seen), 'by hand');

    expect(await store.compareAndSet(KEY, seen, A)).toEqual(CONFLICT);
  });

  test('refuses a value over 65,536 bytes as malformed, and writes nothing', async () => {
    const { store } = sut();
    const call = store.compareAndSet(KEY, await store.read(KEY), tokenOfBytes(65_537));

    await expect(call).rejects.toMatchObject({ code: 'malformed', isRetryable: false });
    expect(await countVersions()).toBe(0);
  });
}
