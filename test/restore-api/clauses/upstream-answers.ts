import { answered, type Given, refused, restored } from '../../support/restore-api/clause-case';
import { type ClauseWorld } from '../../support/restore-api/clause-world';
import { type Break } from '../../support/breaks/break';
import { type ClauseCase } from './clause';
import { ANY_2XX_IS_SUCCESS, broken, NO_SECOND_TRY, UNKNOWN_IS_FAILURE } from './product';

/** What a restore on the platform would have answered. */
const recordOf = ({ contentId }: ClauseWorld) => ({ id: contentId, status: 'published', items: [] });

const FOLLOWED = broken('outcomeOfStatus', "'unknownAfterAnswer'", "'contentNotFound'");

/** Answers that the specification does not list: nobody knows what became of the content, and nothing is sent again. */
const UNDOCUMENTED: readonly [ClauseCase['id'], number, string, object, Break][] = [
  ['C600', 201, 'with a record', {}, ANY_2XX_IS_SUCCESS],
  ['C601', 202, 'with a record', {}, ANY_2XX_IS_SUCCESS],
  ['C602', 204, 'which has no record', {}, UNKNOWN_IS_FAILURE],
  [
    'C603',
    301,
    'to another content',
    { headers: { location: '/staging/mea/rest/v1/contents/x/restore' } },
    FOLLOWED,
  ],
  [
    'C604',
    303,
    'to what may be read',
    { headers: { location: '/staging/mea/rest/v1/contents/x' } },
    FOLLOWED,
  ],
  ['C605', 307, 'to another host', { headers: { location: 'https://elsewhere.example/' } }, FOLLOWED],
  ['C606', 308, 'without a location', {}, FOLLOWED],
  ['C607', 400, 'though the JSON was right', {}, UNKNOWN_IS_FAILURE],
  ['C608', 405, 'that names other methods', { headers: { allow: 'PUT' } }, UNKNOWN_IS_FAILURE],
  ['C609', 408, 'that invites to repeat', { headers: { 'retry-after': '1' } }, UNKNOWN_IS_FAILURE],
  ['C610', 410, '', {}, UNKNOWN_IS_FAILURE],
  ['C611', 418, '', {}, UNKNOWN_IS_FAILURE],
  ['C612', 501, '', {}, UNKNOWN_IS_FAILURE],
  [
    'C613',
    503,
    'that asks to come back: that would be a second write',
    { headers: { 'retry-after': '1' } },
    broken(
      'restoreContent',
      "outcome === 'tooManyRequests' ? parseRetryAfterMs(",
      'true ? parseRetryAfterMs(',
    ),
  ],
  ['C614', 504, 'of a gateway of the platform’s own', {}, UNKNOWN_IS_FAILURE],
  ['C615', 599, '', {}, UNKNOWN_IS_FAILURE],
];

/** A refused token, and what comes after it. */
const twice = (second: object): Given => ({ faults: [{ status: 401 }, second] });

/** Answers of the platform, or none. */
export const CASES: readonly ClauseCase[] = [
  ...UNDOCUMENTED.map(([id, status, title, more, brokenBy]): ClauseCase => ({
    id,
    clause: status < 300 ? 'Endpoints 3, success status code: not shown' : 'Errors, default unexpected error',
    title: `${status} ${title}`.trim(),
    given: {
      faults: (world) => [{ status, ...(status === 204 ? {} : { body: recordOf(world) }), ...more }],
    },
    expected: answered(status, 500, 'outcome_unknown'),
    brokenBy,
  })),
  {
    id: 'C630',
    clause: 'RFC 9110, section 9.2.2',
    title: 'a connection that breaks before the platform has processed the request: sent is sent',
    given: { faults: [{ reset: 'before' }] },
    expected: answered(0, 504, 'outcome_unknown'),
    brokenBy: broken('platformContent', 'if (!error.isSent) return', 'return'),
  },
  {
    id: 'C631',
    clause: 'RFC 9110, section 9.2.2',
    title: 'a connection that breaks after the platform has restored the content',
    given: { faults: [{ reset: 'after' }] },
    expected: { ...answered(0, 504, 'outcome_unknown', { detail: /Look before trying again/ }), change: {} },
    brokenBy: broken('platformContent', 'if (!error.isSent) return', 'return'),
  },
  {
    id: 'C632',
    clause: 'RFC 9110, section 9.2.2',
    title: 'a request that has no time left is not begun, for it might be cut off',
    given: {
      arrange: async ({ api }) => {
        // So that the token is at hand: to wait for one there is no time either.
        await api.call({ contentId: '0'.repeat(24) });
        api.functions.remainingMs = 4_000;
      },
    },
    expected: refused(502, 'token_unavailable', { detail: /content was not modified/ }),
    brokenBy: broken(
      'restoreContent',
      "return { outcome: 'tokenUnavailable', reason: 'no time left to send' };",
      ';',
    ),
  },
  {
    id: 'C640',
    clause: 'Errors, 401 Unauthorized',
    title: 'of the platform precedes processing: a fresh token, and the request once more',
    given: { faults: [{ status: 401 }] },
    expected: restored({ platform: [401, 200] }),
    brokenBy: NO_SECOND_TRY,
  },
  {
    id: 'C641',
    clause: 'Errors, 401 Unauthorized',
    title: 'of the platform twice is 502, since nothing was modified, and not the caller’s fault',
    given: twice({ status: 401 }),
    expected: answered([401, 401], 502, 'platform_refused_token'),
    brokenBy: broken(
      'restoreContent',
      "if (isUnauthorized(second)) return { outcome: 'platformRefusedToken', upstreamStatus: 401 };",
      '',
    ),
  },
  ...(
    [
      ['C642', { status: 409 }, 409, 'not_archived'],
      ['C643', { status: 502 }, 502, 'platform_failed'],
      ['C644', { status: 503 }, 500, 'outcome_unknown'],
      ['C645', { reset: 'before' }, 504, 'outcome_unknown'],
      ['C646', { status: 200, body: {} }, 500, 'outcome_unknown'],
    ] as const
  ).map(([id, second, status, code]): ClauseCase => ({
    id,
    clause: 'Errors, 401 Unauthorized',
    title: `of the platform, and on the second request ${JSON.stringify(second)}: no third one`,
    given: twice(second),
    expected: answered([401, 'status' in second ? second.status : 0], status, code),
    brokenBy: NO_SECOND_TRY,
  })),
  {
    id: 'C647',
    clause: 'OAuth 2.0, rule 3',
    title: 'a token that the platform no longer knows is replaced, though it has not expired',
    given: {
      arrange: (world) => {
        const value = {
          ...world.storedToken('token/content/api-write'),
          accessToken: 'forgotten-by-the-platform',
        };
        world.hold('token/content/api-write', { current: { value } });
      },
    },
    expected: restored({ platform: [401, 200] }),
    brokenBy: broken(
      'restoreContent',
      'tokens.get(tenant, sendBeforeMs, token)',
      'tokens.get(tenant, sendBeforeMs)',
    ),
  },
  {
    id: 'C648',
    clause: 'Limits, access token lifetime',
    title: 'a stored token that has expired is not sent: a new one is requested first',
    given: {
      arrange: (world) => {
        const stored = world.storedToken('token/content/api-write');
        const expiresAt = new Date(Date.now() - 1000).toISOString();
        world.hold('token/content/api-write', {
          current: { value: { ...stored, accessToken: 'expired', expiresAt } },
        });
      },
    },
    expected: restored(),
    brokenBy: broken(
      'tokenValue',
      'return { ...value, ...key, accessToken, tokenType, issuedAt, expiresAt,',
      "return { ...value, ...key, accessToken, tokenType, issuedAt, expiresAt: '2999-01-01T00:00:00Z',",
    ),
  },
  {
    id: 'C649',
    clause: 'Errors, 502 Bad Gateway',
    title: 'without a token nothing is sent: the platform refuses the credentials',
    given: {
      faults: [{ target: 'token', status: 401, body: { error: 'invalid_client' }, times: 9 }],
      arrange: (world) => world.hold('token/content/api-write', {}),
    },
    expected: refused(502, 'token_unavailable', { detail: /not begun; the content was not modified/ }),
    brokenBy: broken(
      'restoreContent',
      'if (!(error instanceof UpstreamTokenError)) throw error;',
      'throw error;',
    ),
  },
];
