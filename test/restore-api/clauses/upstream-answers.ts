import { answered, type Given, refused, restored } from '../../support/restore-api/clause-case';
import { type ClauseWorld } from '../../support/restore-api/clause-world';
import { casesOf, type Clauses } from './clause';

/** The platform answers like a success, but with this status. */
const faultOf = (status: number, more: object = {}): Given => ({
  faults: ({ contentId }) => [
    { status, ...(status !== 204 && { body: { id: contentId, status: 'published', items: [] } }), ...more },
  ],
});

/** A refused token, then this fault. */
const twice = (second: object): Given => ({ faults: [{ status: 401 }, second] });

/** Stores the token for the platform with a change. */
const holding =
  (change: object) =>
  (world: ClauseWorld): void => {
    const value = { ...world.storedToken('token/content/api-write'), ...change };
    world.hold('token/content/api-write', { current: { value } });
  };

/** Answers of the platform, and missing ones. */
export const UPSTREAM_ANSWERS: Clauses = {
  'RFC 9110, section 10.2.3': casesOf(
    [
      ['429 that asks for seconds', '7', 7],
      ['429 that asks for a day, limited to a minute', '86400', 60],
    ],
    (retryAfter, retryAfterSec) => ({
      given: { faults: [{ status: 429, headers: { 'retry-after': retryAfter } }] },
      expected: answered(429, 429, 'too_many_requests', { retryAfterSec }),
    }),
  ),
  'Limits, rate: not shown': {
    '429 that asks for nothing': {
      given: { faults: [{ status: 429 }] },
      expected: answered(429, 429, 'too_many_requests'),
    },
  },
  // The outcome is unknown, and nothing is sent again.
  'Endpoints 3, success status code: not shown': casesOf(
    [
      ['201 with a record', 201],
      ['204 without a record', 204],
    ],
    (status) => ({ given: faultOf(status), expected: answered(status, 500, 'outcome_unknown') }),
  ),
  'Errors, default unexpected error': casesOf<[status: number, more: object]>(
    [
      ['307 to another host', 307, { headers: { location: 'https://elsewhere.example/' } }],
      ['400 although the JSON was valid', 400, {}],
      ['503 with a Retry-After: a retry would be a second write', 503, { headers: { 'retry-after': '1' } }],
    ],
    (status, more) => ({
      given: faultOf(status, more),
      expected: answered(status, 500, 'outcome_unknown'),
    }),
  ),
  'RFC 9110, section 9.2.2': {
    'the connection breaks before processing: the request was sent, so the outcome is unknown': {
      given: { faults: [{ reset: 'before' }] },
      expected: answered(0, 504, 'outcome_unknown'),
    },
    'the connection breaks after the restore': {
      given: { faults: [{ reset: 'after' }] },
      expected: {
        ...answered(0, 504, 'outcome_unknown', { detail: /Check before you retry/ }),
        change: {},
      },
    },
    'a request without enough time left is not sent, since it might be cut off': {
      given: {
        arrange: async ({ api }) => {
          // Caches the token, since there is no time to get one either.
          await api.call({ contentId: '0'.repeat(24) });
          api.functions.remainingMs = 4_000;
        },
      },
      expected: refused(502, 'token_unavailable', { detail: /content was not modified/ }),
    },
  },
  'Errors, 401 Unauthorized': {
    'from the platform precedes processing: a new token, and the request once more': {
      given: { faults: [{ status: 401 }] },
      expected: restored({ platform: [401, 200] }),
    },
    'from the platform twice: 502, since nothing was modified, and it is not the caller’s fault': {
      given: twice({ status: 401 }),
      expected: answered([401, 401], 502, 'platform_refused_token'),
    },
    'from the platform, then 409: no third request': {
      given: twice({ status: 409 }),
      expected: answered([401, 409], 409, 'not_archived'),
    },
    'from the platform, then 503: no third request': {
      given: twice({ status: 503 }),
      expected: answered([401, 503], 500, 'outcome_unknown'),
    },
    'from the platform, then a broken connection: no third request': {
      given: twice({ reset: 'before' }),
      expected: answered([401, 0], 504, 'outcome_unknown'),
    },
  },
  'OAuth 2.0, rule 3': {
    'a token that the platform no longer accepts is replaced, although it has not expired': {
      given: { arrange: holding({ accessToken: 'forgotten-by-the-platform' }) },
      expected: restored({ platform: [401, 200] }),
    },
  },
  'Limits, access token lifetime': {
    'an expired stored token is not sent: a new one is requested first': {
      given: {
        arrange: (world) =>
          holding({ accessToken: 'expired', expiresAt: new Date(Date.now() - 1000).toISOString() })(world),
      },
      expected: restored(),
    },
  },
  'Errors, 502 Bad Gateway': {
    'without a token nothing is sent: the platform refuses the credentials': {
      given: {
        faults: [{ target: 'token', status: 401, body: { error: 'invalid_client' }, times: 9 }],
        arrange: (world) => world.hold('token/content/api-write', {}),
      },
      expected: refused(502, 'token_unavailable', {
        detail: /nothing was sent; the content was not modified/,
      }),
    },
  },
};
