import { request } from 'node:http';

import * as fc from 'fast-check';

import { RuntimeApi, type RuntimeAnswer } from '../../local/functions/runtime-api';
import { expectRed } from '../support/holes/expect-red';
import { DOCUMENTS } from '../platform/sandbox/openapi/documents';
import { ORIGIN, sandboxFetch } from '../platform/sandbox/support/in-process';
import { IS_FULL, printFigures, SEED } from '../support/test-size';
import { forAny } from './support/for-any';
import { anyJson, changed } from './support/fuzzed-json';

const REQUESTS = IS_FULL ? 10_000 : 300;
const TIMEOUT_MS = IS_FULL ? 1_800_000 : 120_000;

const figures: string[] = [];
afterAll(() => printFigures(figures.join('\n')));

const counted = (counts: ReadonlyMap<number, number>) =>
  [...counts]
    .map(([status, count]) => `${status}: ${count}`)
    .sort()
    .join(', ');

const BASE = '/2018-06-01/runtime';
const IN_FLIGHT = 'a-request';

/** Sends a request to a Runtime API. @returns its status and body */
function send(
  address: string,
  method: string,
  path: string,
  body = '',
): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const sent = request(`http://${address}`, { method, path, agent: false }, (response) => {
      let text = '';
      response.on('data', (chunk: Buffer) => (text += chunk.toString()));
      response.on('end', () => resolve({ status: response.statusCode!, text }));
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

const junkPath = fc.oneof(
  fc.constantFrom(
    ...['/', BASE, `${BASE}/invocation/next/`, `${BASE}/invocation//response`, `${BASE}/init/errors`],
    ...[
      `${BASE}/invocation/other/response`,
      `${BASE}/invocation/other/error`,
      '/invocation/a-request/response',
    ],
    ...[
      `/x${BASE}/invocation/a-request/response`,
      `${BASE}/invocation/a-request/responses`,
      `${BASE}/../next`,
    ],
  ),
  fc.stringMatching(/^\/[!-~]{0,60}$/),
  fc
    .stringMatching(/^[\w-]{1,40}$/)
    .filter((id) => id !== IN_FLIGHT)
    .map((id) => `${BASE}/invocation/${id}/response`),
);
const junkRequest = fc.tuple(
  fc.constantFrom('POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'),
  junkPath,
  fc.oneof(
    anyJson.map((value) => JSON.stringify(value)),
    fc.string({ unit: 'binary', maxLength: 60 }),
  ),
);

/** @param sendTo stands in for a Runtime API with a fault */
async function checkRuntimeApi(sendTo = send): Promise<ReadonlyMap<number, number>> {
  const api = new RuntimeApi();
  const answers: RuntimeAnswer[] = [];
  api.onAnswer = (answer) => answers.push(answer);
  const address = await api.listen();
  const counts = new Map<number, number>();
  try {
    const next = send(address, 'GET', `${BASE}/invocation/next`);
    api.deliver({
      requestId: IN_FLIGHT,
      payload: Buffer.from('{}'),
      functionArn: 'arn',
      deadlineMs: 0,
      offsetMs: 0,
    });
    expect(await next).toEqual({ status: 200, text: '{}' });
    answers.length = 0;

    await forAny(junkRequest, REQUESTS, async ([method, path, body]) => {
      const { status } = await sendTo(address, method, path, body);

      expect([400, 404, 413]).toContain(status);
      expect(answers).toEqual([]);
      counts.set(status, (counts.get(status) ?? 0) + 1);
    });

    expect(await send(address, 'POST', `${BASE}/invocation/${IN_FLIGHT}/response`, '1')).toMatchObject({
      status: 202,
    });
    expect(answers).toEqual([{ kind: 'response', requestId: IN_FLIGHT, payload: Buffer.from('1') }]);
    return counts;
  } finally {
    api.close();
  }
}

test(
  'the Lambda Runtime API refuses junk, also answers for an invocation that is not in flight, and serves on',
  async () => {
    figures.push(
      `requests to the Runtime API: ${REQUESTS}, seed ${SEED}: ${counted(await checkRuntimeApi())}`,
    );
  },
  TIMEOUT_MS,
);

test('turns red when junk is accepted', () =>
  expectRed(() => checkRuntimeApi((address) => send(address, 'POST', `${BASE}/init/error`))));

/** Where the sandbox has one tenant. */
const TENANT = { environment: 'staging', platformRegion: 'mea' };
const BODIES: object[] = [
  { target: 'token', match: { tenantId: 'x' }, status: 503, times: 2 },
  { target: 'content', delayMs: 5, probability: 0.5, seed: 3, headers: { 'Retry-After': '1' } },
  { ...TENANT, tenantId: 'new', contents: [{ items: [{}], title: 'x' }] },
  { ...TENANT, status: 'ready', items: [{ status: 'ok' }] },
  { advanceSec: 60 },
  { actingUserIn: 'header', tokenLifetimeSec: 60 },
];

async function checkControl(
  sandbox = sandboxFetch({ cells: [{ ...TENANT, tenants: [{ tenantId: 'one' }] }] }),
): Promise<ReadonlyMap<number, number>> {
  const operations = Object.entries(DOCUMENTS.control.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => ({ path, method: method.toUpperCase() })),
  );
  const body = fc.oneof(
    { weight: 4, arbitrary: changed(BODIES).map((value) => JSON.stringify(value)) },
    anyJson.map((value) => JSON.stringify(value)),
    fc.string({ unit: 'binary', maxLength: 60 }),
  );
  const query = fc.oneof(
    fc.constant(''),
    fc.webQueryParameters().map((text) => `?${text}`),
  );
  const counts = new Map<number, number>();
  await forAny(
    fc.tuple(fc.constantFrom(...operations), body, query),
    REQUESTS,
    async ([{ method, path }, json, text]) => {
      const url = `${ORIGIN}/_sandbox${path.replace(/\{.*?\}/g, 'x')}${text}`;
      const { status } = await sandbox(url, { method, ...(method !== 'GET' && { body: json }) });

      expect(status).toBeLessThan(500);
      counts.set(status, (counts.get(status) ?? 0) + 1);
    },
  );
  expect((await sandbox(`${ORIGIN}/_sandbox/tenants`)).status).toBe(200);
  return counts;
}

test(
  'the sandbox’s control refuses junk with a status below 500, and serves on',
  async () => {
    const counts = await checkControl();

    figures.push(`requests to the sandbox’s control: ${REQUESTS}, seed ${SEED}: ${counted(counts)}`);
    expect(counts.get(400)).toBeGreaterThan(0);
  },
  TIMEOUT_MS,
);

test('turns red when a request crashes the sandbox', () =>
  expectRed(() => checkControl(async () => new Response('', { status: 500 }))));
