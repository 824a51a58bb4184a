import { MAY_NOT_WRITE, refused, restored } from '../../support/restore-api/clause-case';
import { type ClauseWorld } from '../../support/restore-api/clause-world';
import { type ClauseCase } from './clause';
import { HOLES } from '../holes/holes';

const UNAUTHORIZED = refused(401, 'unauthorized');

/** An API key that the tenant has from now on. */
const heldKey = (apiKey: string) => (world: ClauseWorld) =>
  world.hold('api-key', { current: { value: world.apiKey(apiKey) } });
const basicOf = (text: string | Buffer) => `Basic ${Buffer.from(text).toString('base64')}`;
/** A user name and password that would be one credential to a reader who splits and decodes otherwise. */
const ofTenant = (password: string) => (world: ClauseWorld) => ({
  authorization: basicOf(`${world.tenant.tenantId}:${password}`),
});

const withAnotherEnd = (text: string) => `${text.slice(0, -1)}${text.endsWith('A') ? 'B' : 'A'}`;

/** How a caller says who it is: schemes, headers and their spelling. */
export const CASES: readonly ClauseCase[] = [
  {
    id: 'C500',
    clause: 'HTTP Basic, username and password',
    title: 'the tenant identifier and its API key',
    call: ({ api, tenant }) => ({ authorization: api.basic(tenant) }),
    expected: restored(),
    hole: HOLES.userAndPasswordAreExchanged,
  },
  {
    id: 'C503',
    clause: 'HTTP Basic, username and password',
    title: 'the two exchanged',
    call: ({ tenant }) => ({ authorization: basicOf(`${tenant.apiKey}:${tenant.tenantId}`) }),
    expected: UNAUTHORIZED,
    hole: HOLES.userAndPasswordAreExchanged,
  },
  {
    id: 'C504',
    clause: 'HTTP Basic, username and password',
    title: 'one character of the API key is another',
    call: (world) => ofTenant(withAnotherEnd(world.tenant.apiKey))(world),
    expected: UNAUTHORIZED,
    hole: HOLES.everyCallerIsLetIn,
  },
  {
    id: 'C505',
    clause: 'HTTP Basic, one tenant identifier',
    title: 'the neighbour’s API key under this tenant’s name',
    call: (world) => ofTenant(world.neighbour.apiKey)(world),
    expected: UNAUTHORIZED,
    hole: HOLES.secretsOfTenantsAreMixed,
  },
  {
    id: 'C507',
    clause: 'HTTP Basic, one tenant identifier',
    title: 'this tenant’s API key under the neighbour’s name',
    call: ({ tenant, neighbour }) => ({ authorization: basicOf(`${neighbour.tenantId}:${tenant.apiKey}`) }),
    expected: UNAUTHORIZED,
    hole: HOLES.userNameIsIgnored,
  },
  {
    id: 'C508',
    clause: 'HTTP Basic, one tenant identifier',
    title: 'the identifier in another case is another one',
    call: ({ tenant }) => ({ authorization: basicOf(`${tenant.tenantId.toUpperCase()}:${tenant.apiKey}`) }),
    expected: UNAUTHORIZED,
    hole: HOLES.userNameIsIgnored,
  },
  {
    id: 'C509',
    clause: 'HTTP Basic, one tenant identifier',
    title: 'a tenant that is not served is refused like a wrong key, for every caller',
    call: ({ tenant }) => ({
      tenantId: 'me-south-1_Nobody',
      authorization: basicOf(`me-south-1_Nobody:${tenant.apiKey}`),
    }),
    expected: UNAUTHORIZED,
    hole: HOLES.everyCallerIsLetIn,
  },
  {
    id: 'C510',
    clause: 'HTTP Basic, migration',
    title: 'the platform sees a Bearer token, never the caller’s API key',
    call: ({ api }) => ({ authorization: api.basic() }),
    expected: restored(),
    hole: HOLES.callersCredentialIsPassedOn,
  },
  {
    id: 'C511',
    clause: 'RFC 7617, section 2',
    title: 'the password begins behind the first colon, and may have others',
    given: { arrange: heldKey('key:with:colons') },
    call: ofTenant('key:with:colons'),
    expected: restored(),
    hole: HOLES.passwordBeginsAtLastColon,
  },
  {
    id: 'C512',
    clause: 'RFC 7617, section 2',
    title: 'in UTF-8, as the challenge says',
    given: { arrange: heldKey('clé-🔑') },
    call: ofTenant('clé-🔑'),
    expected: restored(),
    hole: HOLES.credentialsAreLatin1,
  },
  {
    id: 'C513',
    clause: 'RFC 7617, section 2',
    title: 'bytes that are no UTF-8 are no API key',
    given: { arrange: heldKey('cl\ufffd') },
    call: ({ tenant }) => ({
      authorization: basicOf(Buffer.concat([Buffer.from(`${tenant.tenantId}:cl`), Buffer.from([0xe9])])),
    }),
    expected: UNAUTHORIZED,
    hole: HOLES.brokenUtf8IsReplaced,
  },
  {
    id: 'C514',
    clause: 'RFC 7617, section 2',
    title: 'control characters are no part of one',
    given: { arrange: heldKey('key\u0007') },
    call: ofTenant('key\u0007'),
    expected: UNAUTHORIZED,
    hole: HOLES.everyCallerIsLetIn,
  },
  {
    id: 'C516',
    clause: 'RFC 7617, section 2',
    title: 'Base64 with one padding too many is a second spelling of the same',
    call: ({ api }) => ({ authorization: `${api.basic()}=` }),
    expected: UNAUTHORIZED,
    hole: HOLES.headerIsReadLeniently,
  },
  {
    id: 'C520',
    clause: 'RFC 9110, section 11.6.2',
    title: 'the name of the scheme in any case: BASIC',
    call: ({ api }) => ({ authorization: api.basic().replace('Basic', 'BASIC') }),
    expected: restored(),
    hole: HOLES.schemeHasOneSpelling,
  },
  {
    id: 'C521',
    clause: 'RFC 9110, section 11.6.2',
    title: 'the name of the scheme in any case: BEARER',
    call: ({ api }) => ({ authorization: api.bearer('api/write').replace('Bearer', 'BEARER') }),
    expected: restored(),
    hole: HOLES.schemeHasOneSpelling,
  },
  {
    id: 'C522',
    clause: 'RFC 9110, section 11.6.2',
    title: 'two Authorization headers, though both are right',
    call: ({ api }) => ({ authorization: [api.basic(), api.basic()] }),
    expected: UNAUTHORIZED,
    hole: HOLES.headerIsReadLeniently,
  },
  {
    id: 'C523',
    clause: 'RFC 9110, section 11.6.2',
    title: 'two credentials in one header',
    call: ({ api }) => ({ authorization: `${api.basic()}, ${api.bearer('api/write')}` }),
    expected: UNAUTHORIZED,
    hole: HOLES.headerIsReadLeniently,
  },
  {
    id: 'C524',
    clause: 'RFC 9110, section 11.6.2',
    title: 'a scheme that is not offered, with a credential that is right',
    call: ({ api }) => ({ authorization: api.bearer('api/write').replace('Bearer', 'Token') }),
    expected: UNAUTHORIZED,
    hole: HOLES.headerIsReadLeniently,
  },
  {
    id: 'C525',
    clause: 'RFC 9110, section 11.6.2',
    title: 'a parameter behind the credential',
    call: ({ api }) => ({ authorization: `${api.basic()} realm="latchkey"` }),
    expected: UNAUTHORIZED,
    hole: HOLES.headerIsReadLeniently,
  },
  {
    id: 'C527',
    clause: 'RFC 6750, section 2.1',
    title: 'an API key is no token',
    call: ({ tenant }) => ({ authorization: `Bearer ${tenant.apiKey}` }),
    expected: UNAUTHORIZED,
    hole: HOLES.schemesAreExchanged,
  },
  {
    id: 'C528',
    clause: 'RFC 7617, section 2',
    title: 'a token is no API key',
    call: (world) => ofTenant(world.api.bearer('api/write').slice(7))(world),
    expected: UNAUTHORIZED,
    hole: HOLES.schemesAreExchanged,
  },
  {
    id: 'C529',
    clause: 'OAuth 2.0, rule 4, content api/read',
    title: 'authenticates, and does not suffice to write',
    call: ({ api }) => ({ authorization: api.bearer('api/read') }),
    expected: refused(403, 'forbidden', {
      challenge: MAY_NOT_WRITE,
      detail: /a token needs the scope api\/write or api\/all/,
    }),
    hole: HOLES.scopeIsIgnored,
  },
];
