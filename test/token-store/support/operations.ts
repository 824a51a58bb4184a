import fc from 'fast-check';

import { type SeenVersion } from '../../../lambdas/shared/domain/compare-and-set';
import { StoreError } from '../../../lambdas/shared/domain/store-error';
import { serializeStoredToken, type StoredToken } from '../../../lambdas/shared/domain/stored-token';
import { KEY } from '../../support/lambdas/token-functions';
import { type CallFailure, nothingSeen, type StoreUnderTest, tokenNamed } from './store-under-test';

const WRITERS = 3;
const VALUES = [
  'no JSON',
  new Uint8Array([1, 2, 3]),
  serializeStoredToken(tokenNamed('by-hand'), KEY),
  serializeStoredToken(tokenNamed('foreign'), { ...KEY, tenantId: 'other' }),
];

/** One step of a history: of a writer, of an operator, or of time. */
export type Operation =
  | { kind: 'read'; writer: number }
  | { kind: 'write'; writer: number; token: number; failure?: CallFailure }
  | { kind: 'repeat'; writer: number }
  | { kind: 'next attempt'; writer: number }
  | { kind: 'put by hand'; value: number; label: string }
  | { kind: 'move by hand'; label: string; version: number }
  | { kind: 'schedule deletion' }
  | { kind: 'restore' }
  | { kind: 'pass time'; hours: number };

const writer = fc.nat({ max: WRITERS - 1 });
const failure = fc.constantFrom<CallFailure>('request lost', 'answer lost', {
  exception: 'ThrottlingException',
});
const label = fc.constantFrom('AWSCURRENT', 'AWSPENDING', 'KEPT');

/** Mostly writers at work; now and then somebody or something interferes. */
export const anyOperation: fc.Arbitrary<Operation> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('read' as const), writer }) },
  {
    weight: 9,
    arbitrary: fc.record(
      { kind: fc.constant('write' as const), writer, token: fc.nat({ max: 3 }), failure },
      { requiredKeys: ['kind', 'writer', 'token'] },
    ),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('repeat' as const), writer }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('next attempt' as const), writer }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('put by hand' as const),
      value: fc.nat({ max: VALUES.length - 1 }),
      label,
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('move by hand' as const), label, version: fc.nat({ max: 9 }) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('schedule deletion' as const) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('restore' as const) }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('pass time' as const), hours: fc.constantFrom(1, 25) }),
  },
);

interface Writer {
  seen: SeenVersion;
  written?: { seen: SeenVersion; token: StoredToken };
}

/** Some writers and an operator at work on the secret of `KEY`. Everything they do follows from what they have seen. */
export class History {
  readonly #sut: StoreUnderTest;
  readonly #writers: Writer[];
  #isDeleted = false;
  #handsOn = 0;

  constructor(sut: StoreUnderTest) {
    this.#sut = sut;
    this.#writers = Array.from({ length: WRITERS }, () => ({ seen: nothingSeen(sut.arnOf(KEY)) }));
  }

  /** Does one operation. @returns what its caller was told, and the labels after it */
  async perform(operation: Operation): Promise<object> {
    const outcome = await this.#perform(operation).catch(toldOf);
    return { operation, outcome, labels: await this.#sut.labels(KEY) };
  }

  /** What readers get in the end, once a deletion has been taken back. */
  async end(): Promise<object> {
    await this.#sut.restoreSecret(KEY);
    return { current: await this.#sut.store.read(KEY), previous: await this.#sut.readPrevious(KEY) };
  }

  async #perform(operation: Operation): Promise<unknown> {
    const { store } = this.#sut;
    switch (operation.kind) {
      case 'read':
        return (this.#writers[operation.writer]!.seen = await store.read(KEY));
      case 'write':
        return this.#write(operation);
      case 'repeat': {
        const { written } = this.#writers[operation.writer]!;
        return written && store.compareAndSet(KEY, written.seen, written.token);
      }
      case 'next attempt': {
        const { seen } = this.#writers[operation.writer]!;
        return void (this.#writers[operation.writer]!.seen = { ...seen, attempt: seen.attempt + 1 });
      }
      case 'schedule deletion':
        if (!this.#isDeleted) await this.#sut.scheduleDeletion(KEY);
        return void (this.#isDeleted = true);
      case 'restore':
        await this.#sut.restoreSecret(KEY);
        return void (this.#isDeleted = false);
      case 'pass time':
        return this.#sut.passTime(operation.hours * 60 * 60 * 1000);
      case 'put by hand':
      case 'move by hand':
        return this.#isDeleted ? undefined : this.#actByHand(operation);
    }
  }

  async #write({ writer, token, failure }: Extract<Operation, { kind: 'write' }>): Promise<unknown> {
    const { seen } = this.#writers[writer]!;
    const written = { seen, token: tokenNamed(`${token}-of-${writer}`) };
    this.#writers[writer]!.written = written;
    if (failure !== undefined) await this.#sut.failNext(KEY, 'PutSecretValue', failure);
    return this.#sut.store.compareAndSet(KEY, seen, written.token);
  }

  async #actByHand(operation: Extract<Operation, { kind: 'put by hand' | 'move by hand' }>): Promise<void> {
    if (operation.kind === 'put by hand') {
      const versionId = `by-hand-${String((this.#handsOn += 1)).padStart(30, '0')}`;
      return this.#sut.putByHand(KEY, versionId, VALUES[operation.value]!, [operation.label]);
    }
    const versionIds = Object.keys(await this.#sut.labels(KEY)).sort();
    const versionId = versionIds[operation.version % versionIds.length];
    if (versionId !== undefined) await this.#sut.moveByHand(KEY, operation.label, versionId);
  }
}

/** What both stores must say of a failure. Names of broken connections are Node's, and explanations are free. */
function toldOf(error: unknown): object {
  if (!(error instanceof StoreError)) throw error;
  const { code, isRetryable, message } = error;
  const told = code === 'unavailable' ? /^.*? failed: / : /^.*? failed: \w+/;
  return { code, isRetryable, message: told.exec(message)?.[0] };
}
