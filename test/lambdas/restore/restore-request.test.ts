import * as fc from 'fast-check';

import { parseRestoreRequest } from '../../../lambdas/restore/restore-request';
import { ACTING_USER, CONTENT_ID, requestOf } from '../../support/lambdas/restore-functions';

const CANARY = 'canary-value';
const parse = (change: Parameters<typeof requestOf>[0]) => parseRestoreRequest(requestOf(change));
const outcomeOf = (change: Parameters<typeof requestOf>[0]) => {
  const parsed = parse(change);
  return 'outcome' in parsed ? parsed.outcome : 'accepted';
};

// RFC 9110, section 8.3.1; the platform's specification, "Errors" (415)
describe('the media type', () => {
  test.each([
    'application/json',
    'Application/JSON',
    ' application/json ',
    'application/json;charset=utf-8',
    'application/json; charset=UTF-8',
    'application/json ; charset="utf-8"',
    'application/json;',
  ])('%j is JSON', (contentType) => {
    expect(outcomeOf({ contentTypes: [contentType] })).toBe('accepted');
  });

  test.each<[string, string[]]>([
    ['is missing', []],
    ['is empty', ['']],
    ['is text', ['text/plain']],
    ['is a form', ['application/x-www-form-urlencoded']],
    ['only begins so', ['application/jsonp']],
    ['has JSON as its syntax only', ['application/problem+json']],
    ['is another of JSON’s names', ['text/json']],
    ['is any', ['*/*']],
    ['hides in a parameter', ['text/plain; a=application/json']],
    ['has another charset', ['application/json; charset=iso-8859-1']],
    ['has a further parameter', ['application/json; profile=x']],
    ['has two charsets', ['application/json; charset=utf-8; charset=utf-16']],
    ['is a list', ['application/json, text/plain']],
    ['comes twice', ['application/json', 'application/json']],
    ['comes with another', ['application/json', 'text/plain']],
    ['holds a line break', ['application/json\r\nX-Header: 1']],
    ['holds a NUL', ['application/json\0']],
    ['is long, and of spaces', [`application/json${' '.repeat(10_000)}x`]],
  ])('that %s is refused', (_, contentTypes) => {
    expect(outcomeOf({ contentTypes })).toBe('unsupportedMediaType');
  });

  test('is looked at before the body and the id', () => {
    const body = Buffer.alloc(20_000, '{');

    expect(outcomeOf({ contentTypes: ['text/plain'], body, contentId: '..' })).toBe('unsupportedMediaType');
  });
});

describe('the body’s size', () => {
  const padded = (bytes: number) => JSON.stringify(ACTING_USER).padEnd(bytes);

  test('may be 16 KiB', () => {
    expect(outcomeOf({ body: padded(16_384) })).toBe('accepted');
  });

  test('may not be a byte more', () => {
    expect(outcomeOf({ body: padded(16_385) })).toBe('bodyTooLarge');
  });

  test('is counted in bytes, not in characters', () => {
    expect(outcomeOf({ body: JSON.stringify({ authorRef: 'ü'.repeat(8_192) }) })).toBe('bodyTooLarge');
  });

  test('is looked at before what the body holds', () => {
    expect(outcomeOf({ body: Buffer.alloc(16_385, 0xff) })).toBe('bodyTooLarge');
  });
});

describe('a body that is no JSON', () => {
  test.each<[string, string | Buffer]>([
    ['empty', ''],
    ['of blanks', '  \n'],
    ['cut off', '{"authorRef":"a"'],
    ['with something behind', '{"authorRef":"a"}x'],
    ['of two documents', '{"authorRef":"a"}{"authorRef":"b"}'],
    ['with single quotes', "{'authorRef':'a'}"],
    ['with a comma too many', '{"authorRef":"a",}'],
    ['with a comment', '{"authorRef":"a"/**/}'],
    ['with a raw control character', '{"authorRef":"a\u0001"}'],
    ['as a form', 'authorRef=a'],
    ['in UTF-16', Buffer.from('{"authorRef":"a"}', 'utf16le')],
    ['in Latin-1', Buffer.from('{"authorRef":"ü"}', 'latin1')],
    ['with an overlong encoding', Buffer.from([0x22, 0xc0, 0xaf, 0x22])],
    ['with half a surrogate pair', Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22])],
    ['compressed', Buffer.from([0x1f, 0x8b, 0x08, 0x00])],
  ])('%s is malformed', (_, body) => {
    expect(outcomeOf({ body })).toBe('malformedJson');
  });
});

// The platform's specification, "Acting-user object"
describe('an acting user', () => {
  test.each<[string, object]>([
    ['an author', { authorRef: 'author-1' }],
    ['a collaboration', { collaborationId: 'collaboration-1' }],
    ['both', { authorRef: 'author-1', collaborationId: 'collaboration-1' }],
    ['a reference of one character', { authorRef: 'a' }],
    ['a reference of 256 characters', { authorRef: 'a'.repeat(256) }],
    ['a reference with spaces and signs inside', { authorRef: 'auth0|a b:"c"' }],
  ])('may be %s', (_, body) => {
    expect(parse({ body })).toEqual({ actingUser: body });
  });

  test.each<[string, unknown]>([
    ['nobody', {}],
    ['null', null],
    ['a list', [ACTING_USER]],
    ['a text', 'author-1'],
    ['a number', 1],
    ['an author that is null', { authorRef: null }],
    ['an author that is a number', { authorRef: 1 }],
    ['an author that is an object', { authorRef: { $ne: null } }],
    ['an author that is a list', { authorRef: ['author-1'] }],
    ['an empty author', { authorRef: '' }],
    ['an author and an empty collaboration', { authorRef: 'a', collaborationId: '' }],
    ['an author and a collaboration that is null', { authorRef: 'a', collaborationId: null }],
    ['a reference of 257 characters', { authorRef: 'a'.repeat(257) }],
    ['a reference of a space', { authorRef: ' ' }],
    ['a reference that begins with a space', { authorRef: ' a' }],
    ['a reference that ends with a space', { authorRef: 'a ' }],
    ['a reference beyond ASCII', { authorRef: 'ä' }],
    ['a further field', { ...ACTING_USER, tenantId: 'other' }],
    ['a field in other case', { AuthorRef: 'a' }],
  ])('may not be %s', (_, body) => {
    expect(outcomeOf({ body: Buffer.from(JSON.stringify(body)) })).toBe('invalidRequest');
  });

  test.each(['\r', '\n', '\0', '\t', '\x1b', '\x7f', '\u0085', '\u2028', '\ufeff'])(
    'has no control character or invisible separator such as %j in a reference (T4)',
    (character) => {
      for (const reference of [`a${character}b`, `a${character}`, `${character}a`]) {
        expect(outcomeOf({ body: { authorRef: reference } })).toBe('invalidRequest');
        expect(outcomeOf({ body: { collaborationId: reference } })).toBe('invalidRequest');
      }
    },
  );

  test.each(['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty'])(
    'does not come by the key %s (T16)',
    (key) => {
      const reference = `{"authorRef":"${CANARY}"}`;

      expect(outcomeOf({ body: `{"${key}":${reference}}` })).toBe('invalidRequest');
      expect(outcomeOf({ body: `{"authorRef":"a","${key}":${reference}}` })).toBe('invalidRequest');
    },
  );

  test('has no field but the two, whatever keys are sent (T16)', () => {
    const keys = fc.oneof(fc.string(), fc.constantFrom('authorRef', 'collaborationId', '__proto__'));
    fc.assert(
      fc.property(fc.dictionary(keys, fc.constantFrom('a', 'b')), (body) => {
        const parsed = parse({ body: JSON.stringify(body) });

        const sent = Object.keys(body);
        const isRight =
          sent.length > 0 && sent.every((key) => key === 'authorRef' || key === 'collaborationId');
        expect('actingUser' in parsed).toBe(isRight);
        if ('actingUser' in parsed) {
          expect(Object.keys(parsed.actingUser).sort()).toEqual(sent.sort());
          expect(Object.getPrototypeOf(parsed.actingUser)).toBe(Object.prototype);
        }
      }),
    );
    expect(Object.keys(Object.prototype)).toEqual([]);
  });
});

describe('the structure of a body (T5)', () => {
  const nested = (depth: number) => `{"x":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`;
  const wide = (members: number) => `{${Array.from({ length: members }, (_, n) => `"k${n}":1`).join()}}`;
  const detailOf = (body: string) => {
    const parsed = parse({ body });
    return 'outcome' in parsed ? parsed.detail : undefined;
  };

  test.each([
    [nested(9), 'body: found a depth of 9 and 8 members; allowed are 8 and 64'],
    [wide(65), 'body: found a depth of 1 and 65 members; allowed are 8 and 64'],
  ])('has its limits: %.20s…', (body, detail) => {
    expect(outcomeOf({ body })).toBe('invalidRequest');
    expect(detailOf(body)).toBe(detail);
  });

  test('that is near the right one is judged by its fields', () => {
    for (const body of [nested(8), wide(64)]) {
      expect(detailOf(body)).toBe('body: allowed are no other fields than authorRef and collaborationId');
    }
  });

  test.each([
    '{"authorRef":"a","authorRef":"b"}',
    '{"authorRef":"a","authorRef":"a"}',
    '{"authorRef":"a","collaborationId":"c","authorRef":"b"}',
    String.raw`{"authorRef":"a","\u0061uthorRef":"b"}`,
    '{"authorRef":{"authorRef":"a"},"authorRef":"b"}',
  ])('names a field once: %s', (body) => {
    expect(outcomeOf({ body })).toBe('invalidRequest');
    expect(detailOf(body)).toBe('body: found a field twice; allowed is each once');
  });

  test('never makes JSON of what is none, nor the other way', () => {
    const punctuation = fc.string({ unit: fc.constantFrom(...'{}[]",:\\u1e-. at'), maxLength: 40 });
    const cut = fc
      .tuple(fc.json({ maxDepth: 12 }), fc.nat(200), punctuation)
      .map(([text, at, inserted]) => text.slice(0, at) + inserted + text.slice(at));
    fc.assert(
      fc.property(fc.oneof(punctuation, fc.json({ maxDepth: 12 }), cut), (body) => {
        expect(outcomeOf({ body: Buffer.from(body) }) === 'malformedJson').toBe(!isParsable(body));
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

describe('a body that is a bomb is answered (T5):', () => {
  test.each<[string, string, string]>([
    ['lists inside lists', '['.repeat(8_000) + ']'.repeat(8_000), 'invalidRequest'],
    ['lists that never end', '['.repeat(16_384), 'invalidRequest'],
    ['objects inside objects', '{"a":'.repeat(2_700) + '1' + '}'.repeat(2_700), 'invalidRequest'],
    ['an author of lists', `{"authorRef":${'['.repeat(8_000)}${']'.repeat(8_000)}}`, 'invalidRequest'],
    ['a thousand keys', `{${Array.from({ length: 1_000 }, (_, n) => `"k${n}":1`).join()}}`, 'invalidRequest'],
    ['one key a thousand times', `{${Array<string>(1_000).fill('"authorRef":{}').join()}}`, 'invalidRequest'],
    ['a number of 16,000 digits', '9'.repeat(16_000), 'invalidRequest'],
    ['a number of 16,000 digits for an author', `{"authorRef":${'9'.repeat(16_000)}}`, 'invalidRequest'],
    ['escapes', `{"authorRef":"${'\\u0000'.repeat(2_700)}"}`, 'invalidRequest'],
    ['a key of 16,000 characters', `{"${'k'.repeat(16_000)}":1}`, 'invalidRequest'],
    ['minus signs', '-'.repeat(16_384), 'malformedJson'],
    ['quotes', '"'.repeat(16_384), 'malformedJson'],
  ])('%s', (_, body, outcome) => {
    expect(outcomeOf({ body })).toBe(outcome);
  });
});

describe('a content id', () => {
  test.each([CONTENT_ID, 'a', '0', 'a'.repeat(128), 'a.b', '...', '.a', '~', '_-'])(
    '%j is accepted',
    (contentId) => {
      expect(outcomeOf({ contentId })).toBe('accepted');
    },
  );

  test.each([
    '',
    '.',
    '..',
    'a'.repeat(129),
    'a/b',
    '../x',
    'a\\b',
    '%2e%2e',
    'a%2fb',
    'a?b',
    'a#b',
    'a;b',
    'a b',
    'a@b',
    'a:b',
    'a\n',
    '\0',
    'a\r\nb',
    'ä',
    '．．',
    '{contentId}',
  ])('%j is refused (T3)', (contentId) => {
    expect(outcomeOf({ contentId })).toBe('invalidRequest');
  });

  test('is looked at after the body: what is no JSON stays a 400', () => {
    expect(outcomeOf({ contentId: '..', body: '{' })).toBe('malformedJson');
  });
});

test('what is refused says which field, and never repeats what was sent', () => {
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
