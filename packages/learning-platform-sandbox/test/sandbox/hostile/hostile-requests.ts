import * as fc from 'fast-check';
import { hostileBody, PROTOTYPE_KEYS } from './hostile-bodies';
import { type RightRequest } from './right-requests';

/** A request that HTTP allows, valid or not. */
export interface HostileRequest {
  readonly method: string;
  readonly path: string;
  /** Alternating names and values, as Node sends them. A name can occur twice. */
  readonly headers: readonly string[];
  readonly body: Buffer | undefined;
}

type Change = (request: HostileRequest) => HostileRequest;

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND', 'LINK'];
const CONTENT_TYPES = [
  ...['application/json; charset=utf-16', 'application/json;', 'APPLICATION/JSON', 'text/plain', '/', ''],
  ...['application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'application/json, text/html'],
];
const HEADERS = [
  ...['X-Author-Ref', 'X-Collaboration-Id', 'Correlation-id', 'X-HTTP-Method-Override'],
  ...['Accept', 'Cookie', 'Range', '__proto__'],
];
const SEGMENTS = [
  ...['', '.', '..', '%2e%2e', '%2f', '%zz', '%', '%00', '%ff%fe', '%E0%A4%A', ';x=1'],
  ...PROTOTYPE_KEYS,
];
const QUERIES = [
  ...['?', '?%', '?=&&=', '?__proto__=1'],
  ...['?statuses=', '?statuses=%ff', '?statuses=created&statuses=__proto__'],
];

const textOf = (least: number, most: number, maxLength: number) =>
  fc.string({
    unit: fc.integer({ min: least, max: most }).map((code) => String.fromCharCode(code)),
    maxLength,
  });
/** Header values that Node can send. */
const latin = textOf(0x20, 0xff, 40).map((text) => text.replaceAll('\x7f', ''));
const scheme = fc.constantFrom('Basic ', 'Bearer ', 'bearer  ', 'Digest ', '');

/** Changes that apply to any request. */
function changes(secrets: readonly string[]): fc.Arbitrary<Change> {
  const secret = fc.constantFrom(...secrets);
  const authorization = fc
    .tuple(
      scheme,
      fc.oneof(
        latin,
        secret,
        secret.map((value) => `${value} ${value}`),
      ),
    )
    .map((parts) => parts.join(''));
  const tail = fc.oneof(
    fc.constantFrom(...QUERIES),
    textOf(0x21, 0x7e, 20),
    secret.map((value) => `?access_token=${encodeURIComponent(value)}`),
  );
  const headers = fc.oneof(
    fc.tuple(fc.constant('Authorization'), authorization, fc.boolean()),
    fc.tuple(fc.constant('Content-Type'), fc.constantFrom(...CONTENT_TYPES), fc.boolean()),
    fc.tuple(fc.constantFrom(...HEADERS), latin, fc.constant(false)),
  );
  return fc.oneof(
    { weight: 3, arbitrary: headers.map(([name, value, instead]) => withHeader(name, value, instead)) },
    fc.tuple(fc.constantFrom(...SEGMENTS), fc.nat(8)).map(([segment, at]) => withSegment(segment, at)),
    tail.map((more): Change => (request) => ({ ...request, path: request.path + more })),
    fc.constantFrom(...METHODS).map((method): Change => (request) => ({ ...request, method })),
  );
}

function withHeader(name: string, value: string, instead: boolean): Change {
  return ({ headers, ...request }) => {
    const isOther = (n: number) => headers[n - (n % 2)]!.toLowerCase() !== name.toLowerCase();
    return { ...request, headers: [...headers.filter((_, n) => !instead || isOther(n)), name, value] };
  };
}

function withSegment(segment: string, at: number): Change {
  return (request) => {
    const segments = request.path.split('/');
    return { ...request, path: segments.toSpliced((at % segments.length) + 1, 0, segment).join('/') };
  };
}

/**
 * Valid requests with one to three changes, each of which can make them invalid.
 * @param secrets values to put in wrong places
 */
export function hostileRequest(
  rights: readonly RightRequest[],
  secrets: readonly string[],
): fc.Arbitrary<HostileRequest> {
  const anyChange = changes(secrets);
  const spoilt = rights.map(({ method, path, headers, body }) => {
    const request: HostileRequest = {
      method,
      path,
      headers: headers.flat(),
      body: body && Buffer.from(JSON.stringify(body)),
    };
    const bodyChange = hostileBody(body ?? {}, secrets).map((hostile): Change => {
      return (changed) => ({ ...changed, body: hostile });
    });
    const change = fc.oneof({ weight: 3, arbitrary: bodyChange }, { weight: 2, arbitrary: anyChange });
    return {
      // Favors the platform: most operations belong to control.
      weight: path.startsWith('/_sandbox') ? 1 : 3,
      arbitrary: fc
        .array(change, { minLength: 1, maxLength: 3 })
        .map((done) => done.reduce((changed, next) => next(changed), request)),
    };
  });
  return fc.oneof(...spoilt);
}
