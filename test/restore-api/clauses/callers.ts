import { MAY_NOT_WRITE, refused, restored } from '../../support/restore-api/clause-case';
import { type ClauseWorld } from '../../support/restore-api/clause-world';
import { type ClauseCase } from './clause';

const UNAUTHORIZED = refused(401, 'unauthorized');

/** Gives the tenant this API key. */
const heldKey = (apiKey: string) => (world: ClauseWorld) =>
  world.hold('api-key', { current: { value: world.apiKey(apiKey) } });
const basicOf = (text: string | Buffer) => `Basic ${Buffer.from(text).toString('base64')}`;
/** A user name and password that a reader with another way of splitting or decoding would accept. */
const ofTenant = (password: string) => (world: ClauseWorld) => ({
  authorization: basicOf(`${world.tenant.tenantId}:${password}`),
});

const withAnotherEnd = (text: string) => `${text.slice(0, -1)}${text.endsWith('A') ? 'B' : 'A'}`;

/** How callers authenticate: schemes, headers and their syntax. */
export const CASES: readonly ClauseCase[] = [
  {
    id: 'C500',
    clause: 'HTTP Basic, username and password',
    title: 'the tenant identifier and its API key',
    call: ({ api, tenant }) => ({ authorization: api.basic(tenant) }),
    expected: restored(),
  },
  {
    id: 'C503',
    clause: 'HTTP Basic, username and password',
    title: 'user name and password swapped',
    call: ({ tenant }) => ({ authorization: basicOf(`${tenant.apiKey}:${tenant.tenantId}`) }),
    expected: UNAUTHORIZED,
  },
  {
    id: 'C504',
    clause: 'HTTP Basic, username and password',
    title: 'an API key with one wrong character',
    call: (world) => ofTenant(withAnotherEnd(world.tenant.apiKey))(world),
    expected: UNAUTHORIZED,
  },
  {
    id: 'C505',
    clause: 'HTTP Basic, one tenant identifier',
    title: 'the neighbor’s API key with this tenant’s name',
    call: (world) => ofTenant(world.neighbor.apiKey)(world),
    expected: UNAUTHORIZED,
  },
  {
    id: 'C507',
    clause: 'HTTP Basic, one tenant identifier',
    title: 'this tenant’s API key with the neighbor’s name',
    call: ({ tenant, neighbor }) => ({ authorization: basicOf(`${neighbor.tenantId}:${tenant.apiKey}`) }),
    expected: UNAUTHORIZED,
  },
  {
    id: 'C508',
    clause: 'HTTP Basic, one tenant identifier',
    title: 'the tenant identifier in another case',
    call: ({ tenant }) => ({ authorization: basicOf(`${tenant.tenantId.toUpperCase()}:${tenant.apiKey}`) }),
    expected: UNAUTHORIZED,
  },
  {
    id: 'C509',
    clause: 'HTTP Basic, one tenant identifier',
    title: 'an unknown tenant is refused like a wrong key, for every caller',
    call: ({ tenant }) => ({
      tenantId: 'me-south-1_Nobody',
      authorization: basicOf(`me-south-1_Nobody:${tenant.apiKey}`),
    }),
    expected: UNAUTHORIZED,
  },
  {
    id: 'C510',
    clause: 'HTTP Basic, migration',
    title: 'the platform gets a Bearer token, never the caller’s API key',
    call: ({ api }) => ({ authorization: api.basic() }),
    expected: restored(),
  },
  {
    id: 'C511',
    clause: 'RFC 7617, section 2',
    title: 'the password begins after the first colon, and may contain others',
    given: { arrange: heldKey('key:with:colons') },
    call: ofTenant('key:with:colons'),
    expected: restored(),
  },
  {
    id: 'C512',
    clause: 'RFC 7617, section 2',
    title: 'user name and password in UTF-8, as the challenge says',
    given: { arrange: heldKey('clé-🔑') },
    call: ofTenant('clé-🔑'),
    expected: restored(),
  },
  {
    id: 'C513',
    clause: 'RFC 7617, section 2',
    title: 'an API key of invalid UTF-8',
    given: { arrange: heldKey('cl\ufffd') },
    call: ({ tenant }) => ({
      authorization: basicOf(Buffer.concat([Buffer.from(`${tenant.tenantId}:cl`), Buffer.from([0xe9])])),
    }),
    expected: UNAUTHORIZED,
  },
  {
    id: 'C514',
    clause: 'RFC 7617, section 2',
    title: 'an API key with control characters',
    given: { arrange: heldKey('key\u0007') },
    call: ofTenant('key\u0007'),
    expected: UNAUTHORIZED,
  },
  {
    id: 'C516',
    clause: 'RFC 7617, section 2',
    title: 'Base64 with surplus padding, another spelling of the same credential',
    call: ({ api }) => ({ authorization: `${api.basic()}=` }),
    expected: UNAUTHORIZED,
  },
  {
    id: 'C520',
    clause: 'RFC 9110, section 11.6.2',
    title: 'the scheme is case-insensitive: BASIC',
    call: ({ api }) => ({ authorization: api.basic().replace('Basic', 'BASIC') }),
    expected: restored(),
  },
  {
    id: 'C521',
    clause: 'RFC 9110, section 11.6.2',
    title: 'the scheme is case-insensitive: BEARER',
    call: ({ api }) => ({ authorization: api.bearer('api/write').replace('Bearer', 'BEARER') }),
    expected: restored(),
  },
  {
    id: 'C522',
    clause: 'RFC 9110, section 11.6.2',
    title: 'two valid Authorization headers',
    call: ({ api }) => ({ authorization: [api.basic(), api.basic()] }),
    expected: UNAUTHORIZED,
  },
  {
    id: 'C523',
    clause: 'RFC 9110, section 11.6.2',
    title: 'two credentials in one header',
    call: ({ api }) => ({ authorization: `${api.basic()}, ${api.bearer('api/write')}` }),
    expected: UNAUTHORIZED,
  },
  {
    id: 'C524',
    clause: 'RFC 9110, section 11.6.2',
    title: 'a valid credential with a scheme that is not offered',
    call: ({ api }) => ({ authorization: api.bearer('api/write').replace('Bearer', 'Token') }),
    expected: UNAUTHORIZED,
  },
  {
    id: 'C525',
    clause: 'RFC 9110, section 11.6.2',
    title: 'a parameter after the credential',
    call: ({ api }) => ({ authorization: `${api.basic()} realm="latchkey"` }),
    expected: UNAUTHORIZED,
  },
  {
    id: 'C527',
    clause: 'RFC 6750, section 2.1',
    title: 'an API key instead of a token',
    call: ({ tenant }) => ({ authorization: `Bearer ${tenant.apiKey}` }),
    expected: UNAUTHORIZED,
  },
  {
    id: 'C528',
    clause: 'RFC 7617, section 2',
    title: 'a token instead of an API key',
    call: (world) => ofTenant(world.api.bearer('api/write').slice(7))(world),
    expected: UNAUTHORIZED,
  },
  {
    id: 'C529',
    clause: 'OAuth 2.0, rule 4, content api/read',
    title: 'authenticates, but does not permit writes',
    call: ({ api }) => ({ authorization: api.bearer('api/read') }),
    expected: refused(403, 'forbidden', {
      challenge: MAY_NOT_WRITE,
      detail: /a token needs the scope api\/write or api\/all/,
    }),
  },
];
