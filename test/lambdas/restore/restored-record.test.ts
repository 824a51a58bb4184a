import { parseRestoredRecord } from '../../../lambdas/restore/restored-record';
import { CONTENT_ID, recordOf } from '../../support/lambdas/restore-functions';

const parse = (change: object = {}, failureReasonField = 'failureReason') =>
  parseRestoredRecord(recordOf(CONTENT_ID, change), CONTENT_ID, failureReasonField);

// The platform's specification, "Content record as returned by restore", "Item" and "Status vocabularies"
describe('a restored record', () => {
  test('is read with its items', () => {
    const item = { id: 'item-1', type: 'video', rank: 1, summary: 'Intro', status: 'ok' };

    expect(parse({ items: [item] })).toEqual({ id: CONTENT_ID, status: 'published', items: [item] });
  });

  test.each(['published', 'ready', 'archived', 'something new', ''])('may have the status %j', (status) => {
    expect(parse({ status })?.status).toBe(status);
  });

  test('may have items of any type and status, and further fields, which are left out', () => {
    const items = [{ id: 'i', type: 'hologram', status: 'marinating', secretNote: 'x' }];

    expect(parse({ items, title: 'further' })).toEqual({
      id: CONTENT_ID,
      status: 'published',
      items: [{ id: 'i', type: 'hologram', status: 'marinating' }],
    });
  });

  test('has its items by rank, lowest first, and those without one last, in their order', () => {
    const ranks = [3, undefined, -1, 1.5, 'two', 0, undefined];
    const items = ranks.map((rank, n) => ({ id: `${n}`, rank }));

    expect(parse({ items })?.items.map(({ id }) => id)).toEqual(['2', '5', '3', '0', '1', '4', '6']);
  });

  test('may have no items', () => {
    expect(parse({ items: [] })?.items).toEqual([]);
  });

  test('leaves out what is no item, and item fields of another type', () => {
    const items = [null, 1, 'a', [], { id: 1, type: null, rank: '1', summary: {}, status: ['ok'] }];

    expect(parse({ items })?.items).toEqual([{}]);
  });

  test.each(['failureReason', 'error', 'reason_text', '__proto__'])(
    'has the reason of a failed item out of the configured field %s',
    (field) => {
      const item = `{"id":"i","status":"error","${field}":"too long","other":"x"}`;
      const body = `{"id":"${CONTENT_ID}","status":"published","items":[${item}]}`;

      const [read] = parseRestoredRecord(body, CONTENT_ID, field)!.items;

      expect(read).toEqual({ id: 'i', status: 'error', failureReason: 'too long' });
    },
  );

  test.each(['toString', 'constructor', '__proto__'])(
    'has no reason out of what every object inherits: %s',
    (field) => {
      expect(parse({ items: [{ id: 'i' }] }, field)?.items[0]?.failureReason).toBeUndefined();
    },
  );
});

test('a record may have much that is not read: the rest of a vocabulary that is open', () => {
  const further = { deep: nested(61), long: Array<number>(49_000).fill(0) };

  expect(parse({ further })).toEqual(parse());
});

/** A list in a list, and so on. */
function nested(depth: number): unknown {
  return JSON.parse('['.repeat(depth) + ']'.repeat(depth));
}

test.each<[string, string]>([
  ['empty', ''],
  ['HTML', '<html></html>'],
  ['cut off', recordOf().slice(0, -1)],
  ['null', 'null'],
  ['a list', `[${recordOf()}]`],
  ['a text', '"published"'],
  ['of another content', recordOf('64b7f0c2a1b2c3d4e5f60719')],
  ['without an id', recordOf(CONTENT_ID, { id: undefined })],
  ['without a status', recordOf(CONTENT_ID, { status: undefined })],
  ['with a status that is a number', recordOf(CONTENT_ID, { status: 1 })],
  ['without items', recordOf(CONTENT_ID, { items: undefined })],
  ['with items that are no list', recordOf(CONTENT_ID, { items: { 0: {} } })],
  ['deep beyond measure', '['.repeat(100_000)],
  ['a record with a field deep beyond measure', recordOf(CONTENT_ID, { further: nested(64) })],
  [
    'a record with more members than any content has',
    recordOf(CONTENT_ID, { further: Array(50_000).fill(0) }),
  ],
  // The catalogue view, which is no restored record: the platform's specification, after "Content record".
  ['the catalogue view', JSON.stringify({ id: CONTENT_ID, title: 'x', description: '', tags: [] })],
])('an answer that is %s cannot be read', (_, body) => {
  expect(parseRestoredRecord(body, CONTENT_ID, 'failureReason')).toBeUndefined();
});
