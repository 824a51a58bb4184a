import * as fc from 'fast-check';

import { parseRestoreRequest } from '../../../lambdas/restore/restore-request';
import { requestOf } from '../../support/lambdas/restore-functions';

const CANARY = 'canary-value';
const parse = (change: Parameters<typeof requestOf>[0]) => parseRestoreRequest(requestOf(change));
const outcomeOf = (change: Parameters<typeof requestOf>[0]) => {
  const parsed = parse(change);
  return 'outcome' in parsed ? parsed.outcome : 'accepted';
};

// Covers only what the cases of clauses.test.ts leave out.
test.each<[string, string, string]>([
  ['accepted with spaces around it', ' application/json ', 'accepted'],
  ['refused with two charsets', 'application/json; charset=utf-8; charset=utf-16', 'unsupportedMediaType'],
  ['refused with a line break', 'application/json\r\nX-Header: 1', 'unsupportedMediaType'],
  ['refused with a NUL', 'application/json\0', 'unsupportedMediaType'],
  ['refused if it is long, of spaces', `application/json${' '.repeat(10_000)}x`, 'unsupportedMediaType'],
])('the media type is %s', (_, contentType, outcome) => {
  expect(outcomeOf({ contentTypes: [contentType] })).toBe(outcome);
});

test.each<[string, string | Buffer]>([
  ['with a raw control character', '{"authorRef":"a\u0001"}'],
  ['in Latin-1', Buffer.from('{"authorRef":"ü"}', 'latin1')],
  ['with an overlong encoding', Buffer.from([0x22, 0xc0, 0xaf, 0x22])],
])('a body %s is malformed', (_, body) => {
  expect(outcomeOf({ body })).toBe('malformedJson');
});

test.each<[string, string | Buffer]>([
  ['a text', '\ufeff{"authorRef":"a"}'],
  ['bytes', Buffer.from('\ufeff{"authorRef":"a"}')],
])('a body that arrives as %s may begin with a byte order mark', (_, body) => {
  expect(parse({ body })).toMatchObject({ actingUser: { authorRef: 'a' } });
});

test('a reference may have one character', () => {
  expect(parse({ body: { collaborationId: 'a' } })).toMatchObject({ actingUser: { collaborationId: 'a' } });
});

describe('the structure of a body (T5)', () => {
  const nested = (depth: number) => `{"x":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`;
  const wide = (members: number) => `{${Array.from({ length: members }, (_, n) => `"k${n}":1`).join()}}`;
  const detailOf = (body: string) => {
    const parsed = parse({ body });
    return 'outcome' in parsed ? parsed.detail : undefined;
  };

  const UNKNOWN = 'body: found an unknown field; allowed: authorRef, collaborationId';
  const TWICE = 'body: found a field twice; allowed: each once';

  test.each([
    ['a depth of 8', nested(8), UNKNOWN],
    ['a depth of 9', nested(9), 'body: found a depth of 9 and 8 members; allowed: 8 and 64'],
    ['64 members', wide(64), UNKNOWN],
    ['65 members', wide(65), 'body: found a depth of 1 and 65 members; allowed: 8 and 64'],
    ['a field twice', '{"authorRef":"a","authorRef":"b"}', TWICE],
    ['a field twice, once escaped', String.raw`{"authorRef":"a","\u0061uthorRef":"b"}`, TWICE],
    ['a field twice, once with an object', '{"authorRef":{"authorRef":"a"},"authorRef":"b"}', TWICE],
  ])('with %s is refused', (_, body, detail) => {
    expect(parse({ body })).toMatchObject({ outcome: 'invalidRequest', detail });
  });

  test('never changes whether a body counts as JSON', () => {
    const punctuation = fc.string({ unit: fc.constantFrom(...'{}[]",:\\u1e-. at'), maxLength: 40 });
    const cut = fc
      .tuple(fc.json({ maxDepth: 12 }), fc.nat(200), punctuation)
      .map(([text, at, inserted]) => text.slice(0, at) + inserted + text.slice(at));
    fc.assert(
      fc.property(fc.oneof(punctuation, fc.json({ maxDepth: 12 }), cut), (body) => {
        const outcome = outcomeOf({ body: Buffer.from(body) });
        // Too large a structure is refused before it is parsed.
        const isUnparsed = outcome === 'invalidRequest' && detailOf(body)?.endsWith('allowed: 8 and 64');
        expect(outcome === 'malformedJson').toBe(!isParsable(body) && isUnparsed !== true);
      }),
      { numRuns: 500 },
    );
  });
});

function isParsable(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

test.each(['', '{contentId}', '．．'])('the content id %j is refused (T3)', (contentId) => {
  expect(outcomeOf({ contentId })).toBe('invalidRequest');
});

test('a content id is checked after the body, so that invalid JSON is still a 400', () => {
  expect(outcomeOf({ contentId: '..', body: '{' })).toBe('malformedJson');
});

test('a refusal names the field, and never repeats what was sent', () => {
  const refusals = [
    parse({ body: { authorRef: `${CANARY}\n` } }),
    parse({ body: { [CANARY]: 1 } }),
    parse({ body: { collaborationId: [CANARY] } }),
    parse({ body: JSON.stringify(CANARY) }),
    parse({ contentId: `/${CANARY}` }),
    parse({ body: CANARY }),
    parse({ contentTypes: [CANARY] }),
  ];

  expect(refusals.map((refusal) => 'outcome' in refusal && refusal.detail?.split(':')[0])).toEqual([
    'authorRef',
    'body',
    'collaborationId',
    'body',
    'contentId in the path',
    undefined,
    undefined,
  ]);
  expect(JSON.stringify(refusals)).not.toContain(CANARY);
});
