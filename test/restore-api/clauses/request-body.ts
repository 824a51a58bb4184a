import { type Break } from '../../support/breaks/break';
import { type Expected, refused, restored } from '../../support/restore-api/clause-case';
import { type ClauseCase } from './clause';
import { broken } from './product';

const ANY_MEDIA_TYPE = broken(
  'restoreRequest',
  'request.contentTypes.length !== 1 || !isJson(request.contentTypes[0]!)',
  'false',
);
const SEVERAL_MEDIA_TYPES = broken('restoreRequest', 'request.contentTypes.length !== 1 || ', '');
const OPEN_START = broken('restoreRequest', String.raw`/^application\/json`, String.raw`/application\/json`);
const OPEN_END = broken('restoreRequest', String.raw`\s*;?$/i`, '/i');
const UTF_8_ONLY = String.raw`(\s*;\s*charset=("utf-8"|utf-8))?`;

const MEDIA_TYPES: readonly [
  ClauseCase['id'],
  ClauseCase['clause'],
  string | string[] | undefined,
  'taken' | 'refused',
  Break,
][] = [
  ['C400', 'Endpoints 3, Content-Type', undefined, 'refused', ANY_MEDIA_TYPE],
  ['C401', 'Endpoints 3, Content-Type', '', 'refused', ANY_MEDIA_TYPE],
  ['C402', 'Endpoints 3, Content-Type', 'application/xml', 'refused', ANY_MEDIA_TYPE],
  ['C403', 'Endpoints 3, Content-Type', 'application/x-www-form-urlencoded', 'refused', ANY_MEDIA_TYPE],
  ['C404', 'Endpoints 3, Content-Type', 'application/vnd.api+json', 'refused', ANY_MEDIA_TYPE],
  ['C405', 'Endpoints 3, Content-Type', 'application/problem+json', 'refused', ANY_MEDIA_TYPE],
  ['C406', 'Endpoints 3, Content-Type', 'text/application/json', 'refused', OPEN_START],
  ['C407', 'Endpoints 3, Content-Type', 'application/json-seq', 'refused', OPEN_END],
  ['C408', 'Endpoints 3, Content-Type', 'application/json, text/plain', 'refused', OPEN_END],
  [
    'C409',
    'Endpoints 3, Content-Type',
    ['application/json', 'application/json'],
    'refused',
    SEVERAL_MEDIA_TYPES,
  ],
  ['C410', 'Endpoints 3, Content-Type', ['application/json', 'text/plain'], 'refused', SEVERAL_MEDIA_TYPES],
  [
    'C411',
    'RFC 9110, section 8.3.1',
    'Application/JSON',
    'taken',
    broken('restoreRequest', String.raw`\s*;?$/i`, String.raw`\s*;?$/`),
  ],
  [
    'C412',
    'RFC 9110, section 8.3.1',
    'application/json;charset=UTF-8',
    'taken',
    broken('restoreRequest', UTF_8_ONLY, ''),
  ],
  [
    'C413',
    'RFC 9110, section 8.3.1',
    'application/json ; charset="utf-8"',
    'taken',
    broken('restoreRequest', '("utf-8"|utf-8)', 'utf-8'),
  ],
  [
    'C414',
    'RFC 9110, section 8.3.1',
    'application/json;',
    'taken',
    broken('restoreRequest', String.raw`\s*;?$/i`, String.raw`\s*$/i`),
  ],
  [
    'C415',
    'RFC 8259, section 8.1',
    'application/json; charset=iso-8859-1',
    'refused',
    broken('restoreRequest', '("utf-8"|utf-8)', String.raw`[\w-]+`),
  ],
  ['C416', 'Endpoints 3, Content-Type', 'application/json; profile="acting-user"', 'refused', OPEN_END],
];

const TOO_LARGE = refused(413, 'body_too_large', { detail: /16 KiB/ });
const MALFORMED = refused(400, 'malformed_json', { detail: /no JSON/ });
const NO_OBJECT = refused(422, 'invalid_request', { detail: /^body: allowed is an object/ });
const NO_LIMIT = broken('restoreRequest', 'request.body.length > MAX_BODY_BYTES', 'false');
const MALFORMED_IS_INVALID = broken(
  'restoreRequest',
  "outcome: 'malformedJson'",
  "outcome: 'invalidRequest'",
);
const JSON_OF_AN_AUTHOR = (author: string | undefined, bytes: number) =>
  JSON.stringify({ authorRef: author }).padEnd(bytes);

const BODIES: readonly [
  ClauseCase['id'],
  ClauseCase['clause'],
  string,
  NonNullable<ClauseCase['call']>,
  Expected,
  Break,
][] = [
  ['C420', 'Endpoints 3, body', 'none at all', { body: '' }, MALFORMED, MALFORMED_IS_INVALID],
  ['C421', 'Endpoints 3, body', 'a form', { body: 'authorRef=author' }, MALFORMED, MALFORMED_IS_INVALID],
  ['C422', 'Endpoints 3, body', 'cut off', { body: '{"authorRef":' }, MALFORMED, MALFORMED_IS_INVALID],
  ['C423', 'Endpoints 3, body', 'two documents', { body: '{}{}' }, MALFORMED, MALFORMED_IS_INVALID],
  [
    'C424',
    'Endpoints 3, body',
    'with a comma at the end',
    { body: '{"authorRef":"a",}' },
    MALFORMED,
    MALFORMED_IS_INVALID,
  ],
  [
    'C425',
    'Endpoints 3, body',
    'null',
    { body: 'null' },
    NO_OBJECT,
    broken('restoreRequest', 'value === null || Array', 'Array'),
  ],
  [
    'C426',
    'Endpoints 3, body',
    'a list',
    ({ tenant }) => ({ body: [{ authorRef: tenant.authorRefs[0] }] }),
    NO_OBJECT,
    broken('restoreRequest', ' || Array.isArray(value)', ''),
  ],
  [
    'C427',
    'Endpoints 3, body',
    'a text',
    { body: '"author"' },
    NO_OBJECT,
    broken('restoreRequest', "typeof value !== 'object' || ", ''),
  ],
  [
    'C429',
    'RFC 8259, section 8.1',
    'with an author that is escaped',
    ({ tenant }) => ({
      body: `{"\\u0061uthorRef":"${tenant.authorRefs[0]!.replace(/./, (first) => `\\u00${first.charCodeAt(0).toString(16)}`)}"}`,
    }),
    restored(),
    broken(
      'restoreRequest',
      'value = JSON.parse(text)',
      String.raw`value = JSON.parse(text.replaceAll('\\', ''))`,
    ),
  ],
  [
    'C430',
    'Limits, request size: not shown',
    'one byte over 16 KiB, though its JSON is right',
    ({ tenant }) => ({ body: JSON_OF_AN_AUTHOR(tenant.authorRefs[0], 16 * 1024 + 1) }),
    TOO_LARGE,
    NO_LIMIT,
  ],
  [
    'C431',
    'Limits, request size: not shown',
    '16 KiB exactly',
    ({ tenant }) => ({ body: JSON_OF_AN_AUTHOR(tenant.authorRefs[0], 16 * 1024) }),
    restored(),
    broken('restoreRequest', 'request.body.length > MAX_BODY_BYTES', 'request.body.length >= MAX_BODY_BYTES'),
  ],
  [
    'C432',
    'Limits, request size: not shown',
    'over 16 KiB in bytes, though not in characters',
    { body: JSON.stringify({ authorRef: 'é'.repeat(10_000) }) },
    TOO_LARGE,
    broken(
      'restoreRequest',
      'request.body.length > MAX_BODY_BYTES',
      'String(request.body).length > MAX_BODY_BYTES',
    ),
  ],
  [
    'C433',
    'Limits, request size: not shown',
    'too large before it is malformed',
    { body: '{'.repeat(20_000) },
    TOO_LARGE,
    NO_LIMIT,
  ],
  [
    'C434',
    'Limits, request size: not shown',
    'of another media type before it is too large',
    { contentType: 'text/plain', body: '{'.repeat(20_000) },
    refused(415, 'unsupported_media_type'),
    ANY_MEDIA_TYPE,
  ],
  [
    'C435',
    'Limits, request size: not shown',
    'nested as nothing ever is',
    { body: `{"authorRef":${'['.repeat(4000)}${']'.repeat(4000)}}` },
    refused(422, 'invalid_request', { detail: /depth of 4001 / }),
    broken('restoreRequest', 'if (!isWithin(shape, MOST_STRUCTURE))', 'if (false)'),
  ],
  [
    'C436',
    'Limits, request size: not shown',
    'with more fields than anything ever has',
    { body: `{${Array.from({ length: 100 }, (_, n) => `"f${n}":0`).join()}}` },
    refused(422, 'invalid_request', { detail: / 100 members/ }),
    broken('restoreRequest', 'if (!isWithin(shape, MOST_STRUCTURE))', 'if (false)'),
  ],
];

/** Media type, size and JSON of the body. */
export const CASES: readonly ClauseCase[] = [
  ...MEDIA_TYPES.map(([id, clause, contentType, becomes, brokenBy]): ClauseCase => ({
    id,
    clause,
    title: `Content-Type ${JSON.stringify(contentType) ?? 'missing'} is ${becomes}`,
    call: { contentType },
    expected: becomes === 'taken' ? restored() : refused(415, 'unsupported_media_type'),
    brokenBy,
  })),
  ...BODIES.map(([id, clause, title, call, expected, brokenBy]): ClauseCase => ({
    id,
    clause,
    title: `a body: ${title}`,
    call,
    expected,
    brokenBy,
  })),
  {
    id: 'C440',
    clause: 'Endpoints 3, Content-Type',
    title: 'the platform gets application/json, without the caller’s parameters',
    call: { contentType: 'application/json; charset=utf-8' },
    expected: restored(),
    brokenBy: broken(
      'platformContent',
      "'content-type': 'application/json'",
      "'content-type': 'application/json; charset=utf-8'",
    ),
  },
];
