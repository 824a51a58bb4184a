import { answered, type Given, refused, restored } from '../../support/restore-api/clause-case';
import { type ClauseWorld } from '../../support/restore-api/clause-world';
import { type ClauseCase } from './clause';

/** The platform's answer to a restore. */
const recordOf = ({ contentId }: ClauseWorld) => ({ id: contentId, status: 'published', items: [] });

/** Answers that the specification does not list: the outcome is unknown, and nothing is sent again. */
const UNDOCUMENTED: readonly [ClauseCase['id'], number, string, object][] = [
  ['C600', 201, 'with a record', {}],
  ['C602', 204, 'without a record', {}],
  ['C605', 307, 'to another host', { headers: { location: 'https://elsewhere.example/' } }],
  ['C607', 400, 'although the JSON was valid', {}],
  ['C613', 503, 'with a Retry-After: a retry would be a second write', { headers: { 'retry-after': '1' } }],
];

/** A refused token, then this fault. */
const twice = (second: object): Given => ({ faults: [{ status: 401 }, second] });

/** The Retry-After of a 429, and the minimum and maximum that the caller gets, in seconds. */
const WAITS = [
  ['C620', 'seconds', { 'retry-after': '7' }, [7, 7]],
  ['C622', 'a day, limited to a minute', { 'retry-after': '86400' }, [60, 60]],
  ['C628', 'nothing', {}, undefined],
] as const;

/** Stores the token for the platform with a change. */
const holding =
  (change: object): Given['arrange'] =>
  (world) => {
    const value = { ...world.storedToken('token/content/api-write'), ...change };
    world.hold('token/content/api-write', { current: { value } });
  };

/** Answers of the platform, and missing ones. */
export const CASES: readonly ClauseCase[] = [
  ...WAITS.map(([id, title, headers, retryAfterSec]): ClauseCase => ({
    id,
    clause: id === 'C628' ? 'Limits, rate: not shown' : 'RFC 9110, section 10.2.3',
    title: `429 that asks for ${title}`,
    given: { faults: [{ status: 429, headers }] },
    expected: answered(429, 429, 'too_many_requests', { retryAfterSec }),
  })),
  ...UNDOCUMENTED.map(([id, status, title, more]): ClauseCase => ({
    id,
    clause: status < 300 ? 'Endpoints 3, success status code: not shown' : 'Errors, default unexpected error',
    title: `${status} ${title}`.trim(),
    given: {
      faults: (world) => [{ status, ...(status === 204 ? {} : { body: recordOf(world) }), ...more }],
    },
    expected: answered(status, 500, 'outcome_unknown'),
  })),
  {
    id: 'C630',
    clause: 'RFC 9110, section 9.2.2',
    title: 'the connection breaks before processing: the request was sent, so the outcome is unknown',
    given: { faults: [{ reset: 'before' }] },
    expected: answered(0, 504, 'outcome_unknown'),
  },
  {
    id: 'C631',
    clause: 'RFC 9110, section 9.2.2',
    title: 'the connection breaks after the restore',
    given: { faults: [{ reset: 'after' }] },
    expected: { ...answered(0, 504, 'outcome_unknown', { detail: /Check before you retry/ }), change: {} },
  },
  {
    id: 'C632',
    clause: 'RFC 9110, section 9.2.2',
    title: 'a request without enough time left is not sent, since it might be cut off',
    given: {
      arrange: async ({ api }) => {
        // Caches the token, since there is no time to get one either.
        await api.call({ contentId: '0'.repeat(24) });
        api.functions.remainingMs = 4_000;
      },
    },
    expected: refused(502, 'token_unavailable', { detail: /content was not modified/ }),
  },
  {
    id: 'C640',
    clause: 'Errors, 401 Unauthorized',
    title: 'from the platform precedes processing: a new token, and the request once more',
    given: { faults: [{ status: 401 }] },
    expected: restored({ platform: [401, 200] }),
  },
  {
    id: 'C641',
    clause: 'Errors, 401 Unauthorized',
    title: 'from the platform twice: 502, since nothing was modified, and it is not the caller’s fault',
    given: twice({ status: 401 }),
    expected: answered([401, 401], 502, 'platform_refused_token'),
  },
  ...(
    [
      ['C642', { status: 409 }, 409, 'not_archived'],
      ['C644', { status: 503 }, 500, 'outcome_unknown'],
      ['C645', { reset: 'before' }, 504, 'outcome_unknown'],
    ] as const
  ).map(([id, second, status, code]): ClauseCase => ({
    id,
    clause: 'Errors, 401 Unauthorized',
    title: `from the platform, then ${JSON.stringify(second)}: no third request`,
    given: twice(second),
    expected: answered([401, 'status' in second ? second.status : 0], status, code),
  })),
  {
    id: 'C647',
    clause: 'OAuth 2.0, rule 3',
    title: 'a token that the platform no longer accepts is replaced, although it has not expired',
    given: { arrange: holding({ accessToken: 'forgotten-by-the-platform' }) },
    expected: restored({ platform: [401, 200] }),
  },
  {
    id: 'C648',
    clause: 'Limits, access token lifetime',
    title: 'an expired stored token is not sent: a new one is requested first',
    given: {
      arrange: (world) =>
        holding({ accessToken: 'expired', expiresAt: new Date(Date.now() - 1000).toISOString() })!(world),
    },
    expected: restored(),
  },
  {
    id: 'C649',
    clause: 'Errors, 502 Bad Gateway',
    title: 'without a token nothing is sent: the platform refuses the credentials',
    given: {
      faults: [{ target: 'token', status: 401, body: { error: 'invalid_client' }, times: 9 }],
      arrange: (world) => world.hold('token/content/api-write', {}),
    },
    expected: refused(502, 'token_unavailable', { detail: /nothing was sent; the content was not modified/ }),
  },
];
