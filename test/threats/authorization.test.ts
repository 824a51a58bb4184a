import { sendHttps } from '../journeys/support/https-request';
import { type Problem } from '../../contract/problem';
import { HOLES } from '../restore-api/holes/holes';
import { expectRed } from '../support/holes/expect-red';
import { RestoreApiUnderTest, START_TIMEOUT_MS } from '../support/restore-api/restore-api-under-test';

type Headers = Readonly<Record<string, string | string[]>>;

/** An empty acting user: who is let through gets this, and nothing is sent to the platform. */
const LET_THROUGH = 422;

let api: RestoreApiUnderTest;
beforeAll(async () => {
  api = await RestoreApiUnderTest.start();
  await api.sandbox.control('POST', 'reset');
}, START_TIMEOUT_MS);
afterAll(() => api?.stop());
afterEach(async () => {
  api.hole = undefined;
  const { requests } = await api.sandbox.control<{ requests: unknown[] }>('GET', 'counters');
  expect(requests).toEqual([]);
});

const base64 = (text: string) => Buffer.from(text).toString('base64');
/** Of the tenant in the path. */
const pair = () => `${api.tenants[0].tenantId}:${api.tenants[0].apiKey}`;
const basic = () => api.basic();
const write = () => api.bearer('api/write');
const authorization = (value: () => string | string[]) => () => ({ Authorization: value() });

interface Sent {
  headers?: Headers;
  query?: string;
  body?: string;
}

async function send({ headers = {}, query = '', body = '{}' }: Sent) {
  const url = `${api.url}/tenants/${api.tenants[0].tenantId}/contents/a/restore${query}`;
  const contentType = { 'Content-Type': 'application/json' };
  const answer = await sendHttps(api.ca, 'POST', url, { headers: { ...contentType, ...headers }, body });
  return { ...answer, problem: JSON.parse(answer.text) as Problem };
}

async function expectAnswer(status: number, headers: Headers) {
  const answer = await send({ headers });

  expect(answer.status).toBe(status);
  const code = { 401: 'unauthorized', 403: 'forbidden', [LET_THROUGH]: 'invalid_request' }[status];
  expect(answer.problem).toMatchObject({ status, code });
  if (status === 401) expect(answer.headers['www-authenticate']).toMatch(/^Bearer .*Basic /);
}

// RFC 9110, section 11.6.2: one Authorization; RFC 7617, section 2: Basic; RFC 6750, sections 2 and 3.1: Bearer
describe('T15 authorization at the edge', () => {
  test.each<[string, number, () => Headers]>([
    ['Basic', LET_THROUGH, authorization(basic)],
    ['Bearer api/write', LET_THROUGH, authorization(write)],
    ['Bearer api/all', LET_THROUGH, authorization(() => api.bearer('api/all'))],
    ['the scheme in lower case', LET_THROUGH, authorization(() => write().replace('Bearer', 'bearer'))],
    ['the scheme in upper case', LET_THROUGH, authorization(() => basic().replace('Basic', 'BASIC'))],
    ['the header’s name in another case', LET_THROUGH, () => ({ aUTHORIZATION: basic() })],
    ['blanks around, which HTTP leaves out', LET_THROUGH, authorization(() => ` ${basic()} `)],

    ['none', 401, () => ({})],
    ['an empty one', 401, authorization(() => '')],
    ['the same twice', 401, authorization(() => [basic(), basic()])],
    ['two schemes', 401, authorization(() => [basic(), write()])],
    ['a wrong one before the right one', 401, authorization(() => ['Bearer wrong', basic()])],
    ['two joined by a comma', 401, authorization(() => `${basic()}, ${write()}`)],
    ['two joined without a blank', 401, authorization(() => `${write()},${basic()}`)],
    ['a scheme alone', 401, authorization(() => 'Basic')],
    ['credentials without a scheme', 401, authorization(() => base64(pair()))],
    ['two blanks after the scheme', 401, authorization(() => basic().replace(' ', '  '))],
    ['a tab after the scheme', 401, authorization(() => basic().replace(' ', '\t'))],
    ['a colon after the scheme', 401, authorization(() => basic().replace(' ', ': '))],
    ['an unknown scheme', 401, authorization(() => basic().replace('Basic', 'Token'))],
    ['Digest', 401, authorization(() => `Digest username="${api.tenants[0].tenantId}"`)],

    ['Basic not encoded', 401, authorization(() => `Basic ${pair()}`)],
    ['Basic with a colon behind', 401, authorization(() => `Basic ${base64(`${pair()}:`)}`)],
    ['Basic with a colon in front', 401, authorization(() => `Basic ${base64(`:${pair()}`)}`)],
    ['Basic with two colons between', 401, authorization(() => `Basic ${base64(pair().replace(':', '::'))}`)],
    ['Basic without a colon', 401, authorization(() => `Basic ${base64(pair().replace(':', ''))}`)],
    ['Basic without a tenant', 401, authorization(() => `Basic ${base64(`:${api.tenants[0].apiKey}`)}`)],
    ['Basic without a key', 401, authorization(() => `Basic ${base64(`${api.tenants[0].tenantId}:`)}`)],
    ['Basic with a blank in it', 401, authorization(() => `Basic ${base64(`${pair()} `)}`)],
    ['Basic with a line break in it', 401, authorization(() => `Basic ${base64(`${pair()}\n`)}`)],
    ['Basic with a NUL in it', 401, authorization(() => `Basic ${base64(`${pair()}\0`)}`)],
    [
      'Basic in UTF-16',
      401,
      authorization(() => `Basic ${Buffer.from(pair(), 'utf16le').toString('base64')}`),
    ],
    ['Basic with a wrong padding', 401, authorization(() => `${basic().replace(/=*$/, '')}====`)],
    ['Basic with blanks in its Base64', 401, authorization(() => basic().replace(/(.{20})/, '$1 '))],
    [
      'Basic with the tenant in another case',
      401,
      authorization(() => `Basic ${base64(pair().toUpperCase())}`),
    ],
    ['Basic of another tenant', 401, authorization(() => api.basic(api.tenants[1]))],
    [
      'Basic with another tenant’s name for the right key',
      401,
      authorization(() => api.basic({ ...api.tenants[1], apiKey: api.tenants[0].apiKey })),
    ],
    [
      'Basic with a token for the key',
      401,
      authorization(() => `Basic ${base64(`${api.tenants[0].tenantId}:${write().slice(7)}`)}`),
    ],
    [
      'Basic with another tenant’s key',
      401,
      authorization(() => api.basic({ ...api.tenants[0], apiKey: api.tenants[1].apiKey })),
    ],

    ['Bearer api/read', 403, authorization(() => api.bearer('api/read'))],
    ['Bearer api/webhooks', 401, authorization(() => api.bearer('api/webhooks'))],
    ['Bearer of another tenant', 401, authorization(() => api.bearer('api/write', api.tenants[1]))],
    ['Bearer with the API key', 401, authorization(() => `Bearer ${api.tenants[0].apiKey}`)],
    ['Bearer with Basic’s credentials', 401, authorization(() => basic().replace('Basic', 'Bearer'))],
    ['Bearer with a token cut off', 401, authorization(() => write().slice(0, -1))],
    ['Bearer with a character more', 401, authorization(() => `${write()}x`)],
    ['Bearer in quotes', 401, authorization(() => write().replace(/ (.*)/, ' "$1"'))],
    ['Bearer with a parameter', 401, authorization(() => `${write()}, realm="latchkey"`)],
    ['Bearer encoded for a URL', 401, authorization(() => write().replace(' ', '%20'))],

    ['X-Authorization', 401, () => ({ 'X-Authorization': basic() })],
    ['Proxy-Authorization', 401, () => ({ 'Proxy-Authorization': basic() })],
    ['X-Api-Key', 401, () => ({ 'X-Api-Key': api.tenants[0].apiKey })],
    ['a cookie', 401, () => ({ Cookie: `access_token=${write().slice(7)}` })],
  ])('%s: %i', (_, status, headersOf) => expectAnswer(status, headersOf()));

  test.each([
    [HOLES.headerIsReadLeniently, 401, authorization(() => [basic(), basic()])],
    [HOLES.headerIsReadLeniently, 401, authorization(() => `${basic().replace(/=*$/, '')}====`)],
    [HOLES.scopeIsIgnored, 403, authorization(() => api.bearer('api/read'))],
    [
      HOLES.userNameIsIgnored,
      401,
      authorization(() => api.basic({ ...api.tenants[1], apiKey: api.tenants[0].apiKey })),
    ],
  ])('turns red when $wrong: %i', async (hole, status, headersOf) => {
    api.hole = hole;

    await expectRed(() => expectAnswer(status, headersOf()));
  });

  // RFC 6750, sections 2.2 and 2.3; RFC 9700, section 2.6: no tokens in addresses
  test.each<[string, () => Sent]>([
    ['the query', () => ({ query: `?access_token=${write().slice(7)}` })],
    ['the query, by the header’s name', () => ({ query: `?Authorization=${encodeURIComponent(basic())}` })],
    ['the body', () => ({ body: JSON.stringify({ access_token: write().slice(7) }) })],
    [
      'a form',
      () => ({
        headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
        body: `access_token=${write().slice(7)}`,
      }),
    ],
  ])('a token in %s: 401', async (_, sent) => {
    expect((await send(sent())).status).toBe(401);
  });

  test.each([
    ['no JSON', '{'],
    ['over 16 KiB', ' '.repeat(20_000)],
    ['the wrong media type', '{}', 'text/plain'],
  ])(
    'the scope is looked at before the body, which is %s: 403',
    async (_, body, contentType = 'application/json') => {
      const headers = { Authorization: api.bearer('api/read'), 'Content-Type': contentType };

      expect((await send({ headers, body })).status).toBe(403);
    },
  );
});
