import { type Given, MAY_NOT_WRITE, refused, restored } from '../../support/restore-api/clause-case';
import { type ClauseWorld } from '../../support/restore-api/clause-world';
import { type RestoreCall } from '../../support/restore-api/restore-api-under-test';
import { type ClauseCase } from './clause';

const PASSWORD = 'HTTP Basic, username and password';
const TENANT = 'HTTP Basic, one tenant identifier';
const BASIC = 'RFC 7617, section 2';
const BEARER = 'RFC 6750, section 2.1';
const HEADER = 'RFC 9110, section 11.6.2';

type Authorization = (world: ClauseWorld) => string | string[];
type Row = [
  id: ClauseCase['id'],
  clause: ClauseCase['clause'],
  title: string,
  authorization: Authorization,
  arrange?: Given['arrange'],
];

/** Gives the tenant this API key. */
const heldKey = (apiKey: string) => (world: ClauseWorld) =>
  world.hold('api-key', { current: { value: world.apiKey(apiKey) } });
const basicOf = (text: string | Buffer) => `Basic ${Buffer.from(text).toString('base64')}`;
/** A user name and password that a reader with another way of splitting or decoding would accept. */
const ofTenant =
  (password: string): Authorization =>
  ({ tenant }) =>
    basicOf(`${tenant.tenantId}:${password}`);
const withAnotherEnd = (text: string) => `${text.slice(0, -1)}${text.endsWith('A') ? 'B' : 'A'}`;
const own: Authorization = ({ api }) => api.basic();
const write = ({ api }: ClauseWorld) => api.bearer('api/write');
const writeToken = (world: ClauseWorld) => write(world).slice('Bearer '.length);

const ACCEPTED: readonly Row[] = [
  ['C510', 'HTTP Basic, migration', 'the platform gets a Bearer token, never the caller’s API key', own],
  ['C512', BASIC, 'UTF-8, as the challenge says', ofTenant('clé-🔑'), heldKey('clé-🔑')],
  ['C520', HEADER, 'BASIC, since the scheme is case-insensitive', (w) => w.api.basic().replace('sic', 'SIC')],
  ['C518', HEADER, 'blanks around, which HTTP leaves out', ({ api }) => ` ${api.basic()} `],
];

const REFUSED: readonly Row[] = [
  ['C504', PASSWORD, 'a wrong character', (world) => ofTenant(withAnotherEnd(world.tenant.apiKey))(world)],
  ['C505', TENANT, 'the neighbor’s API key', (world) => ofTenant(world.neighbor.apiKey)(world)],
  ['C507', TENANT, 'the neighbor’s name', (w) => basicOf(`${w.neighbor.tenantId}:${w.tenant.apiKey}`)],
  [
    'C508',
    TENANT,
    'in another case',
    (w) => basicOf(`${w.tenant.tenantId.toUpperCase()}:${w.tenant.apiKey}`),
  ],
  [
    'C513',
    BASIC,
    'an API key of invalid UTF-8',
    ({ tenant }) => basicOf(Buffer.concat([Buffer.from(`${tenant.tenantId}:cl`), Buffer.from([0xe9])])),
    heldKey('cl\ufffd'),
  ],
  ['C522', HEADER, 'the same header twice', ({ api }) => [api.basic(), api.basic()]],
  ['C515', HEADER, 'two headers, one wrong', ({ api }) => ['Bearer wrong', api.basic()]],
  ['C527', BEARER, 'an API key instead of a token', ({ tenant }) => `Bearer ${tenant.apiKey}`],
  ['C528', BASIC, 'a token instead of an API key', (world) => ofTenant(writeToken(world))(world)],
];

/** Calls with a valid credential, but not in the header. RFC 6750, sections 2.2 and 2.3; RFC 9700, section 2.6. */
const ELSEWHERE: readonly [ClauseCase['id'], string, (world: ClauseWorld) => Partial<RestoreCall>][] = [
  ['C572', 'X-Api-Key', ({ tenant }) => ({ headers: { 'X-Api-Key': tenant.apiKey } })],
  ['C574', 'the query', (world) => ({ query: `?access_token=${writeToken(world)}` })],
  ['C576', 'the body', (world) => ({ body: { access_token: writeToken(world) } })],
];

const caseOf = ([id, clause, title, authorization, arrange]: Row): Omit<ClauseCase, 'expected'> => ({
  id,
  clause,
  title,
  ...(arrange && { given: { arrange } }),
  call: (world) => ({ authorization: authorization(world) }),
});

/** How callers authenticate: schemes, headers and their syntax. */
export const CASES: readonly ClauseCase[] = [
  ...ACCEPTED.map((row): ClauseCase => ({ ...caseOf(row), expected: restored() })),
  ...REFUSED.map((row): ClauseCase => ({ ...caseOf(row), expected: refused(401, 'unauthorized') })),
  ...ELSEWHERE.map(([id, place, call]): ClauseCase => ({
    id,
    clause: HEADER,
    title: `a valid credential in ${place} alone`,
    call: (world) => ({ authorization: undefined, ...call(world) }),
    expected: refused(401, 'unauthorized'),
  })),
  {
    id: 'C578',
    clause: HEADER,
    title: 'the header’s name in another case',
    call: ({ api }) => ({ authorization: undefined, headers: { aUTHORIZATION: api.basic() } }),
    expected: restored(),
  },
  {
    id: 'C509',
    clause: TENANT,
    title: 'an unknown tenant is refused like a wrong key, for every caller',
    call: ({ tenant }) => ({
      tenantId: 'me-south-1_Nobody',
      authorization: basicOf(`me-south-1_Nobody:${tenant.apiKey}`),
    }),
    expected: refused(401, 'unauthorized'),
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
