import { type Expected, type Given, refused, restored } from '../../support/restore-api/clause-case';
import { type ClauseWorld } from '../../support/restore-api/clause-world';
import { type RestoreCall } from '../../support/restore-api/restore-api-under-test';
import { type ClauseCase } from './clause';

const HOUR_MS = 60 * 60 * 1000;
const UNAUTHORIZED = refused(401, 'unauthorized');
const HELD_TOKEN = 'token-of-before';
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

/** A stored token like that of scope api/all, with other fields. */
function tokenWith(world: ClauseWorld, change: object, inHours = 1): object {
  const expiresAt = new Date(Date.now() + inHours * HOUR_MS).toISOString();
  return { ...world.storedToken('token/content/api-all'), accessToken: HELD_TOKEN, expiresAt, ...change };
}

/** Holds such a token as the current one, in the secret of a scope. */
const held =
  (scope: string, change: object, inHours?: number): Given['arrange'] =>
  (world) =>
    world.hold(`token/${scope}`, { current: { value: tokenWith(world, change, inHours) } });

/** Holds such a token as the previous one. */
const heldBefore =
  (inHours: number): Given['arrange'] =>
  (world) =>
    world.hold('token/content/api-all', {
      current: { value: world.storedToken('token/content/api-all') },
      previous: { value: tokenWith(world, {}, inHours) },
    });

/** Callers with a stored token that was prepared. */
const HELD: readonly [ClauseCase['id'], ClauseCase['clause'], string, Given['arrange'], Expected][] = [
  [
    'C533',
    'OAuth 2.0, rule 4, webhooks api/all',
    'full access, but only to webhooks',
    held('webhooks/api-all', { interface: 'webhooks' }),
    UNAUTHORIZED,
  ],
  ['C538', 'OAuth 2.0, rule 3', 'the previous token until it expires', heldBefore(1), restored()],
  ['C539', 'OAuth 2.0, rule 3', 'the previous token after it expired', heldBefore(-0.01), UNAUTHORIZED],
  [
    'C540',
    'Limits, access token lifetime',
    'the current token after it expired: it is still stored, but not accepted',
    held('content/api-all', {}, -0.001),
    UNAUTHORIZED,
  ],
  [
    'C541',
    'OAuth 2.0, rule 1',
    'a stored token of another environment is not accepted',
    held('content/api-all', { environment: 'production' }),
    UNAUTHORIZED,
  ],
  [
    'C543',
    'OAuth 2.0, rule 5',
    'a stored token with another scope than its secret’s does not widen it',
    held('content/api-write', { scope: 'api/read' }),
    UNAUTHORIZED,
  ],
];

/** Callers with another token of the system. */
const OTHERS: readonly [
  ClauseCase['id'],
  ClauseCase['clause'],
  string,
  (world: ClauseWorld) => Partial<RestoreCall> | Promise<Partial<RestoreCall>>,
  Expected,
][] = [
  [
    'C530',
    'OAuth 2.0, rule 4, content api/write',
    'permits a restore',
    ({ api }) => ({ authorization: api.bearer('api/write') }),
    restored(),
  ],
  [
    'C531',
    'OAuth 2.0, rule 4, content api/all',
    'permits a restore, for which the platform gets a token of the narrowest scope',
    ({ api }) => ({ authorization: api.bearer('api/all') }),
    restored(),
  ],
  [
    'C532',
    'OAuth 2.0, rule 4, webhooks api/webhooks',
    'does not authenticate for content',
    ({ api }) => ({ authorization: api.bearer('api/webhooks') }),
    UNAUTHORIZED,
  ],
  [
    'C537',
    'OAuth 2.0, rule 2',
    'a token that the platform issued to another client is unknown here',
    async (world) => bearer(await world.issuedToken()),
    UNAUTHORIZED,
  ],
  [
    'C544',
    'OAuth 2.0, rule 2',
    'this tenant’s token on the neighbor’s path',
    ({ api, neighbor }) => ({ tenantId: neighbor.tenantId, authorization: api.bearer('api/write') }),
    UNAUTHORIZED,
  ],
];

/** Which tokens authenticate, and what they permit. */
export const CASES: readonly ClauseCase[] = [
  ...HELD.map(([id, clause, title, arrange, expected]): ClauseCase => ({
    id,
    clause,
    title,
    given: { arrange },
    call: bearer(HELD_TOKEN),
    expected,
  })),
  ...OTHERS.map(([id, clause, title, call, expected]): ClauseCase => ({ id, clause, title, call, expected })),
];
