import { answered, refused } from '../../support/restore-api/clause-case';
import { type ClauseCase } from './clause';

/** Values of one reference, as checked before the platform looks them up. */
const REFERENCES = [
  ['C220', 'empty', ''],
  ['C221', 'of one space', ' '],
  ['C222', 'with a space before it', ' author'],
  ['C223', 'with a space after it', 'author '],
  ['C224', 'with a letter that is invalid in headers', 'Zoë'],
  ['C225', 'with a line break and a header', 'a\r\nx-collaboration-id: b'],
  ['C226', 'with a NUL', 'a\0b'],
  ['C227', 'with DEL', 'a\x7fb'],
  ['C228', 'null', null],
  ['C229', 'a number', 1],
  ['C230', 'true', true],
  ['C231', 'a list of one text', ['author']],
  ['C232', 'an object', { id: 'author' }],
  ['C233', 'of 257 characters', 'a'.repeat(257)],
] as const;

/** Each of the two fields alone. */
export const CASES: readonly ClauseCase[] = [
  ...REFERENCES.map(([id, title, authorRef]): ClauseCase => ({
    id,
    clause: 'Acting-user object, fields',
    title: `an authorRef ${title}`,
    call: { body: { authorRef } },
    expected: refused(422, 'invalid_request', { detail: /^authorRef: allowed: a string/ }),
  })),
  {
    id: 'C234',
    clause: 'Acting-user object, fields',
    title: 'an authorRef of 256 characters is sent to the platform',
    call: { body: { authorRef: 'a'.repeat(256) } },
    expected: answered(422, 422, 'rejected_by_platform', {
      sent: { actingUser: { authorRef: 'a'.repeat(256) } },
    }),
  },
  {
    id: 'C235',
    clause: 'Acting-user object, fields',
    title: 'an authorRef with every printable character reaches the platform unchanged',
    call: { body: { authorRef: `a "b" \\ ${String.raw`\u0041`} %41 +~{}` } },
    expected: answered(422, 422, 'rejected_by_platform', {
      sent: { actingUser: { authorRef: `a "b" \\ ${String.raw`\u0041`} %41 +~{}` } },
    }),
  },
  {
    id: 'C236',
    clause: 'Acting-user object, fields',
    title: 'a collaborationId of the wrong type, with a valid author',
    call: ({ tenant }) => ({ body: { authorRef: tenant.authorRefs[0], collaborationId: 7 } }),
    expected: refused(422, 'invalid_request', { detail: /^collaborationId: allowed: a string/ }),
  },
  {
    id: 'C237',
    clause: 'Acting-user object, fields',
    title: 'an unknown field',
    call: ({ tenant }) => ({ body: { authorRef: tenant.authorRefs[0], status: 'draft' } }),
    expected: refused(422, 'invalid_request', { detail: /unknown field/ }),
  },
  {
    id: 'C238',
    clause: 'Acting-user object, fields',
    title: 'a field named __proto__',
    call: ({ tenant }) => ({ body: `{"__proto__":{"authorRef":"x"},"authorRef":"${tenant.authorRefs[0]}"}` }),
    expected: refused(422, 'invalid_request', { detail: /unknown field/ }),
  },
  {
    id: 'C239',
    clause: 'Acting-user object, fields',
    title: 'a field name in another case',
    call: ({ tenant }) => ({ body: { authorref: tenant.authorRefs[0] } }),
    expected: refused(422, 'invalid_request', { detail: /unknown field/ }),
  },
  {
    id: 'C240',
    clause: 'Acting-user object, fields',
    title: 'a duplicate field, whose last value would win',
    call: ({ tenant }) => ({ body: `{"authorRef":"unknown","authorRef":"${tenant.authorRefs[0]}"}` }),
    expected: refused(422, 'invalid_request', { detail: /a field twice/ }),
  },
  {
    id: 'C241',
    clause: 'Acting-user object, at least one',
    title: 'neither field, of which the answer names both',
    call: { body: '{}' },
    expected: refused(422, 'invalid_request', {
      detail: /neither authorRef nor collaborationId; at least one/,
    }),
  },
  {
    id: 'C242',
    clause: 'Acting-user object, at least one',
    title: 'neither field, although a header names one',
    call: ({ tenant }) => ({ body: '{}', headers: { 'X-Author-Ref': tenant.authorRefs[0]! } }),
    expected: refused(422, 'invalid_request', { detail: /neither authorRef nor collaborationId/ }),
  },
];
