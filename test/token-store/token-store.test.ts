import { InMemoryStoreUnderTest } from './support/in-memory-store-under-test';
import { SecretsManagerStoreUnderTest } from './support/secrets-manager-store-under-test';
import { type OpenStore, type StoreUnderTest } from './support/store-under-test';
import { failureCases } from './cases/failures';
import { labelCases } from './cases/labels';
import { limitAndOutageCases } from './cases/limits-and-outages';
import { readingCases } from './cases/reading';
import { isolationCases, secrecyCases } from './cases/secrecy-and-isolation';
import { writingCases } from './cases/writing';

/** Whoever relies on the fake relies on these cases: both stores pass every one of them. */
describe.each<[string, OpenStore]>([
  ['the store in memory', InMemoryStoreUnderTest.open],
  ['the store in Secrets Manager', SecretsManagerStoreUnderTest.open],
])('%s', (_, open) => {
  let opened: StoreUnderTest;
  const sut = () => opened;
  beforeEach(async () => {
    opened = await open();
  });
  afterEach(() => opened.close());

  describe('a read', () => readingCases(sut));
  describe('a write', () => writingCases(sut));
  describe('of the staging labels', () => labelCases(sut));
  describe('a failure', () => failureCases(sut));
  describe('bounds:', () => limitAndOutageCases(sut));
  describe('a secret', () => secrecyCases(sut));
  describe('isolation:', () => isolationCases(sut));
});
