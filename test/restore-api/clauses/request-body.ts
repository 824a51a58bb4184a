import { type Case, refused, restored } from '../../support/restore-api/clause-case';
import { casesOf, type Clauses } from './clause';

type MediaType = string | string[] | undefined;
const mediaTypes = (values: readonly MediaType[], expected: Case['expected']) =>
  casesOf(
    values.map((value) => [`Content-Type ${JSON.stringify(value) ?? 'missing'}`, value] as const),
    (contentType) => ({ call: { contentType }, expected }),
  );
const UNSUPPORTED = refused(415, 'unsupported_media_type');
const TOO_LARGE = refused(413, 'body_too_large', { detail: /16 KiB/ });
const MALFORMED = refused(400, 'malformed_json', { detail: /not JSON/ });
const NO_OBJECT = refused(422, 'invalid_request', { detail: /^body: allowed: an object/ });

/** A valid body of this size. */
const ofBytes =
  (bytes: number): Case['call'] =>
  ({ tenant }) => ({ body: JSON.stringify({ authorRef: tenant.authorRefs[0] }).padEnd(bytes) });
const escaped = (letter: string) => `\\u00${letter.charCodeAt(0).toString(16)}`;

/** Media type, size and JSON of the body. */
export const REQUEST_BODY: Clauses = {
  'Endpoints 3, Content-Type': mediaTypes(
    [
      undefined,
      '',
      'application/x-www-form-urlencoded',
      'application/vnd.api+json',
      'text/application/json',
      'application/json-seq',
      'application/json, text/plain',
      ['application/json', 'application/json'],
      'application/json; profile="acting-user"',
    ],
    UNSUPPORTED,
  ),
  'RFC 9110, section 8.3.1': mediaTypes(
    [
      'Application/JSON',
      'application/json;charset=UTF-8',
      'application/json ; charset="utf-8"',
      'application/json;',
    ],
    restored(),
  ),
  'RFC 8259, section 8.1': {
    ...mediaTypes(['application/json; charset=iso-8859-1'], UNSUPPORTED),
    'a body with escapes in the author': {
      call: ({ tenant }) => ({
        body: `{"\\u0061uthorRef":"${tenant.authorRefs[0]!.replace(/./, escaped)}"}`,
      }),
      expected: restored(),
    },
  },
  'Endpoints 3, body': {
    'none at all': { call: { body: '' }, expected: MALFORMED },
    'cut off': { call: { body: '{"authorRef":' }, expected: MALFORMED },
    null: { call: { body: 'null' }, expected: NO_OBJECT },
    'a list': {
      call: ({ tenant }) => ({ body: [{ authorRef: tenant.authorRefs[0] }] }),
      expected: NO_OBJECT,
    },
  },
  'Limits, request size: not shown': {
    'one byte over 16 KiB of valid JSON': { call: ofBytes(16 * 1024 + 1), expected: TOO_LARGE },
    'exactly 16 KiB': { call: ofBytes(16 * 1024), expected: restored() },
    'over 16 KiB in bytes, though not in characters': {
      call: { body: JSON.stringify({ authorRef: 'é'.repeat(10_000) }) },
      expected: TOO_LARGE,
    },
    'of another media type and too large: the media type counts': {
      call: { contentType: 'text/plain', body: '{'.repeat(20_000) },
      expected: UNSUPPORTED,
    },
    'nested too deeply': {
      call: { body: `{"authorRef":${'['.repeat(4000)}${']'.repeat(4000)}}` },
      expected: refused(422, 'invalid_request', { detail: /depth of 4001 / }),
    },
  },
};
