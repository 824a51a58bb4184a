import * as fc from 'fast-check';

import { sandboxApp } from '../../src/sandbox/sandbox';
import { createState, restoreState, savedState } from '../../src/sandbox/sandbox-state';
import { IS_FULL, SEED as TEST_SEED } from '../../../../test/support/test-size';
import { LIVE_TENANT, MUTATION, NEIGHBOUR, NOON_MS, SEED, TENANT } from './platform-under-test';

const SEQUENCES = IS_FULL ? 2000 : 20;
const OPTIONS = { nowMs: () => NOON_MS, limits: { apiKeys: 3, changes: 4, countedRequests: 5, tokens: 4 } };
const OWNERS = [TENANT, NEIGHBOUR, LIVE_TENANT] as const;
const OBSERVATIONS = ['requests', 'counters', 'audit', 'tenants', 'faults', 'item-failures', 'processing'];
/** UUIDs, secrets and ids. */
const RANDOM = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[\w-]{43}|[0-9a-f]{24}/g;

/** What a platform has issued, oldest first. */
type Issued = Record<
  'clientId' | 'clientSecret' | 'apiKey' | 'authorization' | 'access_token' | 'correlationId' | 'id',
  string[]
>;
interface Request {
  readonly method: string;
  readonly path: string;
  readonly json?: unknown;
  readonly headers?: Record<string, string>;
}
/** A request that uses what the platform has issued. */
type Step = (issued: Issued) => Request;

/** A sandbox that can be ended and started again between two requests. */
class Platform {
  readonly issued: Issued = {
    clientId: [],
    clientSecret: [],
    apiKey: [],
    authorization: [],
    access_token: [],
    correlationId: [],
    id: [],
  };
  readonly #names = new Map<string, string>();
  #state = createState(SEED, OPTIONS);
  #app = sandboxApp(this.#state);

  saved(): string {
    return savedState(this.#state);
  }

  restart(): void {
    const saved = this.saved();
    this.#state = createState(SEED, OPTIONS);
    this.#app = sandboxApp(this.#state);
    restoreState(this.#state, saved);
    expect(this.saved()).toBe(saved);
  }

  /** The answer, with the same names for random values of the same origin. */
  async answer(step: Step): Promise<{ status: number; text: string }> {
    const { method, path, json, headers } = step(this.issued);
    const answer = await this.#app.request(path, {
      method,
      headers: { 'content-type': 'application/json', ...headers },
      ...(json !== undefined && { body: JSON.stringify(json) }),
    });
    const text = await answer.text();
    const isCut = text !== '' && !/[}\]]$/.test(text);
    if (isCut) return { status: answer.status, text: `${text.length} characters` };
    if (answer.ok && text.startsWith('{')) this.#remember(JSON.parse(text) as object);
    const named = text.replace(RANDOM, (value) => this.#nameOf(value)).replace(/"durationMs":\d+/g, '');
    return { status: answer.status, text: named };
  }

  #remember(body: object): void {
    const all = { ...body, ...(body as { data?: { generateApiKey?: object } }).data?.generateApiKey };
    for (const [name, value] of Object.entries(all)) {
      if (Object.hasOwn(this.issued, name)) this.issued[name as keyof Issued].push(value as string);
    }
  }

  #nameOf(value: string): string {
    const name = this.#names.get(value) ?? `value ${this.#names.size}`;
    this.#names.set(value, name);
    return name;
  }
}

const control =
  (method: string, path: string, json?: unknown): Step =>
  () => ({ method, path: `/_sandbox/${path}`, json });
const pick = (values: readonly string[], n: number) =>
  values.at(-1 - (n % Math.max(values.length, 1))) ?? 'none';
const owner = fc.constantFrom(TENANT, TENANT, TENANT, ...OWNERS);
const n = fc.nat(3);
const content = fc.record({
  operation: fc.constantFrom('get', 'list', 'create', 'update', 'delete', 'publish', 'archive', 'restore'),
  owner,
  auth: fc.constantFrom('basic', 'bearer'),
  credential: n,
  id: n,
});

const step: fc.Arbitrary<Step> = fc.oneof(
  owner.map((of) => control('POST', 'credentials', of)),
  owner.map((of) => control('POST', 'api-keys', of)),
  fc
    .record({ of: owner, administrator: fc.boolean() })
    .map(({ of, administrator }) => control('POST', 'sessions', { ...of, administrator, validForSec: 900 })),
  n.map((k): Step => ({ clientId }) => ({
    method: 'DELETE',
    path: '/_sandbox/credentials',
    json: { clientId: pick(clientId, k) },
  })),
  n.map((k): Step => ({ apiKey }) => ({
    method: 'DELETE',
    path: '/_sandbox/api-keys',
    json: { apiKey: pick(apiKey, k) },
  })),
  n.map((k): Step => ({ access_token: tokens }) => ({
    method: 'DELETE',
    path: '/_sandbox/tokens',
    json: { accessToken: pick(tokens, k) },
  })),
  n.map((k): Step => ({ authorization }) => ({
    method: 'DELETE',
    path: '/_sandbox/sessions',
    json: { authorization: pick(authorization, k) },
  })),
  {
    weight: 4,
    arbitrary: fc
      .record({ of: owner, k: n, auth: fc.constantFrom('auth', 'webhooks-auth') })
      .map(({ of, k, auth }): Step => ({ clientId, clientSecret }) => ({
        method: 'POST',
        path: `/${of.environment}/${of.platformRegion}/${auth}/oauth2/token/${of.tenantId}`,
        json: {
          grant_type: 'client_credentials',
          scope: 'api/all',
          client_id: pick(clientId, k),
          client_secret: pick(clientSecret, k),
        },
      })),
  },
  n.map((k): Step => ({ authorization, correlationId }) => ({
    method: 'POST',
    path: '/tenant-service/staging/tenants',
    json: { query: MUTATION },
    headers: { authorization: pick(authorization, k), 'correlation-id': pick(correlationId, k) },
  })),
  {
    weight: 8,
    arbitrary: content.map(
      ({ operation, owner: of, auth, credential, id }): Step =>
        ({ apiKey, access_token: tokens, id: ids }) => {
          const at = `/${of.environment}/${of.platformRegion}/rest/v1/contents`;
          const one = `${at}/${pick(ids, id)}`;
          const method =
            operation === 'get' || operation === 'list'
              ? 'GET'
              : operation === 'update'
                ? 'PATCH'
                : operation === 'delete'
                  ? 'DELETE'
                  : 'POST';
          const path =
            operation === 'list' || operation === 'create'
              ? at
              : ['publish', 'archive', 'restore'].includes(operation)
                ? `${one}/${operation}`
                : one;
          const authorization =
            auth === 'basic'
              ? `Basic ${Buffer.from(`${of.tenantId}:${pick(apiKey, credential)}`).toString('base64')}`
              : `Bearer ${pick(tokens, credential)}`;
          const items = [{ type: 'file', summary: 'one' }];
          const json =
            method === 'GET' ? undefined : { authorRef: AUTHORS[of.tenantId], title: 'Training', items };
          return { method, path, json, headers: { authorization } };
        },
    ),
  },
  fc.constantFrom(1, 20, 60, 3600).map((advanceSec) => control('POST', 'clock', { advanceSec })),
  fc
    .record({
      target: fc.constantFrom('content', 'token', 'tenants'),
      effect: fc.constantFrom(
        { status: 503 },
        { malformedJson: true },
        { status: 429, probability: 0.5, seed: 7 },
        { body: { a: [1] }, headers: { 'x-a': 'b' } },
      ),
      times: fc.constantFrom({}, { times: 1 }, { times: 2 }),
    })
    .map(({ target, effect, times }) => control('POST', 'faults', { target, ...effect, ...times })),
  fc.constant(control('POST', 'faults', { target: 'content', dependency: 'store', times: 2 })),
  fc.constant(control('DELETE', 'faults')),
  fc.constantFrom(1, 2).map((times) => control('POST', 'item-failures', { reason: 'it broke', times })),
  fc.constantFrom(0, 10).map((takesSec) => control('POST', 'processing', { takesSec })),
  fc.boolean().map((available) => control('POST', 'restore', { available })),
  fc.constantFrom(0, 30).map((sec) => control('POST', 'key-lag', { sec })),
  fc.constant(control('POST', 'reset')),
  fc
    .constantFrom('added-1', 'added-2')
    .map((tenantId) => control('POST', 'tenants', { ...TENANT, tenantId })),
  owner.map((of) => control('POST', 'contents', { ...of, status: 'draft', count: 2 })),
  owner.map(({ environment, platformRegion, tenantId }) =>
    control('GET', `contents/${environment}/${platformRegion}/${tenantId}`),
  ),
  fc.constantFrom(...OBSERVATIONS).map((path) => control('GET', path)),
);

const AUTHORS: Record<string, string> = {};
beforeAll(async () => {
  const answer = await sandboxApp(createState(SEED)).request('/_sandbox/tenants');
  const { tenants } = (await answer.json()) as { tenants: { tenantId: string; authorRefs: string[] }[] };
  for (const { tenantId, authorRefs } of tenants) AUTHORS[tenantId] = authorRefs[0]!;
});

test(`${SEQUENCES} sequences of requests get the same answers, whether the process is restarted between any two or not`, async () => {
  const statuses = new Set<number>();

  const steps = fc.array(fc.record({ step, restarts: fc.boolean() }), {
    minLength: 20,
    maxLength: 80,
    size: 'max',
  });
  await fc.assert(
    fc.asyncProperty(steps, async (sequence) => {
      const [running, restarted] = [new Platform(), new Platform()];
      const first = ['credentials', 'api-keys', 'sessions'].map((path) => ({
        step: control('POST', path, TENANT),
        restarts: true,
      }));
      const observed = OBSERVATIONS.map((path) => ({ step: control('GET', path), restarts: false }));
      for (const { step: each, restarts } of [...first, ...sequence, ...observed]) {
        if (restarts) restarted.restart();
        const expected = await running.answer(each);
        expect(await restarted.answer(each)).toEqual(expected);
        statuses.add(expected.status);
      }
    }),
    { numRuns: SEQUENCES, seed: TEST_SEED, endOnFailure: true },
  );

  // Otherwise the sequences cover too little.
  expect([...statuses].sort()).toEqual(expect.arrayContaining([200, 201, 204, 401, 404, 409, 429, 502, 503]));
});

test('the saved state has no credential, key, session or token that was issued', async () => {
  const platform = new Platform();
  for (const each of [
    control('POST', 'credentials', TENANT),
    control('POST', 'api-keys', TENANT),
    control('POST', 'sessions', TENANT),
  ])
    await platform.answer(each);
  const { clientId, clientSecret, apiKey, authorization, correlationId } = platform.issued;
  const path = `/staging/mea/auth/oauth2/token/${TENANT.tenantId}`;
  const json = {
    grant_type: 'client_credentials',
    scope: 'api/all',
    client_id: clientId[0],
    client_secret: clientSecret[0],
  };
  await platform.answer(() => ({ method: 'POST', path, json }));
  const secrets = [
    clientSecret,
    apiKey,
    platform.issued.access_token,
    correlationId,
    authorization.map((value) => value.slice('Bearer '.length)),
  ].flat();

  expect(secrets).toHaveLength(5);
  expect(secrets.filter((secret) => platform.saved().includes(secret))).toEqual([]);
});
