import https from 'node:https';
import * as fc from 'fast-check';
import { deploymentPaths } from '../../../src/sandbox/addresses';
import { type RunningServer, startServer } from '../../../src/sandbox/https-server';
import { exchange } from '../../../../../test/fuzz/support/raw-connection';
import { fuzzedRawRequest } from '../../../../../test/fuzz/support/raw-requests';
import { type Canary, findCanaries } from '../../../../../test/support/canaries';
import { PlatformUnderTest, TENANT } from '../platform-under-test';
import { type HostileAnswer, sendHostile } from './connection';
import { dearBodies } from './hostile-bodies';
import { hostileRequest } from './hostile-requests';
import { type RightRequest, rightRequests, type Secrets } from './right-requests';
import { IS_FULL, SEED } from '../../../../../test/support/test-size';

const [REQUESTS, RAW_REQUESTS] = IS_FULL ? [7_500, 2_500] : [1_250, 250];
const AT_ONCE = 25;
const TIMEOUT_MS = IS_FULL ? 900_000 : 120_000;
/** How long a client waits for the rest of an answer. */
const PATIENCE_MS = 300;
/** 0 for a broken connection; 503 comes from an injected fault. */
const STATUSES = [0, 100, 200, 201, 204, 400, 401, 403, 404, 409, 413, 415, 417, 422, 431, 503];
/** Matches a stack trace or a path of the program. */
const INSIDES = /\n\s+at |node_modules|[.][tj]s:\d|node:internal/;

const agent = new https.Agent({ keepAlive: true, maxSockets: AT_ONCE });
const unexpectedErrors: string[] = [];
const counts = new Map<number, number>();
let platform: PlatformUnderTest;
let server: RunningServer;
let canaries: Canary[];
let rights: RightRequest[];
let secrets: Secrets;

beforeAll(async () => {
  platform = new PlatformUnderTest(
    {},
    { onUnexpectedError: ({ stack }) => unexpectedErrors.push(stack ?? '') },
  );
  server = await startServer(platform.app, 0);
  agent.options.ca = server.caCertificate;
  secrets = await issueSecrets();
  canaries = Object.entries(secrets).map(([name, value]) => ({ name, value: value.replace('Bearer ', '') }));
  const { archivedContentIds, authorRefs } = await platform.tenant();
  rights = rightRequests(secrets, archivedContentIds[0], authorRefs[0]);
});
afterAll(async () => {
  agent.destroy();
  await server?.close();
  const listed = [...counts].sort(([a], [b]) => a - b).map(([status, count]) => `${status}: ${count}`);
  process.stderr.write(`hostile requests, seed ${SEED}: ${listed.join(', ')}\n`);
});

async function issueSecrets(): Promise<Secrets> {
  const credential = await platform.issueCredential();
  const tokenOf = async (of: 'content' | 'webhooks') => {
    const { body } = await platform.requestToken(TENANT, of, credential);
    return (body as { access_token: string }).access_token;
  };
  const { apiKey } = (await platform.control('POST', 'api-keys', TENANT)).body as { apiKey: string };
  return {
    clientId: credential.client_id,
    clientSecret: credential.client_secret,
    accessToken: await tokenOf('content'),
    webhooksToken: await tokenOf('webhooks'),
    apiKey,
    ...(await platform.logIn()),
  };
}

function count(status: number): void {
  counts.set(status, (counts.get(status) ?? 0) + 1);
}

function faultsOf({ status, contentType, text, body }: HostileAnswer): unknown[] {
  const isJson = contentType.startsWith('application/json');
  return [
    ...(STATUSES.includes(status) ? [] : [status]),
    ...(isJson && body !== '' && !isParsable(body) ? ['JSON that is none'] : []),
    ...(INSIDES.exec(text) ?? []),
  ];
}

function isParsable(json: string): boolean {
  try {
    JSON.parse(json);
    return true;
  } catch {
    return false;
  }
}

/** No answer holds a secret, the platform has not failed, and it still serves requests. */
async function expectAllIsWell(answers: readonly { text: string }[]): Promise<void> {
  const text = [...new Set(answers.map((answer) => answer.text))].join('\n');
  expect(findCanaries(canaries, [{ place: 'answers', text }])).toEqual([]);
  expect(unexpectedErrors).toEqual([]);
  await platform.control('POST', 'reset');
  const { headers, ...listing } = rights.find(({ path }) => path.includes('/contents?'))!;
  const request = { ...listing, headers: headers.flat(), body: undefined };
  expect((await sendHostile(server.origin, agent, request)).status).toBe(200);
}

test(
  'every operation with a body refuses large or deep ones with the right status',
  async () => {
    const sendsAll = rights.flatMap(({ body, headers, ...right }) =>
      (body ? dearBodies(body) : [])
        .slice(0, IS_FULL ? undefined : 2)
        .map((make) => ({ ...right, headers: headers.flat(), body: make() })),
    );
    const answers: HostileAnswer[] = [];

    for (const request of sendsAll) answers.push(await sendHostile(server.origin, agent, request));

    expect(answers.flatMap(faultsOf)).toEqual([]);
    expect(answers.filter(({ status }) => status < 400 && status !== 0)).toEqual([]);
    await expectAllIsWell(answers);
  },
  TIMEOUT_MS,
);

test('a client whose body was too large gets Connection: close, and can continue on a new one', async () => {
  const { headers, method, path, body } = rights.find(({ path }) => path.endsWith('/contents'))!;
  const tooLarge = Buffer.from(JSON.stringify({ ...body, title: 'a'.repeat(1024 * 1024) }));
  const oneConnection = new https.Agent({ keepAlive: true, maxSockets: 1, ca: server.caCertificate });
  const send = async (sent?: Buffer) => {
    const request = { method: sent ? method : 'GET', path, headers: headers.flat(), body: sent };
    return (await sendHostile(server.origin, oneConnection, request)).status;
  };

  const statuses = [await send(tooLarge), await send(), await send(tooLarge), await send()];

  expect(statuses).toEqual([413, 200, 413, 200]);
  oneConnection.destroy();
});

test.each([
  ['an unknown operation', 'POST', '/_sandbox/nothing', 404],
  ['no token', 'POST', `${deploymentPaths(TENANT).content}/contents`, 401],
  ['an operation without a body', 'DELETE', '/_sandbox/faults', 204],
])('a client that sent a large body to %s can reuse its connection', async (_what, method, path, status) => {
  const oneConnection = new https.Agent({ keepAlive: true, maxSockets: 1, ca: server.caCertificate });
  const large = { method, path, headers: [], body: Buffer.alloc(500_000, 'a') };
  const small = { method: 'GET', path: '/_sandbox/faults', headers: [], body: undefined };

  const first = await sendHostile(server.origin, oneConnection, large);
  const second = await sendHostile(server.origin, oneConnection, small);

  expect([first.status, second.status]).toEqual([status, 200]);
  oneConnection.destroy();
});

test(
  'no HTTP request gets an unexpected error, a stack trace or a secret',
  async () => {
    const requests = fc.sample(hostileRequest(rights, Object.values(secrets)), {
      numRuns: REQUESTS,
      seed: SEED,
    });
    for (let from = 0; from < requests.length; from += AT_ONCE) {
      const batch = requests.slice(from, from + AT_ONCE);

      const answers = await Promise.all(batch.map((request) => sendHostile(server.origin, agent, request)));

      for (const [n, answer] of answers.entries()) {
        count(answer.status);
        const { method, path, body } = batch[n]!;
        const sent = `${method} ${path} ${body?.toString('latin1', 0, 500)}`;
        expect({ sent, faults: faultsOf(answer) }).toEqual({ sent, faults: [] });
      }
      await expectAllIsWell(answers);
    }
    expect(counts.get(200)).toBeGreaterThan(REQUESTS / 50);
  },
  TIMEOUT_MS,
);

test(
  'no bytes, HTTP or not, get an unexpected error, a stack trace or a secret',
  async () => {
    const { host, hostname, port } = new URL(server.origin);
    const raw = rights.map(({ path, headers }) => {
      const [, authorization = 'none'] = headers.find(([name]) => name === 'Authorization') ?? [];
      return fuzzedRawRequest({ path, host, authorization });
    });
    const requests = fc.sample(fc.oneof(...raw), { numRuns: RAW_REQUESTS, seed: SEED });
    for (let from = 0; from < requests.length; from += AT_ONCE) {
      const batch = requests.slice(from, from + AT_ONCE);

      const answers = await Promise.all(
        batch.map((request) =>
          exchange(
            { host: hostname, port: Number(port), ca: server.caCertificate },
            { ...request, patienceMs: PATIENCE_MS },
          ),
        ),
      );

      for (const [n, { text }] of answers.entries()) {
        const statuses = [...text.matchAll(/^HTTP\/1\.1 (\d{3}) /gm)].map(([, status]) => Number(status));
        (statuses.length === 0 ? [0] : statuses).forEach(count);
        const sent = batch[n]!.pieces.join('').slice(0, 500);
        const faults = [
          ...statuses.filter((status) => !STATUSES.includes(status)),
          ...(INSIDES.exec(text) ?? []),
        ];
        expect({ sent, faults }).toEqual({ sent, faults: [] });
      }
      await expectAllIsWell(answers);
    }
  },
  TIMEOUT_MS,
);
