import { type Case, type Given, refused, restored } from '../../support/restore-api/clause-case';
import { type ClauseWorld } from '../../support/restore-api/clause-world';
import { type Clauses } from './clause';

const HOUR_MS = 60 * 60 * 1000;
const UNAUTHORIZED = refused(401, 'unauthorized');
const HELD_TOKEN = 'token-of-before';
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

/** A stored token like that of scope api/all, with other fields. */
function tokenWith(world: ClauseWorld, change: object, inHours = 1): object {
  const expiresAt = new Date(Date.now() + inHours * HOUR_MS).toISOString();
  return { ...world.storedToken('token/content/api-all'), accessToken: HELD_TOKEN, expiresAt, ...change };
}

/** A caller with such a token, which was stored before. */
const withHeld = (arrange: Given['arrange'], expected = UNAUTHORIZED): Case => ({
  given: { arrange },
  call: bearer(HELD_TOKEN),
  expected,
});

/** Stores such a token as the current one, in the secret of a scope. */
const held =
  (scope: string, change: object, inHours?: number): Given['arrange'] =>
  (world) =>
    world.hold(`token/${scope}`, { current: { value: tokenWith(world, change, inHours) } });

/** Stores such a token as the previous one. */
const heldBefore =
  (inHours: number): Given['arrange'] =>
  (world) =>
    world.hold('token/content/api-all', {
      current: { value: world.storedToken('token/content/api-all') },
      previous: { value: tokenWith(world, {}, inHours) },
    });

/** Which tokens authenticate, and what they permit. */
export const SCOPES: Clauses = {
  'OAuth 2.0, rule 1': {
    'a stored token of another environment is not accepted': withHeld(
      held('content/api-all', { environment: 'production' }),
    ),
  },
  'OAuth 2.0, rule 2': {
    'a token that the platform issued to another client is unknown here': {
      call: async (world) => bearer(await world.issuedToken()),
      expected: UNAUTHORIZED,
    },
    'this tenant’s token on the neighbor’s path': {
      call: ({ api, neighbor }) => ({
        tenantId: neighbor.tenantId,
        authorization: api.bearer('api/write'),
      }),
      expected: UNAUTHORIZED,
    },
  },
  'OAuth 2.0, rule 3': {
    'the previous token until it expires': withHeld(heldBefore(1), restored()),
    'the previous token after it expired': withHeld(heldBefore(-0.01)),
  },
  'OAuth 2.0, rule 4, content api/write': {
    'permits a restore': {
      call: ({ api }) => ({ authorization: api.bearer('api/write') }),
      expected: restored(),
    },
  },
  'OAuth 2.0, rule 4, content api/all': {
    'permits a restore, for which the platform gets a token of the narrowest scope': {
      call: ({ api }) => ({ authorization: api.bearer('api/all') }),
      expected: restored(),
    },
  },
  'OAuth 2.0, rule 4, webhooks api/webhooks': {
    'does not authenticate for content': {
      call: ({ api }) => ({ authorization: api.bearer('api/webhooks') }),
      expected: UNAUTHORIZED,
    },
  },
  'OAuth 2.0, rule 4, webhooks api/all': {
    'full access, but only to webhooks': withHeld(held('webhooks/api-all', { interface: 'webhooks' })),
  },
  'OAuth 2.0, rule 5': {
    'a stored token with another scope than its secret’s does not widen it': withHeld(
      held('content/api-write', { scope: 'api/read' }),
    ),
  },
  'Limits, access token lifetime': {
    'the current token after it expired: it is still stored, but not accepted': withHeld(
      held('content/api-all', {}, -0.001),
    ),
  },
};
