import * as fc from 'fast-check';

import { recordOf } from '../../support/lambdas/restore-functions';
import { type Behavior } from '../../support/lambdas/loopback-server';

/** How the platform answers one request. */
export type FuzzedAnswer =
  | { kind: 'record'; change: object }
  /** The body `echo` repeats everything it was sent, including the token. */
  | { kind: 'answer'; status: number; body: string; headers: Record<string, string> }
  | { kind: 'bomb'; status: number; sign: string; bytes: number }
  | { kind: 'reset'; afterBytes: string };

const MIB = 1024 * 1024;
const status = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(200, 401, 403, 404, 409, 415, 422, 429, 500, 502, 503, 504) },
  fc.integer({ min: 200, max: 599 }),
);
const text = fc.oneof(
  fc.constantFrom('', '{}', 'null', '<html></html>', '{"id":"x"}', 'echo'),
  fc.json({ maxDepth: 5 }),
  fc.string({ unit: 'binary', maxLength: 100 }),
);
const header = fc.oneof(
  fc.tuple(
    fc.constant('Retry-After'),
    fc.constantFrom('1', '-1', '1e9', 'soon', 'Thu, 01 Jan 2099 00:00:00 GMT', '99999999999'),
  ),
  fc.tuple(
    fc.constantFrom('Location', 'Set-Cookie', 'WWW-Authenticate', 'X-A'),
    fc.constantFrom('https://evil.example/', 'a'),
  ),
  fc.tuple(fc.constant('Content-Encoding'), fc.constantFrom('gzip', 'br')),
  fc.tuple(fc.constant('Content-Type'), fc.constantFrom('text/html', 'application/json; charset=utf-16')),
);

/** Answers of a platform, including the correct one. */
export const fuzzedAnswer: fc.Arbitrary<FuzzedAnswer> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('record' as const),
      change: fc.oneof(
        fc.constant({}),
        fc.dictionary(fc.constantFrom('id', 'status', 'items', 'further'), fc.jsonValue(), { maxKeys: 2 }),
      ),
    }),
  },
  {
    weight: 10,
    arbitrary: fc.record({
      kind: fc.constant('answer' as const),
      status,
      body: text,
      headers: fc
        .array(header, { maxLength: 2 })
        .map((entries) => Object.fromEntries(entries) as Record<string, string>),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('bomb' as const),
      status: fc.constantFrom(200, 409, 500),
      sign: fc.constantFrom('[', '{"a":', '"', ' ', '[],', '9'),
      bytes: fc.constantFrom(10_000, 10_000, 100_000, MIB, MIB + 1),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('reset' as const),
      afterBytes: fc.constantFrom(
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
    switch (answer.kind) {
      case 'record':
        response.end(recordOf(contentId, answer.change));
        return;
      case 'answer': {
        const body = answer.body === 'echo' ? JSON.stringify(request) : answer.body;
        response.writeHead(answer.status, answer.headers).end(body);
        return;
      }
      case 'bomb':
        response
          .writeHead(answer.status)
          .end(answer.sign.repeat(Math.floor(answer.bytes / answer.sign.length)));
        return;
      case 'reset':
        response.socket!.end(answer.afterBytes);
        response.socket!.destroySoon();
    }
  };
}

/** The status of an answer; undefined for a broken connection. */
export function statusOf(answer: FuzzedAnswer): number | undefined {
  if (answer.kind === 'reset') return undefined;
  return answer.kind === 'record' ? 200 : answer.status;
}
