import { MAY_NOT_WRITE, refused, restored } from '../../support/restore-api/clause-case';
import { type ClauseWorld } from '../../support/restore-api/clause-world';
import { type ClauseCase } from './clause';
import { HOLES } from '../holes/holes';

const HOUR_MS = 60 * 60 * 1000;
const UNAUTHORIZED = refused(401, 'unauthorized');
const OLD_TOKEN = 'token-of-before';
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

/** Another token in the place of the tenant's own with scope api/all. @param inHours until it expires */
function heldToken(world: ClauseWorld, more: object, inHours = 1): object {
  const expiresAt = new Date(Date.now() + inHours * HOUR_MS).toISOString();
  return { ...world.storedToken('token/content/api-all'), accessToken: OLD_TOKEN, expiresAt, ...more };
}

/** Tokens: which of them authenticate, and what they suffice for. */
export const CASES: readonly ClauseCase[] = [
  {
    id: 'C530',
    clause: 'OAuth 2.0, rule 4, content api/write',
    title: 'suffices',
    call: ({ api }) => ({ authorization: api.bearer('api/write') }),
    expected: restored(),
    hole: HOLES.noTokenMayWrite,
  },
  {
    id: 'C531',
    clause: 'OAuth 2.0, rule 4, content api/all',
    title: 'suffices',
    call: ({ api }) => ({ authorization: api.bearer('api/all') }),
    expected: restored(),
    hole: HOLES.noTokenMayWrite,
  },
  {
    id: 'C532',
    clause: 'OAuth 2.0, rule 4, webhooks api/webhooks',
    title: 'is no token of the content interface',
    call: ({ api }) => ({ authorization: api.bearer('api/webhooks') }),
    expected: UNAUTHORIZED,
    hole: HOLES.tokensOfWebhooksCount,
  },
  {
    id: 'C533',
    clause: 'OAuth 2.0, rule 4, webhooks api/all',
    title: 'full access, but to webhooks',
    given: {
      arrange: (world) =>
        world.hold('token/webhooks/api-all', {
          current: { value: heldToken(world, { interface: 'webhooks' }) },
        }),
    },
    call: bearer(OLD_TOKEN),
    expected: UNAUTHORIZED,
    hole: HOLES.tokensOfWebhooksCount,
  },
  {
    id: 'C534',
    clause: 'OAuth 2.0, rule 5',
    title: 'the scope counts before the request is looked at: 403, not 422',
    call: ({ api }) => ({ authorization: api.bearer('api/read'), body: {} }),
    expected: refused(403, 'forbidden', { challenge: MAY_NOT_WRITE }),
    hole: HOLES.scopeIsIgnored,
  },
  {
    id: 'C535',
    clause: 'OAuth 2.0, rule 5',
    title: 'the platform sees the least scope that suffices, whatever the caller’s token could do',
    call: ({ api }) => ({ authorization: api.bearer('api/all') }),
    expected: restored(),
    hole: HOLES.callersCredentialIsPassedOn,
  },
  {
    id: 'C536',
    clause: 'OAuth 2.0, rule 2',
    title: 'a token of another tenant',
    call: ({ api, neighbour }) => ({ authorization: api.bearer('api/write', neighbour) }),
    expected: UNAUTHORIZED,
    hole: HOLES.secretsOfTenantsAreMixed,
  },
  {
    id: 'C537',
    clause: 'OAuth 2.0, rule 2',
    title: 'a token that the platform issued to somebody else is not known here',
    call: async (world) => bearer(await world.issuedToken()),
    expected: UNAUTHORIZED,
    hole: HOLES.everyCallerIsLetIn,
  },
  {
    id: 'C538',
    clause: 'OAuth 2.0, rule 3',
    title: 'the token before the current one counts as long as it has not expired',
    given: {
      arrange: (world) => {
        const current = { value: world.storedToken('token/content/api-all') };
        world.hold('token/content/api-all', { current, previous: { value: heldToken(world, {}) } });
      },
    },
    call: bearer(OLD_TOKEN),
    expected: restored(),
    hole: HOLES.previousVersionsDoNotCount,
  },
  {
    id: 'C539',
    clause: 'OAuth 2.0, rule 3',
    title: 'the token before the current one, expired',
    given: {
      arrange: (world) => {
        const current = { value: world.storedToken('token/content/api-all') };
        world.hold('token/content/api-all', { current, previous: { value: heldToken(world, {}, -0.01) } });
      },
    },
    call: bearer(OLD_TOKEN),
    expected: UNAUTHORIZED,
    hole: HOLES.tokensNeverExpire,
  },
  {
    id: 'C540',
    clause: 'Limits, access token lifetime',
    title: 'the current token, expired: it is still stored, and authenticates nobody',
    given: {
      arrange: (world) =>
        world.hold('token/content/api-all', { current: { value: heldToken(world, {}, -0.001) } }),
    },
    call: bearer(OLD_TOKEN),
    expected: UNAUTHORIZED,
    hole: HOLES.tokensNeverExpire,
  },
  {
    id: 'C541',
    clause: 'OAuth 2.0, rule 1',
    title: 'an entry that names another environment is none of this one’s tokens',
    given: {
      arrange: (world) =>
        world.hold('token/content/api-all', {
          current: { value: heldToken(world, { environment: 'production' }) },
        }),
    },
    call: bearer(OLD_TOKEN),
    expected: UNAUTHORIZED,
    hole: HOLES.entriesAreNotCompared,
  },
  {
    id: 'C542',
    clause: 'OAuth 2.0, rule 1',
    title: 'an entry that names the webhooks interface is no token of content',
    given: {
      arrange: (world) =>
        world.hold('token/content/api-all', {
          current: { value: heldToken(world, { interface: 'webhooks' }) },
        }),
    },
    call: bearer(OLD_TOKEN),
    expected: UNAUTHORIZED,
    hole: HOLES.entriesAreNotCompared,
  },
  {
    id: 'C543',
    clause: 'OAuth 2.0, rule 5',
    title: 'an entry whose scope is another than its secret’s does not widen it',
    given: {
      arrange: (world) =>
        world.hold('token/content/api-write', {
          current: { value: heldToken(world, { scope: 'api/read' }) },
        }),
    },
    call: bearer(OLD_TOKEN),
    expected: UNAUTHORIZED,
    hole: HOLES.entriesAreNotCompared,
  },
  {
    id: 'C544',
    clause: 'OAuth 2.0, rule 2',
    title: 'this tenant’s token on the neighbour’s path',
    call: ({ api, neighbour }) => ({ tenantId: neighbour.tenantId, authorization: api.bearer('api/write') }),
    expected: UNAUTHORIZED,
    hole: HOLES.secretsOfTenantsAreMixed,
  },
  {
    id: 'C545',
    clause: 'OAuth 2.0, rule 2',
    title: 'the neighbour restores its own, with its own token on the platform',
    given: {
      arrange: async (world) => (world.contentId = await world.api.content('archived', world.neighbour)),
    },
    call: ({ api, neighbour }) => ({
      tenantId: neighbour.tenantId,
      authorization: api.bearer('api/write', neighbour),
      body: { authorRef: neighbour.authorRefs[0] },
    }),
    expected: restored({
      sent: ({ neighbour }) => ({ actingUser: { authorRef: neighbour.authorRefs[0] } }),
      change: ({ neighbour }) => ({ actingUser: neighbour.authorRefs[0] }),
    }),
    hole: HOLES.tenantIsAlwaysTheFirst,
  },
];
