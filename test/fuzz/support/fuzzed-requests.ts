import * as fc from 'fast-check';

import { type HandedOn, type RestoreHandlers } from '../../support/restore-api/restore-handlers';
import { MAX_BODY_BYTES } from '../../../core/restore/restore-operation';
import { anyJson, changed } from './fuzzed-json';

const repeated = (text: string, times: number) => fc.nat(times).map((count) => text.repeat(count));
/** Easy to write, but expensive to parse. */
const bomb: fc.Arbitrary<string> = fc.oneof(
  fc
    .constantFrom('[', '{"a":', '"', '-', '9', '{"authorRef":"a",')
    .map((sign) => sign.repeat(MAX_BODY_BYTES / 20)),
  fc.nat(2_000).map((count) => `{${Array.from({ length: count }, (_, n) => `"k${n}":1`).join()}}`),
  repeated('\\', MAX_BODY_BYTES).map((text) => `{"authorRef":"${text}"}`),
  repeated(' ', MAX_BODY_BYTES).map((text) => `{"authorRef":"a"}${text}`),
);
/** As text, so that a name can occur twice. */
const objects = fc.oneof(
  changed([{ authorRef: 'a' }, { collaborationId: 'c', authorRef: 'a b' }]).map((value) =>
    JSON.stringify(value),
  ),
  fc.constantFrom('{"authorRef":"a","authorRef":"b"}', '{"__proto__":{"authorRef":"a"},"authorRef":"a"}'),
);
const text = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom('{"authorRef":"a"}', '{"collaborationId":"c","authorRef":"a"}') },
  { weight: 4, arbitrary: objects },
  anyJson.map((value) => JSON.stringify(value)),
  bomb,
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.tuple(objects, fc.nat(30)).map(([whole, at]) => whole.slice(0, at) + whole.slice(at + 1)),
);
/** A body as API Gateway forwards it. */
const fuzzedBody: fc.Arbitrary<{ body: string | null; isBase64Encoded: boolean }> = fc.oneof(
  { weight: 12, arbitrary: text.map((body) => ({ body, isBase64Encoded: false })) },
  fc.constant({ body: null, isBase64Encoded: false }),
  fc
    .oneof(text, fc.uint8Array({ maxLength: 60 }))
    .map((body) => ({ body: Buffer.from(body as string).toString('base64'), isBase64Encoded: true })),
  fc.string({ maxLength: 20 }).map((body) => ({ body, isBase64Encoded: true })),
);

const hostileText = fc.oneof(
  fc.constantFrom('', '.', '..', '%2e%2e', 'a/b', '__proto__', 'toString', 'a\r\nX: 1', '\0', 'ä'),
  fc.string({ unit: 'binary', maxLength: 140 }),
);
/** Mostly valid values, since a request with too many faults reaches little code. */
const mostly = <T>(right: fc.Arbitrary<T>, wrong: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 24, arbitrary: right }, { weight: 1, arbitrary: wrong });

const noise = mostly(fc.constant(''), fc.constantFrom(' ', ',', '=', 'x', ':', '\t', ', Bearer x'));
/** Credentials are named, since their values are secret and unknown until the system runs. */
const credential = fc
  .tuple(
    noise,
    mostly(
      fc.constant('{basic}'),
      fc.constantFrom('{write}', '{read}', '{basic of neighbor}', '{write of neighbor}'),
    ),
    noise,
  )
  .map((parts) => parts.join(''));
const wrongAuthorization = fc.array(
  fc.oneof(
    credential,
    fc.string({ unit: 'binary', maxLength: 40 }),
    fc
      .tuple(fc.constantFrom('Basic ', 'Bearer ', 'basic  ', 'Digest '), fc.base64String())
      .map((parts) => parts.join('')),
  ),
  { maxLength: 3 },
);

/** Requests that reach the functions, as printable data: valid ones with a few faults. */
export const fuzzedRequest = fc.record({
  tenantId: mostly(fc.constant(undefined), hostileText),
  contentId: mostly(fc.stringMatching(/^[a-f0-9]{24}$/), hostileText),
  hasPathParameters: mostly(fc.constant(true), fc.constant(false)),
  authorization: mostly<string[] | undefined>(
    credential.map((one) => [one]),
    fc.option(wrongAuthorization, { nil: undefined }),
  ),
  contentTypes: mostly(
    fc.constant<string[]>(['application/json']),
    fc.array(fc.oneof(hostileText, fc.constantFrom('application/json; charset=utf-8', 'text/plain')), {
      maxLength: 3,
    }),
  ),
  moreHeaders: fc.array(fc.tuple(hostileText, fc.array(hostileText, { maxLength: 2 })), { maxLength: 2 }),
  remainingMs: mostly(fc.constant(28_000), fc.nat(6_000)),
  body: fuzzedBody,
});
type FuzzedRequest = typeof fuzzedRequest extends fc.Arbitrary<infer Drawn> ? Drawn : never;

/** The request as API Gateway would forward it. */
export function handedOn(request: FuzzedRequest, handlers: RestoreHandlers): HandedOn {
  const [own, neighbor] = handlers.tenants;
  const { tenantId = own.tenantId, contentId, contentTypes, moreHeaders, remainingMs } = request;
  const credentials: Record<string, string> = {
    '{basic}': handlers.basic(own),
    '{write}': `Bearer ${own.tokens['api/write']}`,
    '{read}': `Bearer ${own.tokens['api/read']}`,
    '{basic of neighbor}': handlers.basic(neighbor),
    '{write of neighbor}': `Bearer ${neighbor.tokens['api/write']}`,
  };
  const authorization = request.authorization?.map((value) =>
    value.replace(/\{[a-z ]+\}/, (name) => credentials[name] ?? name),
  );
  const headers: [string, string[]][] = [
    ...moreHeaders,
    ['Content-Type', contentTypes],
    ['Authorization', authorization ?? []],
  ];
  return {
    pathParameters: request.hasPathParameters ? { tenantId, contentId } : null,
    multiValueHeaders: authorization === undefined ? null : Object.fromEntries(headers),
    ...request.body,
    remainingMs,
  };
}
