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
describe('the media type', () => {
  test('may have spaces around it', () => {
    expect(outcomeOf({ contentTypes: [' application/json '] })).toBe('accepted');
  });

  test.each<[string, string]>([
    ['has two charsets', 'application/json; charset=utf-8; charset=utf-16'],
    ['holds a line break', 'application/json\r\nX-Header: 1'],
    ['holds a NUL', 'application/json\0'],
    ['is long, and of spaces', `application/json${' '.repeat(10_000)}x`],
  ])('that %s is refused', (_, contentType) => {
    expect(outcomeOf({ contentTypes: [contentType] })).toBe('unsupportedMediaType');
  });
});

describe('a body that is not JSON', () => {
  test.each<[string, string | Buffer]>([
    ['with a raw control character', '{"authorRef":"a\u0001"}'],
    ['in Latin-1', Buffer.from('{"authorRef":"ü"}', 'latin1')],
    ['with an overlong encoding', Buffer.from([0x22, 0xc0, 0xaf, 0x22])],
  ])('%s is malformed', (_, body) => {
    expect(outcomeOf({ body })).toBe('malformedJson');
  });
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

  test.each([
    [nested(9), 'body: found a depth of 9 and 8 members; allowed: 8 and 64'],
    [wide(65), 'body: found a depth of 1 and 65 members; allowed: 8 and 64'],
  ])('has its limits: %.20s…', (body, detail) => {
    expect(outcomeOf({ body })).toBe('invalidRequest');
    expect(detailOf(body)).toBe(detail);
  });

  test('that is almost right causes an error that names the field', () => {
    for (const body of [nested(8), wide(64)]) {
      expect(detailOf(body)).toBe('body: found an unknown field; allowed: authorRef, collaborationId');
    }
  });

  test.each([
    '{"authorRef":"a","authorRef":"b"}',
    String.raw`{"authorRef":"a","\u0061uthorRef":"b"}`,
    '{"authorRef":{"authorRef":"a"},"authorRef":"b"}',
  ])('may not have a field twice: %s', (body) => {
    expect(outcomeOf({ body })).toBe('invalidRequest');
    expect(detailOf(body)).toBe('body: found a field twice; allowed: each once');
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

describe('a content id', () => {
  test.each(['', '{contentId}', '．．'])('%j is refused (T3)', (contentId) => {
    expect(outcomeOf({ contentId })).toBe('invalidRequest');
  });

  test('is checked after the body, so that invalid JSON is still a 400', () => {
    expect(outcomeOf({ contentId: '..', body: '{' })).toBe('malformedJson');
  });
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
