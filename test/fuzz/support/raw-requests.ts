import * as fc from 'fast-check';

import { type Leaving, type RawRequest } from './raw-connection';

const CRLF = '\r\n';

/** The lines of a valid request for a content that does not exist. */
export interface RightRequest {
  path: string;
  host: string;
  authorization: string;
}

/**
 * A request as text.
 * @param lines header lines to add, or to replace those with the same name
 */
export function rawRequest(
  { path, host, authorization }: RightRequest,
  {
    line = `POST ${path} HTTP/1.1`,
    body = '{"authorRef":"a"}',
    lines = [] as readonly string[],
    without = [] as readonly string[],
  } = {},
): string {
  const usual = [
    `Host: ${host}`,
    `Authorization: ${authorization}`,
    'Content-Type: application/json',
    'Connection: close',
    `Content-Length: ${Buffer.byteLength(body, 'latin1')}`,
  ].filter((header) => !without.some((name) => header.toLowerCase().startsWith(`${name}:`)));
  return [line, ...usual, ...lines, '', body].join(CRLF);
}

type Edit = (text: string) => string;

const at = (text: string, share: number) => Math.floor(text.length * share);
const share = fc.double({ min: 0, max: 1, noNaN: true });
const bytes = fc.string({
  unit: fc.integer({ min: 0, max: 255 }).map((code) => String.fromCharCode(code)),
  maxLength: 6,
});
const headerLine = fc.oneof(
  fc.constantFrom('chunked', 'identity', 'gzip, chunked').map((coding) => `Transfer-Encoding: ${coding}`),
  fc.constantFrom('0', '5', '-1', '9'.repeat(20), '1e3').map((length) => `Content-Length: ${length}`),
  fc.constantFrom('Transfer-Encoding : chunked', ' folded: x', 'Expect: 100-continue', 'Expect: x'),
  fc.constantFrom('Connection: close', 'Connection: upgrade', 'Upgrade: h2c', 'Upgrade: websocket'),
  fc.constantFrom('Host: other.example', 'Host:', 'Authorization: Basic eDp5', 'X: \0', 'X: a\rb'),
  fc.constantFrom(': no name', 'no colon', 'X-HTTP-Method-Override: DELETE', '\xff: x'),
);
const line = fc.oneof(
  fc.constantFrom('GET / HTTP/1.1', 'POST /x HTTP/1.0', 'GET /', 'PRI * HTTP/2.0', 'POST  / HTTP/1.1'),
  fc.constantFrom('POST / HTTP/1.2', 'X', 'OPTIONS * HTTP/1.1', 'CONNECT evil.example:443 HTTP/1.1'),
  fc.constantFrom('TRACE / HTTP/1.1', 'POST http://evil.example/ HTTP/1.1', 'post / HTTP/1.1'),
  fc.constantFrom('\x16\x03\x01\x02\x00', 'POST //x/y HTTP/1.1', 'POST /%zz/%zz HTTP/1.1'),
  fc.constant('DELETE /a/v1 HTTP/1.1'),
);

/** An edit with a random parameter. */
const edited = <Choice>(choice: fc.Arbitrary<Choice>, edit: (text: string, choice: Choice) => string) =>
  choice.map(
    (chosen): Edit =>
      (text) =>
        edit(text, chosen),
  );
const withLines = (text: string, lines: string) => text.replace(CRLF, `${CRLF}${lines}${CRLF}`);

const edit: fc.Arbitrary<Edit> = fc.oneof(
  edited(fc.tuple(share, bytes), (text, [where, more]) => {
    return text.slice(0, at(text, where)) + more + text.slice(at(text, where));
  }),
  edited(fc.tuple(share, fc.nat(20)), (text, [where, count]) => {
    return text.slice(0, at(text, where)) + text.slice(at(text, where) + count);
  }),
  edited(share, (text, where) => text.slice(0, at(text, where))),
  edited(headerLine, withLines),
  edited(line, (text, first) => first + text.slice(text.indexOf(CRLF))),
  fc.constant<Edit>((text) => text.replaceAll(CRLF, '\n')),
  fc.constant<Edit>((text) => text.replaceAll(`Connection: close${CRLF}`, '').repeat(3)),
  edited(fc.constantFrom(9_000, 20_000, 70_000, 200_000), (text, count) => {
    return withLines(text, `X: ${'a'.repeat(count)}`);
  }),
  edited(fc.constantFrom(100, 2_500), (text, count) =>
    withLines(text, `X: y${CRLF}`.repeat(count).trimEnd()),
  ),
  edited(fc.constantFrom('/', '?', '/..', '%2e', ';'), (text, sign) => {
    return text.replace('/restore', sign.repeat(500));
  }),
  edited(bytes, (text, chunk) =>
    text
      .replace(/Content-Length: \d+/, 'Transfer-Encoding: chunked')
      .replace(/\r\n\r\n.*/s, `\r\n\r\n${chunk}\r\n0\r\n\r\n`),
  ),
);

/** A valid request with one to three edits, written in one to three pieces. */
export function fuzzedRawRequest(right: RightRequest): fc.Arbitrary<RawRequest> {
  const leaving: fc.Arbitrary<Leaving> = fc.oneof(
    { weight: 6, arbitrary: fc.constant('after the answer' as const) },
    fc.constantFrom('half-open at once', 'abruptly'),
  );
  return fc
    .record({
      edits: fc.array(edit, { minLength: 1, maxLength: 3 }),
      cuts: fc.array(share, { maxLength: 2 }),
      leaving,
    })
    .map(({ edits, cuts, leaving: how }) => {
      const text = edits.reduce((edited, change) => change(edited), rawRequest(right));
      const places = [0, ...cuts.map((cut) => at(text, cut)).sort((a, b) => a - b), text.length];
      return { pieces: places.slice(1).map((place, n) => text.slice(places[n], place)), leaving: how };
    });
}
