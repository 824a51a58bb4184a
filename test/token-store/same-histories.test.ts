import fc from 'fast-check';

import { InMemoryStoreUnderTest } from './support/in-memory-store-under-test';
import { anyOperation, History, type Operation } from './support/operations';
import { SecretsManagerStoreUnderTest } from './support/secrets-manager-store-under-test';
import { type OpenStore } from './support/store-under-test';

const RUNS = 30;

/** What is to be seen of a store after every operation, and in the end. */
async function seenOf(open: OpenStore, operations: readonly Operation[]): Promise<object[]> {
  const sut = await open();
  try {
    const history = new History(sut);
    const seen = [];
    for (const operation of operations) seen.push(await history.perform(operation));
    return [...seen, await history.end()];
  } finally {
    await sut.close();
  }
}

test(
  'whatever writers, operators and faults do to a secret, the fake shows at every step what Secrets Manager shows',
  async () => {
    const property = fc.asyncProperty(
      fc.array(anyOperation, { minLength: 10, maxLength: 40, size: 'max' }),
      async (operations) => {
        const fake = await seenOf(InMemoryStoreUnderTest.open, operations);
        const wire = await seenOf(SecretsManagerStoreUnderTest.open, operations);

        expect(fake).toEqual(wire);
      },
    );
    await fc.assert(property, { numRuns: RUNS });
  },
  RUNS * 2_000,
);
