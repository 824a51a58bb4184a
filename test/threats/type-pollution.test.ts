import * as fc from 'fast-check';

import { parseRestoreRequest } from '../../lambdas/restore/restore-request';
import { parseRestoredRecord } from '../../lambdas/restore/restored-record';
import { interpretTokenAnswer } from '../../core/tokens/token-answer';
import { CONTENT_ID, recordOf, requestOf } from '../support/lambdas/restore-functions';

const HOSTILE_KEYS = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'valueOf',
  'hasOwnProperty',
  '__defineGetter__',
  'then',
  'length',
];
const OWN_KEYS = ['authorRef', 'collaborationId', 'id', 'status', 'items', 'access_token', 'token_type'];

/** Objects as JSON text, since objects of this process cannot have all the keys that a text can. */
const { hostileObject } = fc.letrec<{ hostileObject: string; value: string }>((tie) => ({
  hostileObject: fc
    .array(fc.tuple(fc.constantFrom(...HOSTILE_KEYS, ...OWN_KEYS), tie('value')), { maxLength: 4 })
    .map((members) => `{${members.map(([key, value]) => `${JSON.stringify(key)}:${value}`).join()}}`),
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom('"polluted"', '1', 'null', 'true', '[]', `"${CONTENT_ID}"`),
    tie('hostileObject'),
    tie('hostileObject').map((object) => `[${object}]`),
  ),
}));

const prototypes = [Object.prototype, Array.prototype, Function.prototype, String.prototype];
const keysOfPrototypes = () => prototypes.map((prototype) => Reflect.ownKeys(prototype).length);
const before = keysOfPrototypes();
afterEach(() => {
  expect(keysOfPrototypes()).toEqual(before);
  expect(Object.keys({})).toEqual([]);
});

const isPlain = (value: object) => Object.getPrototypeOf(value) === Object.prototype;

describe('T16 type pollution', () => {
  test('the acting user of a request comes only from its two fields, whatever the other keys', () => {
    fc.assert(
      fc.property(hostileObject, (body) => {
        const parsed = parseRestoreRequest(requestOf({ body }));

        if (!('actingUser' in parsed)) return;
        const sent = JSON.parse(body) as Record<string, unknown>;
        expect(isPlain(parsed.actingUser)).toBe(true);
        expect(Object.keys(parsed.actingUser).sort()).toEqual(Object.keys(sent).sort());
        expect(Object.keys(sent).every((key) => key in { authorRef: 1, collaborationId: 1 })).toBe(true);
      }),
      { numRuns: 1_000 },
    );
  });

  test('a record of the platform contains only its documented fields, whatever the answer’s keys', () => {
    const answer = fc
      .tuple(hostileObject, hostileObject)
      .map(([item, further]) =>
        recordOf(CONTENT_ID, { items: 'ITEMS', further: 'FURTHER' })
          .replace('"ITEMS"', `[${item},${further}]`)
          .replace('"FURTHER"', further),
      );
    fc.assert(
      fc.property(answer, fc.constantFrom('failureReason', ...HOSTILE_KEYS), (body, failureReasonField) => {
        const record = parseRestoredRecord(body, CONTENT_ID, failureReasonField)!;

        expect(Object.keys(record)).toEqual(['id', 'status', 'items']);
        expect(record.items).toHaveLength(2);
        for (const item of record.items) {
          expect(isPlain(item)).toBe(true);
          expect(
            Object.values(item).every((value) => ['string', 'undefined', 'number'].includes(typeof value)),
          ).toBe(true);
        }
      }),
      { numRuns: 1_000 },
    );
  });

  test.each(['__proto__', 'constructor'])(
    'an answer becomes neither a record nor a token by the content of its %s',
    (key) => {
      const inside = (text: string) => `{"${key}":${text}}`;
      const token = inside('{"access_token":"t","token_type":"Bearer","expires_in":3600}');

      expect(parseRestoredRecord(inside(recordOf()), CONTENT_ID, 'failureReason')).toBeUndefined();
      expect(() =>
        interpretTokenAnswer({ status: 200, headers: {}, body: token }, { scope: 'api/write' }, 0),
      ).toThrow('without a usable access_token');
    },
  );
});
