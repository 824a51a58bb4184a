import { answered, refused } from '../../support/restore-api/clause-case';
import { type ClauseCase } from './clause';
import { broken } from './product';

const ANY_TEXT = broken(
  'contract',
  String.raw`/^[\x21-\x7e](?:[\x20-\x7e]{0,254}[\x21-\x7e])?$/`,
  String.raw`/^[^]{0,256}$/`,
);
const ANY_TYPE = broken('restoreRequest', "typeof reference !== 'string' || ", '');
const ANY_FIELD = broken(
  'restoreRequest',
  "return invalid('body: allowed are no other fields than authorRef and collaborationId');",
  ';',
);

/** What one reference may be, before the platform is asked whether it knows it. */
const REFERENCES = [
  ['C220', 'empty', '', ANY_TEXT],
  ['C221', 'a space alone', ' ', ANY_TEXT],
  ['C222', 'with a space before it', ' author', ANY_TEXT],
  ['C223', 'with a space behind it', 'author ', ANY_TEXT],
  ['C224', 'with a letter that no header can carry', 'Zoë', ANY_TEXT],
  ['C225', 'with a line break and what looks like a header', 'a\r\nx-collaboration-id: b', ANY_TEXT],
  ['C226', 'with a NUL', 'a\0b', ANY_TEXT],
  ['C227', 'with DEL', 'a\x7fb', ANY_TEXT],
  ['C228', 'null', null, ANY_TYPE],
  ['C229', 'a number', 1, ANY_TYPE],
  ['C230', 'true', true, ANY_TYPE],
  ['C231', 'a list of one text', ['author'], ANY_TYPE],
  ['C232', 'an object', { id: 'author' }, ANY_TYPE],
  ['C233', 'of 257 characters', 'a'.repeat(257), broken('contract', '{0,254}[', '{0,255}[')],
] as const;

/** The two fields by themselves. */
export const CASES: readonly ClauseCase[] = [
  ...REFERENCES.map(([id, title, authorRef, brokenBy]): ClauseCase => ({
    id,
    clause: 'Acting-user object, fields',
    title: `an authorRef ${title}`,
    call: { body: { authorRef } },
    expected: refused(422, 'invalid_request', { detail: /^authorRef: allowed is a text/ }),
    brokenBy,
  })),
  {
    id: 'C234',
    clause: 'Acting-user object, fields',
    title: 'an authorRef of 256 characters is for the platform to judge',
    call: { body: { authorRef: 'a'.repeat(256) } },
    expected: answered(422, 422, 'rejected_by_platform', {
      sent: { actingUser: { authorRef: 'a'.repeat(256) } },
    }),
    brokenBy: broken('contract', '{0,254}[', '{0,253}['),
  },
  {
    id: 'C235',
    clause: 'Acting-user object, fields',
    title: 'an authorRef with every kind of printable character reaches the platform unchanged',
    call: { body: { authorRef: `a "b" \\ ${String.raw`\u0041`} %41 +~{}` } },
    expected: answered(422, 422, 'rejected_by_platform', {
      sent: { actingUser: { authorRef: `a "b" \\ ${String.raw`\u0041`} %41 +~{}` } },
    }),
    brokenBy: broken('platformContent', '{} : actingUser)', '{} : actingUser).replaceAll("%", "")'),
  },
  {
    id: 'C236',
    clause: 'Acting-user object, fields',
    title: 'a collaborationId of the wrong type, beside an author who is right',
    call: ({ tenant }) => ({ body: { authorRef: tenant.authorRefs[0], collaborationId: 7 } }),
    expected: refused(422, 'invalid_request', { detail: /^collaborationId: allowed is a text/ }),
    brokenBy: ANY_TYPE,
  },
  {
    id: 'C237',
    clause: 'Acting-user object, fields',
    title: 'a field beside the two',
    call: ({ tenant }) => ({ body: { authorRef: tenant.authorRefs[0], status: 'draft' } }),
    expected: refused(422, 'invalid_request', { detail: /no other fields/ }),
    brokenBy: ANY_FIELD,
  },
  {
    id: 'C238',
    clause: 'Acting-user object, fields',
    title: 'a field named __proto__',
    call: ({ tenant }) => ({ body: `{"__proto__":{"authorRef":"x"},"authorRef":"${tenant.authorRefs[0]}"}` }),
    expected: refused(422, 'invalid_request', { detail: /no other fields/ }),
    brokenBy: ANY_FIELD,
  },
  {
    id: 'C239',
    clause: 'Acting-user object, fields',
    title: 'a field written in another case',
    call: ({ tenant }) => ({ body: { authorref: tenant.authorRefs[0] } }),
    expected: refused(422, 'invalid_request', { detail: /no other fields/ }),
    brokenBy: ANY_FIELD,
  },
  {
    id: 'C240',
    clause: 'Acting-user object, fields',
    title: 'a field written twice, of which the last would silently win',
    call: ({ tenant }) => ({ body: `{"authorRef":"unknown","authorRef":"${tenant.authorRefs[0]}"}` }),
    expected: refused(422, 'invalid_request', { detail: /a field twice/ }),
    brokenBy: broken('restoreRequest', 'if (members > found)', 'if (members < found)'),
  },
  {
    id: 'C241',
    clause: 'Acting-user object, at least one',
    title: 'neither',
    call: { body: '{}' },
    expected: refused(422, 'invalid_request', { detail: /neither authorRef nor collaborationId/ }),
    brokenBy: broken('restoreRequest', 'if (found === 0)', 'if (found < 0)'),
  },
  {
    id: 'C242',
    clause: 'Acting-user object, at least one',
    title: 'neither in the body, though a header names one',
    call: ({ tenant }) => ({ body: '{}', headers: { 'X-Author-Ref': tenant.authorRefs[0]! } }),
    expected: refused(422, 'invalid_request', { detail: /neither authorRef nor collaborationId/ }),
    brokenBy: broken('restoreRequest', 'if (found === 0)', 'if (found < 0)'),
  },
];
