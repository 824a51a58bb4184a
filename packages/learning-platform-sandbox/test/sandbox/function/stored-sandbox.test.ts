import { randomBytes } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';

import {
  type StateStore,
  type StoredState,
  StoredSandbox,
} from '../../../src/sandbox/function/stored-sandbox';
import { sandboxApp } from '../../../src/sandbox/sandbox';
import { createState, savedState } from '../../../src/sandbox/sandbox-state';
import { NOON_MS, SEED, TENANT } from '../platform-under-test';

const BASE = 'https://api.example/prod';
const TOKEN_PATH = `/staging/mea/auth/oauth2/token/${TENANT.tenantId}`;
const MAX_ITEM_BYTES = 400 * 1024;

/** A store in memory. */
class Store implements StateStore {
  last: StoredState | undefined;
  reads = 0;
  writes = 0;
  /** Called before each write. */
  beforeWrite: () => Promise<void> = async () => undefined;

  async read(): Promise<StoredState | undefined> {
    this.reads += 1;
    // Out of step, as over a network.
    for (let turns = this.reads % 4; turns > 0; turns -= 1) await nextTurn();
    return this.last;
  }

  async replace(version: string | undefined, next: StoredState): Promise<boolean> {
    await this.beforeWrite();
    if (this.last?.version !== version) return false;
    this.writes += 1;
    this.last = next;
    return true;
  }
}

let store: Store;
let waits: number[];
let sandbox: StoredSandbox;
const newProcess = () =>
  new StoredSandbox({
    seed: SEED,
    store,
    nowMs: () => NOON_MS,
    onUnexpectedError: (error) => {
      throw error;
    },
    wait: async (ms) => void waits.push(ms),
  });
beforeEach(() => {
  store = new Store();
  waits = [];
  sandbox = newProcess();
});

const request = (method: string, path: string, json?: unknown, headers: Record<string, string> = {}) =>
  new Request(`${BASE.replace(/\/prod$/, '')}${path}`, {
    method,
    headers: { 'content-type': 'application/json', ...headers },
    ...(json !== undefined && { body: JSON.stringify(json) }),
  });
const send = (...args: Parameters<typeof request>) => sandbox.fetch(request(...args), BASE);
const control = (method: string, path: string, json?: unknown) => send(method, `/_sandbox/${path}`, json);
const bodyOf = async <T>(answer: Promise<Response>) => (await (await answer).json()) as T;

async function credential() {
  const { clientId, clientSecret } = await bodyOf<Record<string, string>>(
    control('POST', 'credentials', TENANT),
  );
  return {
    grant_type: 'client_credentials',
    scope: 'api/all',
    client_id: clientId,
    client_secret: clientSecret,
  };
}
async function bearer() {
  const { access_token: token } = await bodyOf<{ access_token: string }>(
    send('POST', TOKEN_PATH, await credential()),
  );
  return { authorization: `Bearer ${token}` };
}

it('knows in another process what it has issued, created and counted in this one', async () => {
  const authorization = await bearer();
  const { tenants } = await bodyOf<{ tenants: { authorRefs: string[] }[] }>(control('GET', 'tenants'));
  const authorRef = tenants[0]!.authorRefs[0];
  const contents = '/staging/mea/rest/v1/contents';
  const created = await send('POST', contents, { authorRef, title: 'Training' }, authorization);
  expect(created.status).toBe(201);

  sandbox = newProcess();

  expect(created.headers.get('location')).toMatch(/^\/prod\/staging\/mea\/rest\/v1\/contents\/[0-9a-f]{24}$/);
  const path = created.headers.get('location')!.slice('/prod'.length);
  expect(await bodyOf(send('GET', path, undefined, authorization))).toMatchObject({ title: 'Training' });
  const { requests } = await bodyOf<{ requests: { status: number }[] }>(control('GET', 'counters'));
  expect(requests.map(({ status }) => status)).toEqual([200, 201, 200]);
});

it('saves no credential, key, session or token that it has issued', async () => {
  const state = createState(SEED, { nowMs: () => NOON_MS });
  const post = async (path: string, json: object) => {
    const headers = { 'content-type': 'application/json' };
    const answer = await sandboxApp(state).request(path, {
      method: 'POST',
      headers,
      body: JSON.stringify(json),
    });
    return (await answer.json()) as Record<string, string>;
  };
  const issued = await post('/_sandbox/credentials', TENANT);
  const { apiKey } = await post('/_sandbox/api-keys', TENANT);
  const { authorization, correlationId } = await post('/_sandbox/sessions', TENANT);
  const { access_token: token } = await post(TOKEN_PATH, {
    grant_type: 'client_credentials',
    scope: 'api/all',
    client_id: issued.clientId,
    client_secret: issued.clientSecret,
  });
  const secrets = [issued.clientSecret, apiKey, authorization?.slice('Bearer '.length), correlationId, token];

  expect(secrets).toEqual(secrets.map(() => expect.stringMatching(/^.{20}/) as string));
  expect(secrets.filter((secret) => savedState(state).includes(secret!))).toEqual([]);
});

it('writes nothing for a request that changes nothing', async () => {
  await control('GET', 'tenants');
  await control('POST', 'credentials', { tenantId: 'nobody' });
  expect(store.writes).toBe(0);

  await control('POST', 'credentials', TENANT);

  expect(store.writes).toBe(1);
});

it('takes concurrent requests of many processes one after the other, and loses none', async () => {
  const processes = Array.from({ length: 10 }, newProcess);
  const issued = await Promise.all(
    processes.map(async (process) => {
      const answer = await process.fetch(request('POST', '/_sandbox/credentials', TENANT), BASE);
      return (await answer.json()) as { clientId: string; clientSecret: string };
    }),
  );

  expect(store.writes).toBe(10);
  for (const { clientId: client_id, clientSecret: client_secret } of issued) {
    const json = { grant_type: 'client_credentials', scope: 'api/all', client_id, client_secret };
    expect((await send('POST', TOKEN_PATH, json)).status).toBe(200);
  }
  // Some met another's write.
  expect(waits).not.toEqual([]);
  expect(Math.max(...waits)).toBeLessThanOrEqual(250);
});

it('handles no request twice whose write was confirmed late', async () => {
  const lost = store.replace.bind(store);
  store.replace = async (...args) => {
    await lost(...args);
    // As when the SDK repeats a write after its answer was lost.
    return false;
  };
  const issued = await control('POST', 'credentials', TENANT);

  expect(issued.status).toBe(201);
  expect(store.writes).toBe(1);
});

it('gives up with 503 when others always come first, and changes nothing', async () => {
  await control('POST', 'credentials', TENANT);
  store.beforeWrite = async () => {
    store.last = { version: randomBytes(8).toString('hex'), state: store.last!.state };
  };

  const answer = await control('POST', 'credentials', TENANT);

  expect(answer.status).toBe(503);
  expect(answer.headers.get('retry-after')).toBe('1');
  expect(store.writes).toBe(1);
  expect(store.reads).toBeLessThan(50);
});

it('waits for a delay once, after its write', async () => {
  await control('POST', 'faults', { target: 'token', delayMs: 5000 });
  const json = await credential();
  let conflicts = 3;
  store.beforeWrite = async () => {
    if (conflicts > 0) store.last = { version: `other ${(conflicts -= 1)}`, state: store.last!.state };
  };

  expect((await send('POST', TOKEN_PATH, json)).status).toBe(200);

  expect(waits.filter((ms) => ms >= 1000)).toEqual([5000]);
  expect(waits.at(-1)).toBe(5000);
  expect(waits).toHaveLength(4);
});

it('refuses with 507 what its item cannot hold, and goes on', async () => {
  const answer = await control('POST', 'contents', { ...TENANT, count: 10_000 });
  expect(answer.status).toBe(507);
  expect(await answer.json()).toMatchObject({
    status: 507,
    message: expect.stringContaining('/_sandbox/reset') as string,
  });
  expect(store.writes).toBe(0);

  expect((await control('POST', 'contents', { ...TENANT, count: 10 })).status).toBe(201);
});

it('keeps at most a fourth of an item for those who have no credential', async () => {
  const text = (bytes: number) => randomBytes(bytes).toString('base64url');
  for (let n = 0; n < 320; n += 1) {
    const authorization = `Basic ${Buffer.from(`${text(3000)}:x`).toString('base64')}`;
    await send('GET', `/staging/mea/rest/v1/${text(n % 2 === 0 ? 150 : 3000)}`, undefined, { authorization });
  }

  expect(store.last!.state.length).toBeGreaterThan(50 * 1024);
  expect(store.last!.state.length).toBeLessThan(MAX_ITEM_BYTES / 4);
}, 30_000);

it.each([
  ['reset', { reset: 'before' }],
  ['slowBodyMs', { slowBodyMs: 1000 }],
  ['certificate', { certificate: 'expired' }],
])('refuses the fault %s, which API Gateway cannot show', async (effect, fault) => {
  const answer = await control('POST', 'faults', { target: 'content', ...fault });

  expect(answer.status).toBe(400);
  expect(((await answer.json()) as { message: string }).message).toMatch(
    new RegExp(`^${effect}: found .*; allowed: nothing: this sandbox is behind API Gateway`),
  );
});

it('does not start with a faulty seed', () => {
  expect(() => new StoredSandbox({ seed: {}, store, onUnexpectedError: () => undefined })).toThrow(
    /deployments/,
  );
});
