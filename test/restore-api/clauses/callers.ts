import { type Case, MAY_NOT_WRITE, refused, restored } from '../../support/restore-api/clause-case';
import { type ClauseWorld } from '../../support/restore-api/clause-world';
import { casesOf, type Clauses } from './clause';

type Authorization = (world: ClauseWorld) => string | string[];

const accepted = (authorization: Authorization): Case => ({
  call: (world) => ({ authorization: authorization(world) }),
  expected: restored(),
});
const wrong = (authorization: Authorization): Case => ({
  call: (world) => ({ authorization: authorization(world) }),
  expected: refused(401, 'unauthorized'),
});
/** A case with this API key of the tenant. */
const holding = (apiKey: string, caseOfKey: Case): Case => ({
  ...caseOfKey,
  given: { arrange: (world) => world.hold('api-key', { current: { value: world.apiKey(apiKey) } }) },
});

const basicOf = (text: string | Buffer) => `Basic ${Buffer.from(text).toString('base64')}`;
/** The tenant's name with a password. */
const ofTenant =
  (passwordOf: (world: ClauseWorld) => string): Authorization =>
  (world) =>
    basicOf(`${world.tenant.tenantId}:${passwordOf(world)}`);
const withAnotherEnd = (text: string) => `${text.slice(0, -1)}${text.endsWith('A') ? 'B' : 'A'}`;
const writeToken = ({ api }: ClauseWorld) => api.bearer('api/write').slice('Bearer '.length);

/** How callers authenticate: schemes, headers and their syntax. */
export const CALLERS: Clauses = {
  'HTTP Basic, migration': {
    'the platform gets a Bearer token, never the caller’s API key': accepted(({ api }) => api.basic()),
  },
  'HTTP Basic, username and password': {
    'a wrong character': wrong(ofTenant(({ tenant }) => withAnotherEnd(tenant.apiKey))),
  },
  'HTTP Basic, one tenant identifier': {
    'the neighbor’s API key': wrong(ofTenant(({ neighbor }) => neighbor.apiKey)),
    'the neighbor’s name': wrong(({ tenant, neighbor }) => basicOf(`${neighbor.tenantId}:${tenant.apiKey}`)),
    'in another case': wrong(({ tenant }) => basicOf(`${tenant.tenantId.toUpperCase()}:${tenant.apiKey}`)),
    'an unknown tenant is refused like a wrong key, for every caller': {
      call: ({ tenant }) => ({
        tenantId: 'me-south-1_Nobody',
        authorization: basicOf(`me-south-1_Nobody:${tenant.apiKey}`),
      }),
      expected: refused(401, 'unauthorized'),
    },
  },
  'RFC 7617, section 2': {
    'UTF-8, as the challenge says': holding('clé-🔑', accepted(ofTenant(() => 'clé-🔑'))),
    'an API key of invalid UTF-8': holding(
      'cl\ufffd',
      wrong(({ tenant }) =>
        basicOf(Buffer.concat([Buffer.from(`${tenant.tenantId}:cl`), Buffer.from([0xe9])])),
      ),
    ),
    'a token instead of an API key': wrong(ofTenant(writeToken)),
  },
  'RFC 6750, section 2.1': {
    'an API key instead of a token': wrong(({ tenant }) => `Bearer ${tenant.apiKey}`),
  },
  'RFC 9110, section 11.6.2': {
    'BASIC, since the scheme is case-insensitive': accepted(({ api }) =>
      api.basic().replace('Basic', 'BASIC'),
    ),
    'blanks around, which HTTP leaves out': accepted(({ api }) => ` ${api.basic()} `),
    'the same header twice': wrong(({ api }) => [api.basic(), api.basic()]),
    'two headers, one wrong': wrong(({ api }) => ['Bearer wrong', api.basic()]),
    'the header’s name in another case': {
      call: ({ api }) => ({ authorization: undefined, headers: { aUTHORIZATION: api.basic() } }),
      expected: restored(),
    },
    // RFC 6750, sections 2.2 and 2.3; RFC 9700, section 2.6
    ...casesOf<[(world: ClauseWorld) => object]>(
      [
        [
          'a valid credential in X-Api-Key alone',
          ({ tenant }) => ({ headers: { 'X-Api-Key': tenant.apiKey } }),
        ],
        [
          'a valid credential in the query alone',
          (world) => ({ query: `?access_token=${writeToken(world)}` }),
        ],
        ['a valid credential in the body alone', (world) => ({ body: { access_token: writeToken(world) } })],
      ],
      (elsewhere) => ({
        call: (world) => ({ authorization: undefined, ...elsewhere(world) }),
        expected: refused(401, 'unauthorized'),
      }),
    ),
  },
  'OAuth 2.0, rule 4, content api/read': {
    'authenticates, but does not permit writes': {
      call: ({ api }) => ({ authorization: api.bearer('api/read') }),
      expected: refused(403, 'forbidden', {
        challenge: MAY_NOT_WRITE,
        detail: /a token needs the scope api\/write or api\/all/,
      }),
    },
  },
};
