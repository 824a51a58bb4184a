import * as fc from 'fast-check';

import { type HandedOn, type RestoreHandlers } from '../../support/restore-api/restore-handlers';
import { MAX_BODY_BYTES } from '../../../core/restore/restore-operation';
import { changed } from './fuzzed-json';

/** A body as API Gateway forwards it. */
interface FuzzedBody {
  body: string | null;
  isBase64Encoded: boolean;
}

const nested = (open: string, close: string) =>
  fc.nat(MAX_BODY_BYTES / 4).map((depth) => open.repeat(depth) + close.repeat(depth));

/** Easy to write, but expensive to parse. */
const bomb: fc.Arbitrary<string> = fc.oneof(
  nested('[', ']'),
  nested('{"a":', '}'),
  fc.nat(2_000).map((count) => `{${Array.from({ length: count }, (_, n) => `"k${n}":1`).join()}}`),
  fc.nat(800).map((count) => `{${Array<string>(count).fill('"authorRef":"a"').join()}}`),
  fc.nat(MAX_BODY_BYTES).map((count) => '9'.repeat(count)),
  fc.nat(MAX_BODY_BYTES).map((count) => `{"authorRef":"${'\\'.repeat(count)}"}`),
  fc.constantFrom('[', '{', '"', '-').map((sign) => sign.repeat(MAX_BODY_BYTES)),
  fc
    .integer({ min: MAX_BODY_BYTES - 20, max: MAX_BODY_BYTES + 2 })
    .map((bytes) => '{"authorRef":"a"}'.padEnd(bytes)),
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
  fc.json({ maxDepth: 12 }),
  bomb,
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc
    .tuple(objects, fc.nat(30), fc.string({ maxLength: 3 }))
    .map(([whole, at, cut]) => whole.slice(0, at) + cut + whole.slice(at + 1)),
);

/** Bodies, including valid ones. */
const fuzzedBody: fc.Arbitrary<FuzzedBody> = fc.oneof(
  { weight: 12, arbitrary: text.map((body) => ({ body, isBase64Encoded: false })) },
  fc.constant({ body: null, isBase64Encoded: false }),
  text.map((body) => ({ body: Buffer.from(body).toString('base64'), isBase64Encoded: true })),
  fc
    .uint8Array({ maxLength: 60 })
    .map((bytes) => ({ body: Buffer.from(bytes).toString('base64'), isBase64Encoded: true })),
  fc.string({ maxLength: 20 }).map((body) => ({ body, isBase64Encoded: true })),
);

/** Credentials by name, since their values are secret and unknown until the system runs. */
const CREDENTIALS = ['basic', 'write', 'read', 'neighbor’s basic', 'neighbor’s write'] as const;
type Credential = { credential: (typeof CREDENTIALS)[number]; before: string; after: string };

/** A request as printable data. */
export interface FuzzedRequest extends FuzzedBody {
  /** Undefined for the first tenant. */
  tenantId: string | undefined;
  contentId: string;
  hasPathParameters: boolean;
  /** Undefined for no Authorization header. */
  authorization: (string | Credential)[] | undefined;
  contentTypes: string[];
  moreHeaders: [name: string, values: string[]][];
  remainingMs: number;
}

const hostileText = fc.oneof(
  fc.constantFrom('', '.', '..', '%2e%2e', 'a/b', '__proto__', 'toString', 'a\r\nX: 1', '\0', 'ä'),
  fc.string({ unit: 'binary', maxLength: 140 }),
);
/** Mostly valid values, since a request with too many faults reaches little code. */
const mostly = <T>(right: fc.Arbitrary<T>, wrong: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 24, arbitrary: right }, { weight: 1, arbitrary: wrong });

const noise = mostly(fc.constant(''), fc.constantFrom(' ', ',', '=', 'x', ':', '\t', ', Bearer x'));
const credential: fc.Arbitrary<Credential> = fc.record({
  credential: fc.oneof(
    { weight: 24, arbitrary: fc.constant('basic' as const) },
    fc.constantFrom(...CREDENTIALS),
  ),
  before: noise,
  after: noise,
});
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

/** Requests that reach the functions: valid ones with a few faults. */
export const fuzzedRequest: fc.Arbitrary<FuzzedRequest> = fc
  .record({
    tenantId: mostly(fc.constant(undefined), hostileText),
    contentId: mostly(fc.stringMatching(/^[a-f0-9]{24}$/), hostileText),
    hasPathParameters: mostly(fc.constant(true), fc.constant(false)),
    authorization: mostly<FuzzedRequest['authorization']>(
      fc.tuple(credential),
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
  })
  .map(({ body, ...rest }) => ({ ...rest, ...body }));

/** The request as API Gateway would forward it. */
export function handedOn(request: FuzzedRequest, handlers: RestoreHandlers): HandedOn {
  const { tenantId = handlers.tenants[0].tenantId, contentId, contentTypes, body } = request;
  const authorization = request.authorization?.map((value) => valueOf(value, handlers));
  const headers: [string, string[]][] = [
    ...request.moreHeaders,
    ['Content-Type', contentTypes],
    ['Authorization', authorization ?? []],
  ];
  return {
    pathParameters: request.hasPathParameters ? { tenantId, contentId } : null,
    multiValueHeaders: authorization === undefined ? null : Object.fromEntries(headers),
    body,
    isBase64Encoded: request.isBase64Encoded,
    remainingMs: request.remainingMs,
  };
}

function valueOf(value: string | Credential, handlers: RestoreHandlers): string {
  if (typeof value === 'string') return value;
  const [own, neighbor] = handlers.tenants;
  const whole = {
    basic: handlers.basic(own),
    write: `Bearer ${own.tokens['api/write']}`,
    read: `Bearer ${own.tokens['api/read']}`,
    'neighbor’s basic': handlers.basic(neighbor),
    'neighbor’s write': `Bearer ${neighbor.tokens['api/write']}`,
  }[value.credential];
  return `${value.before}${whole}${value.after}`;
}
