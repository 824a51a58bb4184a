import { QUESTIONS } from '../../prove/questions/all';
import { LaptopAccount } from './support/laptop-account';

jest.setTimeout(240_000);

/** What the laptop cannot show, and why. */
const NOT_ON_THE_LAPTOP: Readonly<Record<string, string>> = { 'plain-http': 'no plain HTTP' };

const laptop = new LaptopAccount();
beforeAll(() => laptop.start());
afterAll(() => laptop.close());

const rows = QUESTIONS.map((question) => [question.id, question] as const);

// First, because the last question denies the caller what it reads.
test('pending-after-success, if AWSPENDING stays on the version that a rotation made current', async () => {
  const { rotator } = laptop.services;
  rotator.keepsPending = true;
  const question = QUESTIONS.find(({ id }) => id === 'pending-after-success')!;

  const answered = await laptop.ask(question).finally(() => (rotator.keepsPending = false));

  expect(answered).toMatchObject({
    verdict: 'as relied on',
    seen: expect.stringContaining('AWSPENDING stayed on the current version') as string,
  });
});

/** The whole run: it deploys, does the main job, asks, and leaves nothing. */
test.each(rows)('%s', async (id, question) => {
  const answered = await laptop.ask(question);

  expect(answered).toMatchObject({ verdict: id in NOT_ON_THE_LAPTOP ? 'not run' : 'as relied on' });
});

test('silence, if alarms look back no further than their evaluation periods', async () => {
  const { readings } = laptop.services.alarms;
  const before = { ...readings };
  Object.assign(readings, { evaluationRange: 'window' });
  const question = QUESTIONS.find(({ id }) => id === 'silence')!;

  const answered = await laptop.ask(question).finally(() => Object.assign(readings, before));

  expect(answered).toMatchObject({ verdict: 'as relied on' });
});

test.each(rows)('%s can be a row of a table', (_, { id, subject, reliedOn, promise, otherwise, pages }) => {
  expect(id).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
  for (const text of [subject, reliedOn, promise, otherwise]) expect(text).toMatch(/^[^\n|]*[^\n|\s.]$/);
  for (const address of pages) expect(address).toMatch(/^https:\/\/[^\s()]+$/);
  expect(pages).not.toEqual([]);
});

test('nothing is left at the end but keys, which AWS deletes later', async () => {
  const { left } = await laptop.cleanUp();

  expect(left.map(({ kind, reason }) => [kind, reason])).toEqual(
    left.map(() => ['key', 'AWS deletes it later']),
  );
  expect(left).not.toEqual([]);
});
