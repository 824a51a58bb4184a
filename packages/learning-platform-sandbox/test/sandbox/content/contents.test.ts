import { Contents } from '../../../src/sandbox/content/contents';
import { blankContent } from '../../../src/sandbox/content/records';

const AT = '2026-01-31T12:00:00.000Z';

test('keeps the last 1,000 deleted contents in order of deletion; find does not return them', () => {
  const made = Array.from({ length: 1001 }, () => blankContent('ann', AT));
  const contents = new Contents(made);

  for (const content of made) contents.put({ ...content, deleted: true });

  const ids = made.map(({ id }) => id);
  expect(contents.all().map(({ id }) => id)).toEqual(ids.slice(1));
  expect(contents.existing()).toEqual([]);
  expect(contents.find(ids[1000]!)).toBeUndefined();
  expect(contents.findStored(ids[1000]!)).toMatchObject({ deleted: true });
});

test('a replaced content keeps its position and counts once', () => {
  const [first, second] = [blankContent('ann', AT), blankContent('ann', AT)];
  const contents = new Contents([first, second]);

  contents.put({ ...first, title: 'Changed' });

  expect(contents.all()).toEqual([{ ...first, title: 'Changed' }, second]);
  expect(contents.added).toBe(2);
});

test('is full with 10,000 contents, and deleting makes room', () => {
  const made = Array.from({ length: 10_000 }, () => blankContent('ann', AT));
  const contents = new Contents(made);
  const wasFull = contents.isFull();

  contents.put({ ...made[0]!, deleted: true });

  expect([wasFull, contents.isFull()]).toEqual([true, false]);
});
