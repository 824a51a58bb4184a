import { MAY_NOT_WRITE, refused, restored } from '../../support/restore-api/clause-case';
import { type ClauseWorld } from '../../support/restore-api/clause-world';
import { type ClauseCase } from './clause';

const HOUR_MS = 60 * 60 * 1000;
const UNAUTHORIZED = refused(401, 'unauthorized');
const OLD_TOKEN = 'token-of-before';
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

/**
 * Replaces the tenant's token of scope api/all.
 * @param inHours until it expires
 */
function heldToken(world: ClauseWorld, more: object, inHours = 1): object {
  const expiresAt = new Date(Date.now() + inHours * HOUR_MS).toISOString();
  return { ...world.storedToken('token/content/api-all'), accessToken: OLD_TOKEN, expiresAt, ...more };
}

/** Which tokens authenticate, and what they permit. */
export const CASES: readonly ClauseCase[] = [
  {
    id: 'C530',
    clause: 'OAuth 2.0, rule 4, content api/write',
    title: 'permits a restore',
    call: ({ api }) => ({ authorization: api.bearer('api/write') }),
    expected: restored(),
  },
  {
    id: 'C531',
    clause: 'OAuth 2.0, rule 4, content api/all',
    title: 'permits a restore',
    call: ({ api }) => ({ authorization: api.bearer('api/all') }),
    expected: restored(),
  },
  {
    id: 'C532',
    clause: 'OAuth 2.0, rule 4, webhooks api/webhooks',
    title: 'does not authenticate for content',
    call: ({ api }) => ({ authorization: api.bearer('api/webhooks') }),
    expected: UNAUTHORIZED,
  },
  {
    id: 'C533',
    clause: 'OAuth 2.0, rule 4, webhooks api/all',
    title: 'full access, but only to webhooks',
    given: {
      arrange: (world) =>
        world.hold('token/webhooks/api-all', {
          current: { value: heldToken(world, { interface: 'webhooks' }) },
        }),
    },
    call: bearer(OLD_TOKEN),
    expected: UNAUTHORIZED,
  },
  {
    id: 'C534',
    clause: 'OAuth 2.0, rule 5',
    title: 'the scope is checked before the request: 403, not 422',
    call: ({ api }) => ({ authorization: api.bearer('api/read'), body: {} }),
    expected: refused(403, 'forbidden', { challenge: MAY_NOT_WRITE }),
  },
  {
    id: 'C535',
    clause: 'OAuth 2.0, rule 5',
    title: 'the platform gets a token of the narrowest sufficient scope, whatever the caller’s token permits',
    call: ({ api }) => ({ authorization: api.bearer('api/all') }),
    expected: restored(),
  },
  {
    id: 'C536',
    clause: 'OAuth 2.0, rule 2',
    title: 'a token of another tenant',
    call: ({ api, neighbor }) => ({ authorization: api.bearer('api/write', neighbor) }),
    expected: UNAUTHORIZED,
  },
  {
    id: 'C537',
    clause: 'OAuth 2.0, rule 2',
    title: 'a token that the platform issued to another client is unknown here',
    call: async (world) => bearer(await world.issuedToken()),
    expected: UNAUTHORIZED,
  },
  {
    id: 'C538',
    clause: 'OAuth 2.0, rule 3',
    title: 'the previous token is accepted until it expires',
    given: {
      arrange: (world) => {
        const current = { value: world.storedToken('token/content/api-all') };
        world.hold('token/content/api-all', { current, previous: { value: heldToken(world, {}) } });
      },
    },
    call: bearer(OLD_TOKEN),
    expected: restored(),
  },
  {
    id: 'C539',
    clause: 'OAuth 2.0, rule 3',
    title: 'the previous token after it expired',
    given: {
      arrange: (world) => {
        const current = { value: world.storedToken('token/content/api-all') };
        world.hold('token/content/api-all', { current, previous: { value: heldToken(world, {}, -0.01) } });
      },
    },
    call: bearer(OLD_TOKEN),
    expected: UNAUTHORIZED,
  },
  {
    id: 'C540',
    clause: 'Limits, access token lifetime',
    title: 'the current token after it expired: it is still stored, but not accepted',
    given: {
      arrange: (world) =>
        world.hold('token/content/api-all', { current: { value: heldToken(world, {}, -0.001) } }),
    },
    call: bearer(OLD_TOKEN),
    expected: UNAUTHORIZED,
  },
  {
    id: 'C541',
    clause: 'OAuth 2.0, rule 1',
    title: 'a stored token of another environment is not accepted',
    given: {
      arrange: (world) =>
        world.hold('token/content/api-all', {
          current: { value: heldToken(world, { environment: 'production' }) },
        }),
    },
    call: bearer(OLD_TOKEN),
    expected: UNAUTHORIZED,
  },
  {
    id: 'C542',
    clause: 'OAuth 2.0, rule 1',
    title: 'a stored token of the webhooks interface is not accepted for content',
    given: {
      arrange: (world) =>
        world.hold('token/content/api-all', {
          current: { value: heldToken(world, { interface: 'webhooks' }) },
        }),
    },
    call: bearer(OLD_TOKEN),
    expected: UNAUTHORIZED,
  },
  {
    id: 'C543',
    clause: 'OAuth 2.0, rule 5',
    title: 'a stored token with another scope than its secret’s does not widen it',
    given: {
      arrange: (world) =>
        world.hold('token/content/api-write', {
          current: { value: heldToken(world, { scope: 'api/read' }) },
        }),
    },
    call: bearer(OLD_TOKEN),
    expected: UNAUTHORIZED,
  },
  {
    id: 'C544',
    clause: 'OAuth 2.0, rule 2',
    title: 'this tenant’s token on the neighbor’s path',
    call: ({ api, neighbor }) => ({ tenantId: neighbor.tenantId, authorization: api.bearer('api/write') }),
    expected: UNAUTHORIZED,
  },
  {
    id: 'C545',
    clause: 'OAuth 2.0, rule 2',
    title: 'the neighbor restores its own content with its own token',
    given: {
      arrange: async (world) => (world.contentId = await world.api.content('archived', world.neighbor)),
    },
    call: ({ api, neighbor }) => ({
      tenantId: neighbor.tenantId,
      authorization: api.bearer('api/write', neighbor),
      body: { authorRef: neighbor.authorRefs[0] },
    }),
    expected: restored({
      sent: ({ neighbor }) => ({ actingUser: { authorRef: neighbor.authorRefs[0] } }),
      change: ({ neighbor }) => ({ actingUser: neighbor.authorRefs[0] }),
    }),
  },
];
