import { randomUUID } from 'node:crypto';

import { tokenSecretName } from '../../../contract/secret-names';
import { KEY } from '../../support/lambdas/token-functions';
import {
  failureOf,
  nothingSeen,
  PATIENCE_MS,
  type StoreUnderTest,
  tokenNamed,
  type WireFailure,
  write,
} from '../support/store-under-test';

const [A, B] = [tokenNamed('a'), tokenNamed('b')];
const NAME = tokenSecretName('latchkey', KEY);
const HOUR_MS = 60 * 60 * 1000;

/** What a store promises where Secrets Manager is full, or the connection to it breaks. */
export function limitAndOutageCases(sut: () => StoreUnderTest): void {
  const read = () => sut().store.read(KEY);
  const countVersions = async () => Object.keys(await sut().labels(KEY)).length;

  // Secrets Manager user guide, reference_limits
  describe('a hundred versions', () => {
    const fill = async () => {
      await sut().moveByHand(KEY, 'KEPT', await write(sut().store, A));
      for (let n = 0; n < 98; n += 1) await sut().putByHand(KEY, randomUUID(), `by hand ${n}`);
      await write(sut().store, B);
    };

    test('of one day are the most: the next write fails, and takes nothing away', async () => {
      await fill();

      const failure = await failureOf(write(sut().store, tokenNamed('too-many')));

      expect(failure).toMatchObject({
        code: 'limit_exceeded',
        isRetryable: false,
      });
      expect(failure.message).toMatch(
        `secretsmanager:PutSecretValue on ${sut().arnOf(KEY)} failed: LimitExceededException`,
      );
      expect((await read()).token).toEqual(B);
      expect(await countVersions()).toBe(100);
    });

    test('that are older make room, but for those with a label', async () => {
      await fill();
      sut().passTime(25 * HOUR_MS);

      const last = await write(sut().store, tokenNamed('next'));
      for (let n = 0; n < 5; n += 1) await sut().putByHand(KEY, randomUUID(), `later ${n}`, ['LATER']);

      expect(await countVersions()).toBe(100);
      const labels = Object.values(await sut().labels(KEY)).flat();
      expect(labels.sort()).toEqual(['AWSCURRENT', 'AWSPREVIOUS', 'KEPT', 'LATER']);
      expect(await sut().store.read(KEY)).toMatchObject({ versionId: last });
      expect((await sut().readPrevious(KEY))?.token).toEqual(B);
    });

    test('do not stand in the way of a write that is only repeated', async () => {
      await fill();
      const seen = { ...(await read()), versionId: (await sut().readPrevious(KEY))?.versionId };

      expect(await sut().store.compareAndSet(KEY, seen, B)).toMatchObject({ kind: 'written' });
    });
  });

  describe('the connection', () => {
    test.each<WireFailure>(['request lost', 'answer lost', 'connection refused'])(
      'fails a read as an outage: %s',
      async (fault) => {
        await write(sut().store, A);
        await sut().failNext(KEY, 'GetSecretValue', fault);

        const failure = await failureOf(read());

        expect(failure).toMatchObject({ code: 'unavailable', isRetryable: true });
        expect(failure.message).toMatch(`secretsmanager:GetSecretValue on ${NAME} failed: `);
      },
    );

    test('that hangs ends a read within bounds, and the next read succeeds', async () => {
      await write(sut().store, A);
      await sut().failNext(KEY, 'GetSecretValue', 'request swallowed');

      const failure = await failureOf(sut().store.read(KEY, PATIENCE_MS));

      expect(failure).toMatchObject({ code: 'unavailable', isRetryable: true });
      expect((await read()).token).toEqual(A);
    });

    test('refuses a write as an outage', async () => {
      const seen = nothingSeen(sut().arnOf(KEY));
      await sut().failNext(KEY, 'PutSecretValue', 'connection refused');

      const failure = await failureOf(sut().store.compareAndSet(KEY, seen, A));

      expect(failure).toMatchObject({ code: 'unavailable', isRetryable: true });
      expect(await countVersions()).toBe(0);
    });

    test.each<[WireFailure, number]>([
      ['request lost', 0],
      ['request swallowed', 0],
      ['answer lost', 1],
      ['answer held back', 1],
    ])('fails a write (%s, so there are %d versions), which repeated is one version', async (fault, done) => {
      const seen = await read();
      await sut().failNext(KEY, 'PutSecretValue', fault);

      const timeoutMs = fault === 'answer lost' ? undefined : PATIENCE_MS;
      const failure = await failureOf(sut().store.compareAndSet(KEY, seen, A, timeoutMs));

      expect(failure).toMatchObject({ code: 'unavailable', isRetryable: true });
      expect(await countVersions()).toBe(done);
      expect(await sut().store.compareAndSet(KEY, seen, A)).toMatchObject({ kind: 'written' });
      expect(await countVersions()).toBe(1);
      expect((await read()).token).toEqual(A);
    });

    test('that lost the acknowledgement of a write makes another write from the same look a conflict', async () => {
      const seen = await read();
      await sut().failNext(KEY, 'PutSecretValue', 'answer lost');
      await failureOf(sut().store.compareAndSet(KEY, seen, A));

      expect(await sut().store.compareAndSet(KEY, seen, B)).toEqual({ kind: 'conflict' });
      expect((await read()).token).toEqual(A);
    });
  });
}
