import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { type AddressInfo, createServer, type Server } from 'node:net';

import { type TokenValue } from '../../core/secrets/secret-values';
import { sha256Hex } from '../../core/secrets/sha256';
import { ensure, type Place, placeOf, tokenArn } from './support/journeys';
import { descendants, startedWith } from './support/processes';
import {
  basicOf,
  bearerOf,
  callRestore,
  changesOf,
  failContent,
  type RestoreCall,
  requestsTo,
  tokenRequests,
  totalOf,
} from './support/restore-calls';
import { RunningSystem } from './support/running-system';
import { logsOf } from './support/visible-texts';

let system: RunningSystem;
/** Its deployment has a second tenant. */
let place: Place;
let neighbor: Place;
let authorization: string;

beforeAll(async () => {
  system = await RunningSystem.start();
  place = placeOf(system, 'staging', 'global');
  neighbor = { ...place, tenant: place.deployment.tenants[1]! };
  authorization = await basicOf(place);
});
afterAll(() => system.stop());
beforeEach(() => system.control('DELETE', '/faults'));

const contentRequests = async () => totalOf(await requestsTo(system, ({ target }) => target === 'content'));

/** Sends requests of which none may reach the platform, and returns their statuses. */
async function statusesOf(calls: readonly (RestoreCall & { contentId?: string })[]): Promise<number[]> {
  const before = await contentRequests();
  const statuses = [];
  for (const { contentId = place.tenant.archivedContentIds[0]!, ...call } of calls)
    statuses.push((await callRestore(place, contentId, { authorization, ...call })).status);
  expect(await contentRequests()).toBe(before);
  return statuses;
}

const token = (of: Place, scope = 'api/write') => system.secret<TokenValue>(tokenArn(of, scope));

/** Makes the platform answer the next token requests of a tenant, and asks for another token than the stored one. */
async function renew(of: Place, scope: string, fault: object) {
  const match = { tenantId: of.tenant.tenantId };
  await system.control('POST', '/faults', { target: 'token', match, ...fault });
  const before = await tokenRequests(of);
  const rejectedTokenSha256 = sha256Hex((await token(of, scope)).accessToken);
  const answer = await ensure(of, scope, { rejectedTokenSha256 });
  expect(await tokenRequests(of)).toBe(before + 1);
  return answer;
}

describe('T1: a redirect of the platform', () => {
  let elsewhere: Server;
  let connections = 0;
  beforeAll(async () => {
    elsewhere = createServer((socket) => {
      connections += 1;
      socket.destroy();
    });
    await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve));
  });
  afterAll(() => new Promise((resolve) => elsewhere.close(resolve)));
  afterEach(() => expect(connections).toBe(0));

  const to = (protocol: string) => ({
    status: 307,
    headers: { location: `${protocol}://127.0.0.1:${(elsewhere.address() as AddressInfo).port}/steal` },
  });

  // One tenant each, since token-refresh remembers a failure for a while.
  it.each([
    ['http', () => place],
    ['https', () => neighbor],
  ])('to %s gets no token request', async (protocol, of) => {
    const answer = await renew(of(), 'api/read', to(protocol));

    expect(answer).toMatchObject({ ok: false, error: { code: 'bad_platform_answer' } });
  });

  it.each(['http', 'https'])('to %s gets no restore request', async (protocol) => {
    await failContent(place, to(protocol));

    const answer = await callRestore(place, place.tenant.archivedContentIds[0]!, { authorization });

    expect(JSON.parse(answer.text)).toMatchObject({ status: 500, code: 'outcome_unknown' });
  });
});

it.each(['https://169.254.169.254/latest', 'https://user@127.0.0.1:1/content'])(
  'T2: a system whose platform is %s does not start',
  async (address) => {
    const started = RunningSystem.startConfigured((configuration) => {
      configuration.endpoints.staging!.global!.contentBaseUrl = address;
    });

    await expect(started).rejects.toThrow(/contentBaseUrl/);
  },
);

it('T3: an id that would change the path reaches no platform', async () => {
  const ids = [
    '..',
    '.%2E',
    '%2e%2e',
    'x%252fy',
    '..%2f..%2fadmin',
    '%c0%ae%c0%ae',
    'x%00',
    'https:%2f%2fevil',
  ];

  const statuses = await statusesOf(ids.map((contentId) => ({ contentId })));

  expect(statuses.filter((status) => ![400, 404, 422].includes(status))).toEqual([]);
});

it('T4: control characters forge no log line', async () => {
  const forged = '{"level":"ERROR","message":"forged"}';
  const reference = `a\r\n${forged}\u2028${forged}`;

  const statuses = await statusesOf([
    { body: { authorRef: reference } },
    { body: reference },
    { contentId: encodeURIComponent(reference) },
    { tenantId: encodeURIComponent(reference) },
  ]);

  expect(statuses).toEqual([422, 400, 422, 401]);
  const lines = (await logsOf(system)).flatMap(({ text }) => text.split(/[\r\n\u2028]/));
  expect(lines.filter((line) => line.includes('caller refused'))).not.toEqual([]);
  expect(lines.filter((line) => line.startsWith(forged))).toEqual([]);
});

describe('T5: a bomb', () => {
  const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);

  it('in a request is refused unread', async () => {
    expect(
      await statusesOf([
        { body: nested(8_000) },
        { body: `{"authorRef":${nested(8_000)}}` },
        { body: nested(500_000) },
        { body: ' '.repeat(9 * 1024 * 1024) },
      ]),
    ).toEqual([422, 422, 413, 413]);
  });

  it('in an answer is not used, and the next request is served', async () => {
    const [contentId = ''] = place.tenant.archivedContentIds;
    const body = `{"id":"${contentId}","status":"published","items":[],"further":${nested(400_000)}}`;
    await failContent(place, { status: 200, body, times: 1 });

    const answer = await callRestore(place, contentId, { authorization });

    expect(JSON.parse(answer.text)).toMatchObject({ status: 500, code: 'outcome_unknown' });
    expect((await callRestore(place, contentId, { authorization })).status).toBe(200);
  });
});

describe('T10: the token of another tenant in a token secret', () => {
  it('authenticates nobody, and is replaced', async () => {
    const arn = tokenArn(place, 'api/write');
    const foreign = await token(neighbor);
    await system.putSecret(system.administrator, arn, foreign);

    expect(await statusesOf([{ authorization: `Bearer ${foreign.accessToken}` }])).toEqual([401]);
    expect(await ensure(place, 'api/write')).toMatchObject({ ok: true, refreshed: true });

    expect(await token(place)).toMatchObject({ tenantId: place.tenant.tenantId });
    expect((await token(place)).accessToken).not.toBe(foreign.accessToken);
  });
});

it.each([
  ['wider', 'api/read api/write', 'bad_platform_answer', () => placeOf(system, 'staging', 'mea')],
  ['another', 'api/write', 'scope_refused', () => placeOf(system, 'production', 'global')],
])('T11: a token whose scope is %s is not stored', async (_, scope, code, of) => {
  const before = await token(of(), 'api/read');
  const body = { access_token: 'granted', token_type: 'Bearer', expires_in: 3600, scope };

  const answer = await renew(of(), 'api/read', { status: 200, body });

  expect(answer).toMatchObject({ ok: false, error: { code } });
  expect(await token(of(), 'api/read')).toEqual(before);
});

it('T15: only one credential of the tenant itself, in one header, is accepted', async () => {
  const bearer = await bearerOf(place, 'api/write');
  const calls: [RestoreCall['authorization'], number][] = [
    [[authorization, authorization], 401],
    [[authorization, bearer], 401],
    [`${authorization}, ${bearer}`, 401],
    [await basicOf(neighbor), 401],
    [await bearerOf(neighbor, 'api/write'), 401],
    [await bearerOf(place, 'api/read'), 403],
    ['', 401],
    [undefined, 401],
  ];

  const statuses = await statusesOf(calls.map(([each]) => ({ authorization: each })));

  expect(statuses).toEqual(calls.map(([, status]) => status));
});

it('T16: the acting user is not taken from a prototype', async () => {
  const user = `{"authorRef":"${place.tenant.authorRefs[0]}"}`;

  expect(
    await statusesOf([
      { body: `{"__proto__":${user}}` },
      { body: `{"constructor":{"prototype":${user}}}` },
      { body: `{"authorRef":"a","__proto__":${user}}` },
    ]),
  ).toEqual([422, 422, 422]);
});

describe('T25: another program or page on this machine', () => {
  const status = async (url: string, headers: Record<string, string>) => {
    const asked = get(url, { headers, agent: false });
    const [response] = (await once(asked, 'response')) as [IncomingMessage];
    asked.destroy();
    return response.statusCode;
  };

  it('takes no event of a function that it finds by its port', async () => {
    const apis = descendants(system.process.pid).flatMap(
      (pid) => startedWith(pid).environment.AWS_LAMBDA_RUNTIME_API ?? [],
    );
    const ports = new Set(apis.map((address) => new URL(`http://${address}`).port));
    expect(ports.size).toBeGreaterThan(0);

    for (const port of ports)
      expect(await status(`http://127.0.0.1:${port}/2018-06-01/runtime/invocation/next`, {})).toBe(404);
  });

  it('reaches neither the AWS endpoint nor the console by another name', async () => {
    const [, console = ''] = await system.process.printed(/^console (\S+)$/m);

    for (const url of [system.run.aws.endpoint, console])
      expect(await status(url, { host: 'attacker.example' })).toBe(403);
    expect(await status(console, { origin: 'https://attacker.example' })).toBe(403);
  });

  // Another name does not fit its certificate.
  it('commands no sandbox from a page of another site', async () => {
    const before = await system.control('GET', '/restore');

    const answer = await system.send('POST', `${system.run.sandboxControl}/restore`, {
      headers: { 'content-type': 'application/json', origin: 'https://attacker.example' },
      body: '{"available":false}',
    });

    expect(answer.status).toBe(403);
    expect(await system.control('GET', '/restore')).toEqual(before);
  });
});

it('after all of this, a content that nobody was allowed to restore is unchanged', async () => {
  expect(await changesOf(neighbor, neighbor.tenant.archivedContentIds[0]!)).toEqual([]);
});
