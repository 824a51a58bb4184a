import { parseRestoredRecord } from '../../../lambdas/restore/restored-record';
import { CONTENT_ID, recordOf } from '../../support/lambdas/restore-functions';

const parse = (change: object = {}, failureReasonField = 'failureReason') =>
  parseRestoredRecord(recordOf(CONTENT_ID, change), CONTENT_ID, failureReasonField);

// Covers only what the cases of clauses.test.ts leave out.
describe('a restored record', () => {
  test.each(['failureReason', 'error', 'reason_text', '__proto__'])(
    'has the reason of a failed item from the configured field %s',
    (field) => {
      const item = `{"id":"i","status":"error","${field}":"too long","other":"x"}`;
      const body = `{"id":"${CONTENT_ID}","status":"published","items":[${item}]}`;

      const [read] = parseRestoredRecord(body, CONTENT_ID, field)!.items;

      expect(read).toEqual({ id: 'i', status: 'error', failureReason: 'too long' });
    },
  );

  test.each(['toString', 'constructor', '__proto__'])(
    'has no field from what %s of an item says (T16)',
    (key) => {
      const items = `[{"${key}":{"id":"a","status":"ok","failureReason":"b"},"id":"own"}]`;
      const body = recordOf(CONTENT_ID, { items: 'ITEMS' }).replace('"ITEMS"', items);

      const read = parseRestoredRecord(body, CONTENT_ID, 'failureReason')!.items;

      expect(read.map((item) => [item.id, item.status, item.failureReason])).toEqual([
        ['own', undefined, undefined],
      ]);
      expect(Object.getOwnPropertyNames(read[0])).not.toContain(key);
    },
  );

  test.each(['toString', 'constructor', '__proto__'])(
    'has no reason from an inherited property: %s',
    (field) => {
      expect(parse({ items: [{ id: 'i' }] }, field)?.items[0]?.failureReason).toBeUndefined();
    },
  );
});

test('a record may have many further fields', () => {
  const further = { deep: nested(61), long: Array<number>(49_000).fill(0) };

  expect(parse({ further })).toEqual(parse());
});

/** Nested arrays. */
function nested(depth: number): unknown {
  return JSON.parse('['.repeat(depth) + ']'.repeat(depth));
}

test.each<[string, string]>([
  ['a text', '"published"'],
  ['a record inside __proto__', `{"__proto__":${recordOf()}}`],
  ['a record inside constructor', `{"constructor":${recordOf()}}`],
  ['with a status that is a number', recordOf(CONTENT_ID, { status: 1 })],
  ['a record with an excessively deep field', recordOf(CONTENT_ID, { further: nested(64) })],
  [
    'a record with more members than any content has',
    recordOf(CONTENT_ID, { further: Array(50_000).fill(0) }),
  ],
])('an answer that is %s is invalid', (_, body) => {
  expect(parseRestoredRecord(body, CONTENT_ID, 'failureReason')).toBeUndefined();
});

test.each([
  ['another status', '{"id":"c","status":"archived","items":[],"status":"published"}'],
  ['the same status', '{"id":"c","status":"published","items":[],"status":"published"}'],
])('a record that says a field again, with %s, is no valid record', (_, body) => {
  expect(parseRestoredRecord(body, 'c', 'failureReason')).toBeUndefined();
});

test('a further field of the platform may say anything, also twice', () => {
  const body = '{"id":"c","status":"published","items":[],"further":{"a":1,"a":2}}';

  expect(parseRestoredRecord(body, 'c', 'failureReason')).toMatchObject({ status: 'published' });
});
