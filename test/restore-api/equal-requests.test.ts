import { RestoreApiUnderTest, START_TIMEOUT_MS } from '../support/restore-api/restore-api-under-test';

let api: RestoreApiUnderTest;
beforeAll(async () => (api = await RestoreApiUnderTest.start()), START_TIMEOUT_MS);
afterAll(() => api?.stop());
beforeEach(() => api.sandbox.control('POST', 'reset'));

test('T12: of 50 equal requests at once one restores, and 49 learn that there is nothing to restore', async () => {
  const contentId = await api.content();

  const answers = await Promise.all(Array.from({ length: 50 }, () => api.call({ contentId })));

  const statuses = answers.map(({ status }) => status).sort();
  expect(statuses).toEqual([200, ...Array<number>(49).fill(409)]);
  expect(await api.platformAnswers(contentId)).toEqual({ 200: 1, 409: 49 });
  expect(await api.changesOf(contentId)).toHaveLength(1);
});
