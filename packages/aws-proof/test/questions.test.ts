import { QUESTIONS } from '../src/questions/all';
import { LaptopAccount } from './support/laptop-account';

jest.setTimeout(240_000);

const laptop = new LaptopAccount();
beforeAll(() => laptop.start());
afterAll(() => laptop.close());

const questionOf = (wanted: string) => QUESTIONS.find(({ id }) => id === wanted)!;

/** One test, since a run has an order: its last question denies the caller what the others read. */
test('a run deploys, does the main job, asks, and leaves nothing but keys, which AWS deletes later', async () => {
  const { alarms, rotator } = laptop.services;
  rotator.keepsPending = true;
  const pending = await laptop.ask(questionOf('pending-after-success'));
  rotator.keepsPending = false;
  const seen = expect.stringContaining('AWSPENDING: stayed on the current version') as string;
  expect(pending).toMatchObject({ verdict: 'as relied on', seen });

  const answers: Record<string, unknown> = {};
  for (const question of QUESTIONS) {
    answers[question.id] = await laptop.ask(question).catch((error: unknown) => error);
  }
  const asReliedOn: unknown = expect.objectContaining({ verdict: 'as relied on' });
  const expected = QUESTIONS.map(({ id }) => [id, asReliedOn] as const);
  expect(answers).toEqual(Object.fromEntries(expected));

  // Another reading: alarms look back no further than their evaluation periods.
  alarms.readings.evaluationRange = 'window';
  expect(await laptop.ask(questionOf('silence'))).toMatchObject({ verdict: 'as relied on' });

  const { left } = await laptop.cleanUp();
  expect([...new Set(left.map(({ kind, reason }) => `${kind}: ${reason}`))]).toEqual([
    'key: AWS deletes it later',
  ]);
});

test.each(QUESTIONS)('$id can be a row of a table', ({ id, subject, reliedOn, promise, pages }) => {
  expect(id).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
  for (const text of [subject, reliedOn, promise]) expect(text).toMatch(/^[^\n|]*[^\n|\s.]$/);
  for (const address of pages) expect(address).toMatch(/^https:\/\/[^\s()]+$/);
  expect(pages).not.toEqual([]);
});
