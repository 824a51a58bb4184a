import { answered, refused } from '../../support/restore-api/clause-case';
import { type ClauseCase } from './clause';
import { HOLES } from '../holes/holes';

/** What one reference may be, before the platform is asked whether it knows it. */
const REFERENCES = [
  ['C220', 'empty', ''],
  ['C221', 'a space alone', ' '],
  ['C222', 'with a space before it', ' author'],
  ['C223', 'with a space behind it', 'author '],
  ['C224', 'with a letter that no header can carry', 'Zoë'],
  ['C225', 'with a line break and what looks like a header', 'a\r\nx-collaboration-id: b'],
  ['C226', 'with a NUL', 'a\0b'],
  ['C227', 'with DEL', 'a\x7fb'],
  ['C228', 'null', null],
  ['C229', 'a number', 1],
  ['C230', 'true', true],
  ['C231', 'a list of one text', ['author']],
  ['C232', 'an object', { id: 'author' }],
  ['C233', 'of 257 characters', 'a'.repeat(257)],
] as const;

/** The two fields by themselves. */
export const CASES: readonly ClauseCase[] = [
  ...REFERENCES.map(([id, title, authorRef]): ClauseCase => ({
    id,
    clause: 'Acting-user object, fields',
    title: `an authorRef ${title}`,
    call: { body: { authorRef } },
    expected: refused(422, 'invalid_request', { detail: /^authorRef: allowed: a string/ }),
    hole: HOLES.referencesAreRepaired,
  })),
  {
    id: 'C234',
    clause: 'Acting-user object, fields',
    title: 'an authorRef of 256 characters is for the platform to judge',
    call: { body: { authorRef: 'a'.repeat(256) } },
    expected: answered(422, 422, 'rejected_by_platform', {
      sent: { actingUser: { authorRef: 'a'.repeat(256) } },
    }),
    hole: HOLES.referencesAreCut,
  },
  {
    id: 'C235',
    clause: 'Acting-user object, fields',
    title: 'an authorRef with every kind of printable character reaches the platform unchanged',
    call: { body: { authorRef: `a "b" \\ ${String.raw`\u0041`} %41 +~{}` } },
    expected: answered(422, 422, 'rejected_by_platform', {
      sent: { actingUser: { authorRef: `a "b" \\ ${String.raw`\u0041`} %41 +~{}` } },
    }),
    hole: HOLES.referencesAreDecoded,
  },
  {
    id: 'C236',
    clause: 'Acting-user object, fields',
    title: 'a collaborationId of the wrong type, beside an author who is right',
    call: ({ tenant }) => ({ body: { authorRef: tenant.authorRefs[0], collaborationId: 7 } }),
    expected: refused(422, 'invalid_request', { detail: /^collaborationId: allowed: a string/ }),
    hole: HOLES.referencesAreRepaired,
  },
  {
    id: 'C237',
    clause: 'Acting-user object, fields',
    title: 'a field beside the two',
    call: ({ tenant }) => ({ body: { authorRef: tenant.authorRefs[0], status: 'draft' } }),
    expected: refused(422, 'invalid_request', { detail: /unknown field/ }),
    hole: HOLES.furtherFieldsAreIgnored,
  },
  {
    id: 'C238',
    clause: 'Acting-user object, fields',
    title: 'a field named __proto__',
    call: ({ tenant }) => ({ body: `{"__proto__":{"authorRef":"x"},"authorRef":"${tenant.authorRefs[0]}"}` }),
    expected: refused(422, 'invalid_request', { detail: /unknown field/ }),
    hole: HOLES.furtherFieldsAreIgnored,
  },
  {
    id: 'C239',
    clause: 'Acting-user object, fields',
    title: 'a field written in another case',
    call: ({ tenant }) => ({ body: { authorref: tenant.authorRefs[0] } }),
    expected: refused(422, 'invalid_request', { detail: /unknown field/ }),
    hole: HOLES.furtherFieldsAreIgnored,
  },
  {
    id: 'C240',
    clause: 'Acting-user object, fields',
    title: 'a field written twice, of which the last would silently win',
    call: ({ tenant }) => ({ body: `{"authorRef":"unknown","authorRef":"${tenant.authorRefs[0]}"}` }),
    expected: refused(422, 'invalid_request', { detail: /a field twice/ }),
    hole: HOLES.fieldsMayBeRepeated,
  },
  {
    id: 'C241',
    clause: 'Acting-user object, at least one',
    title: 'neither',
    call: { body: '{}' },
    expected: refused(422, 'invalid_request', { detail: /neither authorRef nor collaborationId/ }),
    hole: HOLES.missingActingUserIsInvented,
  },
  {
    id: 'C242',
    clause: 'Acting-user object, at least one',
    title: 'neither in the body, though a header names one',
    call: ({ tenant }) => ({ body: '{}', headers: { 'X-Author-Ref': tenant.authorRefs[0]! } }),
    expected: refused(422, 'invalid_request', { detail: /neither authorRef nor collaborationId/ }),
    hole: HOLES.headersNameTheActingUser,
  },
];
