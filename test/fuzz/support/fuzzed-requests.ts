import * as fc from 'fast-check';

import { type HandedOn, type RestoreHandlers } from '../../support/restore-api/restore-handlers';
import { type FuzzedBody, fuzzedBody } from './fuzzed-bodies';

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
  fc.constantFrom(
    '',
    '.',
    '..',
    '%2e%2e',
    'a/b',
    '__proto__',
    'constructor',
    'toString',
    'a\r\nX: 1',
    '\0',
    'ä',
  ),
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
