import { sendHttps } from '../journeys/support/https-request';
import { type Problem } from '../../core/restore/problem';
import { RestoreApiUnderTest, START_TIMEOUT_MS } from '../support/restore-api/restore-api-under-test';

type Headers = Readonly<Record<string, string | string[]>>;

/** The status of an authorized request: its acting user is empty, so nothing is sent to the platform. */
const LET_THROUGH = 422;

let api: RestoreApiUnderTest;
beforeAll(async () => {
  api = await RestoreApiUnderTest.start();
  await api.sandbox.control('POST', 'reset');
}, START_TIMEOUT_MS);
afterAll(() => api?.stop());
afterEach(async () => {
  const { requests } = await api.sandbox.control<{ requests: unknown[] }>('GET', 'counters');
  expect(requests).toEqual([]);
});

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

// Covers what only API Gateway and the wire decide; test/lambdas/authorizer covers the syntax of credentials,
// C500-C562 their owners. RFC 9110, section 11.6.2: one Authorization; RFC 7617, section 2: Basic; RFC 6750,
// sections 2 and 3.1: Bearer
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
    ['a colon after the scheme', 401, authorization(() => basic().replace(' ', ': '))],
    ['Digest', 401, authorization(() => `Digest username="${api.tenants[0].tenantId}"`)],

    ['Bearer api/read', 403, authorization(() => api.bearer('api/read'))],
    ['Bearer encoded for a URL', 401, authorization(() => write().replace(' ', '%20'))],

    ['X-Authorization', 401, () => ({ 'X-Authorization': basic() })],
    ['Proxy-Authorization', 401, () => ({ 'Proxy-Authorization': basic() })],
    ['X-Api-Key', 401, () => ({ 'X-Api-Key': api.tenants[0].apiKey })],
    ['a cookie', 401, () => ({ Cookie: `access_token=${write().slice(7)}` })],
  ])('%s: %i', (_, status, headersOf) => expectAnswer(status, headersOf()));

  // RFC 6750, sections 2.2 and 2.3; RFC 9700, section 2.6: no tokens in URLs
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
});
