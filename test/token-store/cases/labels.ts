import { serializeStoredToken } from '../../../lambdas/shared/domain/stored-token';
import { KEY } from '../../support/lambdas/token-functions';
import { type StoreUnderTest, tokenNamed, write } from '../support/store-under-test';

const [A, B, C, D] = [tokenNamed('a'), tokenNamed('b'), tokenNamed('c'), tokenNamed('d')];
const BY_HAND = '11111111-1111-4111-8111-111111111111';
const CONFLICT = { kind: 'conflict' };
const [CURRENT, PREVIOUS] = [['AWSCURRENT'], ['AWSPREVIOUS']];

/** What a store promises of staging labels, and of what becomes of writes when somebody moves them by hand. */
export function labelCases(sut: () => StoreUnderTest): void {
  test('has no version before the first one', async () => {
    const versionId = await write(sut().store, A);

    expect(await sut().labels(KEY)).toEqual({ [versionId]: CURRENT });
    expect(await sut().readPrevious(KEY)).toBeUndefined();
  });

  test('keeps the token before as AWSPREVIOUS, readable', async () => {
    const first = await write(sut().store, A);
    const second = await write(sut().store, B);

    expect(await sut().labels(KEY)).toEqual({ [first]: PREVIOUS, [second]: CURRENT });
    expect(await sut().readPrevious(KEY)).toEqual({
      secretArn: sut().arnOf(KEY),
      versionId: first,
      token: A,
    });
  });

  test('keeps older versions without a label', async () => {
    const first = await write(sut().store, A);
    const second = await write(sut().store, B);
    const third = await write(sut().store, C);

    expect(await sut().labels(KEY)).toEqual({ [first]: [], [second]: PREVIOUS, [third]: CURRENT });
    expect((await sut().readPrevious(KEY))?.token).toEqual(B);
  });

  test('moves no label on a conflict', async () => {
    const { store } = sut();
    await write(store, A);
    const seen = await store.read(KEY);
    await write(store, B);
    const before = await sut().labels(KEY);

    await store.compareAndSet(KEY, seen, C);

    expect(await sut().labels(KEY)).toEqual(before);
  });

  test('leaves labels of other names where they are', async () => {
    const first = await write(sut().store, A);
    await sut().moveByHand(KEY, 'KEPT', first);
    const second = await write(sut().store, B);

    expect(await sut().labels(KEY)).toEqual({ [first]: ['AWSPREVIOUS', 'KEPT'], [second]: CURRENT });
  });

  test('leaves a version alone that was staged by hand', async () => {
    const first = await write(sut().store, A);
    await sut().putByHand(KEY, BY_HAND, 'staged', ['AWSPENDING']);
    const second = await write(sut().store, B);

    expect(await sut().labels(KEY)).toEqual({
      [first]: PREVIOUS,
      [BY_HAND]: ['AWSPENDING'],
      [second]: CURRENT,
    });
  });

  describe('after a rollback by hand', () => {
    let first: string, second: string;
    beforeEach(async () => {
      first = await write(sut().store, A);
      second = await write(sut().store, B);
      await sut().moveByHand(KEY, 'AWSCURRENT', first);
    });

    test('reads what was rolled back to, and has the other as AWSPREVIOUS', async () => {
      expect(await sut().store.read(KEY)).toMatchObject({ versionId: first, token: A });
      expect((await sut().readPrevious(KEY))?.token).toEqual(B);
    });

    test('is a conflict at first, since the version that would follow exists', async () => {
      const { store } = sut();

      expect(await store.compareAndSet(KEY, await store.read(KEY), C)).toEqual(CONFLICT);
      expect((await store.read(KEY)).token).toEqual(A);
    });

    test('writes at the next attempt', async () => {
      const { store } = sut();
      const seen = { ...(await store.read(KEY)), attempt: 1 };

      const outcome = await store.compareAndSet(KEY, seen, C);

      expect(outcome).toMatchObject({ kind: 'written' });
      expect(await store.read(KEY)).toMatchObject({ token: C, attempt: 0 });
      expect((await sut().readPrevious(KEY))?.token).toEqual(A);
      expect(await sut().labels(KEY)).toMatchObject({ [second]: [] });
    });

    test('lets one of two writers win at the same attempt', async () => {
      const { store } = sut();
      const seen = { ...(await store.read(KEY)), attempt: 1 };

      const outcomes = await Promise.all([
        store.compareAndSet(KEY, seen, C),
        sut().anotherStore().compareAndSet(KEY, seen, D),
      ]);

      expect(outcomes.map(({ kind }) => kind).sort()).toEqual(['conflict', 'written']);
    });

    test('succeeds when the write of an attempt is repeated', async () => {
      const { store } = sut();
      const seen = { ...(await store.read(KEY)), attempt: 1 };
      const outcome = await store.compareAndSet(KEY, seen, C);

      expect(await store.compareAndSet(KEY, seen, C)).toEqual(outcome);
      expect(Object.keys(await sut().labels(KEY))).toHaveLength(3);
    });

    test('needs one attempt more after every further rollback', async () => {
      const { store } = sut();
      await store.compareAndSet(KEY, { ...(await store.read(KEY)), attempt: 1 }, C);
      await sut().moveByHand(KEY, 'AWSCURRENT', first);
      const seen = await store.read(KEY);

      const outcomes = [];
      for (const attempt of [0, 1, 2]) {
        outcomes.push((await store.compareAndSet(KEY, { ...seen, attempt }, D)).kind);
      }

      expect(outcomes).toEqual(['conflict', 'conflict', 'written']);
    });

    test('says written without making it current again, if the very value is written that was rolled back', async () => {
      const { store } = sut();

      const outcome = await store.compareAndSet(KEY, await store.read(KEY), B);

      expect(outcome).toEqual({ kind: 'written', versionId: second });
      expect((await store.read(KEY)).token).toEqual(A);
    });
  });

  test('writes after a rollback to a version that had no label any more', async () => {
    const { store } = sut();
    const first = await write(store, A);
    await write(store, B);
    const third = await write(store, C);
    await sut().moveByHand(KEY, 'AWSCURRENT', first);
    const seen = await store.read(KEY);

    expect(seen).toMatchObject({ versionId: first, token: A });
    expect(await store.compareAndSet(KEY, seen, D)).toEqual(CONFLICT);
    expect(await store.compareAndSet(KEY, { ...seen, attempt: 1 }, D)).toMatchObject({ kind: 'written' });
    expect(await sut().labels(KEY)).toMatchObject({ [first]: PREVIOUS, [third]: [] });
  });

  test('is a conflict for whoever saw nothing, where the first version has no label any more', async () => {
    const { store } = sut();
    const seen = await store.read(KEY);
    for (const token of [A, B, C]) await write(store, token);

    expect(await store.compareAndSet(KEY, seen, D)).toEqual(CONFLICT);
  });

  // Only writers that derive their version ids are seen by one another; nobody but the refresher writes tokens.
  test('goes over a version that was put by hand after the look, which then is AWSPREVIOUS', async () => {
    const { store } = sut();
    await write(store, A);
    const seen = await store.read(KEY);
    await sut().putByHand(KEY, BY_HAND, serializeStoredToken(B, KEY));

    expect(await store.compareAndSet(KEY, seen, C)).toMatchObject({ kind: 'written' });
    expect((await sut().readPrevious(KEY))?.token).toEqual(B);
  });
}
