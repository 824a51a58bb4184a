import { type Expected, refused, restored } from '../../support/restore-api/clause-case';
import { type ClauseCase } from './clause';

const MEDIA_TYPES: readonly [
  ClauseCase['id'],
  ClauseCase['clause'],
  string | string[] | undefined,
  'accepted' | 'refused',
][] = [
  ['C400', 'Endpoints 3, Content-Type', undefined, 'refused'],
  ['C401', 'Endpoints 3, Content-Type', '', 'refused'],
  ['C403', 'Endpoints 3, Content-Type', 'application/x-www-form-urlencoded', 'refused'],
  ['C404', 'Endpoints 3, Content-Type', 'application/vnd.api+json', 'refused'],
  ['C406', 'Endpoints 3, Content-Type', 'text/application/json', 'refused'],
  ['C407', 'Endpoints 3, Content-Type', 'application/json-seq', 'refused'],
  ['C408', 'Endpoints 3, Content-Type', 'application/json, text/plain', 'refused'],
  ['C409', 'Endpoints 3, Content-Type', ['application/json', 'application/json'], 'refused'],
  ['C411', 'RFC 9110, section 8.3.1', 'Application/JSON', 'accepted'],
  ['C412', 'RFC 9110, section 8.3.1', 'application/json;charset=UTF-8', 'accepted'],
  ['C413', 'RFC 9110, section 8.3.1', 'application/json ; charset="utf-8"', 'accepted'],
  ['C414', 'RFC 9110, section 8.3.1', 'application/json;', 'accepted'],
  ['C415', 'RFC 8259, section 8.1', 'application/json; charset=iso-8859-1', 'refused'],
  ['C416', 'Endpoints 3, Content-Type', 'application/json; profile="acting-user"', 'refused'],
];

const TOO_LARGE = refused(413, 'body_too_large', { detail: /16 KiB/ });
const MALFORMED = refused(400, 'malformed_json', { detail: /not JSON/ });
const NO_OBJECT = refused(422, 'invalid_request', { detail: /^body: allowed: an object/ });
const JSON_OF_AN_AUTHOR = (author: string | undefined, bytes: number) =>
  JSON.stringify({ authorRef: author }).padEnd(bytes);

const BODIES: readonly [
  ClauseCase['id'],
  ClauseCase['clause'],
  string,
  NonNullable<ClauseCase['call']>,
  Expected,
][] = [
  ['C420', 'Endpoints 3, body', 'none at all', { body: '' }, MALFORMED],
  ['C422', 'Endpoints 3, body', 'cut off', { body: '{"authorRef":' }, MALFORMED],
  ['C425', 'Endpoints 3, body', 'null', { body: 'null' }, NO_OBJECT],
  [
    'C426',
    'Endpoints 3, body',
    'a list',
    ({ tenant }) => ({ body: [{ authorRef: tenant.authorRefs[0] }] }),
    NO_OBJECT,
  ],
  [
    'C429',
    'RFC 8259, section 8.1',
    'with escapes in the author',
    ({ tenant }) => ({
      body: `{"\\u0061uthorRef":"${tenant.authorRefs[0]!.replace(/./, (first) => `\\u00${first.charCodeAt(0).toString(16)}`)}"}`,
    }),
    restored(),
  ],
  [
    'C430',
    'Limits, request size: not shown',
    'one byte over 16 KiB of valid JSON',
    ({ tenant }) => ({ body: JSON_OF_AN_AUTHOR(tenant.authorRefs[0], 16 * 1024 + 1) }),
    TOO_LARGE,
  ],
  [
    'C431',
    'Limits, request size: not shown',
    'exactly 16 KiB',
    ({ tenant }) => ({ body: JSON_OF_AN_AUTHOR(tenant.authorRefs[0], 16 * 1024) }),
    restored(),
  ],
  [
    'C432',
    'Limits, request size: not shown',
    'over 16 KiB in bytes, though not in characters',
    { body: JSON.stringify({ authorRef: 'é'.repeat(10_000) }) },
    TOO_LARGE,
  ],
  [
    'C434',
    'Limits, request size: not shown',
    'of another media type and too large: the media type counts',
    { contentType: 'text/plain', body: '{'.repeat(20_000) },
    refused(415, 'unsupported_media_type'),
  ],
  [
    'C435',
    'Limits, request size: not shown',
    'nested too deeply',
    { body: `{"authorRef":${'['.repeat(4000)}${']'.repeat(4000)}}` },
    refused(422, 'invalid_request', { detail: /depth of 4001 / }),
  ],
];

/** Media type, size and JSON of the body. */
export const CASES: readonly ClauseCase[] = [
  ...MEDIA_TYPES.map(([id, clause, contentType, becomes]): ClauseCase => ({
    id,
    clause,
    title: `Content-Type ${JSON.stringify(contentType) ?? 'missing'} is ${becomes}`,
    call: { contentType },
    expected: becomes === 'accepted' ? restored() : refused(415, 'unsupported_media_type'),
  })),
  ...BODIES.map(([id, clause, title, call, expected]): ClauseCase => ({
    id,
    clause,
    title: `a body: ${title}`,
    call,
    expected,
  })),
];
