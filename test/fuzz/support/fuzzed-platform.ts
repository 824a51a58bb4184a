import * as fc from 'fast-check';

import { recordOf } from '../../support/lambdas/restore-functions';
import { type Behavior } from '../../support/lambdas/loopback-server';

/** How the platform answers one request, as printable data. */
export interface FuzzedAnswer {
  /** Undefined for a connection that breaks after `body`. */
  status: number | undefined;
  headers: Record<string, string>;
  /** `record` is the content's, and `echo` everything that was sent, the token included. */
  body: string;
  /** Of the record. */
  change: object;
  /** How often the body is repeated. */
  times: number;
}

const MIB = 1024 * 1024;
const USUAL = {
  status: fc.constant(200),
  headers: fc.constant({}),
  change: fc.constant({}),
  times: fc.constant(1),
};
const status = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(200, 401, 403, 404, 409, 415, 422, 429, 500, 502, 503, 504) },
  fc.integer({ min: 200, max: 599 }),
);
const text = fc.oneof(
  fc.constantFrom('', '{}', 'null', '<html></html>', '{"id":"x"}', 'echo'),
  fc.json({ maxDepth: 5 }),
  fc.string({ unit: 'binary', maxLength: 100 }),
);
const header = fc.constantFrom<[string, string]>(
  ...['1', '-1', '1e9', 'soon', 'Thu, 01 Jan 2099 00:00:00 GMT', '99999999999'].map(
    (value): [string, string] => ['Retry-After', value],
  ),
  ['Location', 'https://evil.example/'],
  ['Set-Cookie', 'a'],
  ['WWW-Authenticate', 'a'],
  ['Content-Encoding', 'gzip'],
  ['Content-Type', 'application/json; charset=utf-16'],
);

/** Answers of a platform, including the correct one. */
export const fuzzedAnswer: fc.Arbitrary<FuzzedAnswer> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      ...USUAL,
      body: fc.constant('record'),
      change: fc.oneof(
        fc.constant({}),
        fc.dictionary(fc.constantFrom('id', 'status', 'items', 'further'), fc.jsonValue(), { maxKeys: 2 }),
      ),
    }),
  },
  {
    weight: 10,
    arbitrary: fc.record({
      ...USUAL,
      status,
      body: text,
      headers: fc.array(header, { maxLength: 2 }).map((entries) => Object.fromEntries(entries)),
    }),
  },
  // Easy to send, but expensive to parse.
  fc.record({
    ...USUAL,
    status: fc.constantFrom(200, 409, 500),
    body: fc.constantFrom('[', '{"a":', '"', ' ', '[],', '9'),
    times: fc.constantFrom(10_000, 100_000, MIB / 5, MIB + 1),
  }),
  {
    weight: 2,
    arbitrary: fc.record({
      ...USUAL,
      status: fc.constant(undefined),
      body: fc.constantFrom(
        '',
        'HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{"id"',
        'HTTP/9.9 no\r\n\r\n',
        '\0',
      ),
    }),
  },
);

/** Makes the platform answer the first and the second request as given. */
export function behaviorOf(answers: readonly [FuzzedAnswer, FuzzedAnswer], contentId: string): Behavior {
  let requests = 0;
  return (response, request) => {
    const answer = answers[Math.min(requests, 1)]!;
    requests += 1;
    if (answer.status === undefined) {
      response.socket!.end(answer.body);
      response.socket!.destroySoon();
      return;
    }
    const bodies: Record<string, () => string> = {
      record: () => recordOf(contentId, answer.change),
      echo: () => JSON.stringify(request),
    };
    const body = bodies[answer.body]?.() ?? answer.body.repeat(answer.times);
    response.writeHead(answer.status, answer.headers).end(body);
  };
}
