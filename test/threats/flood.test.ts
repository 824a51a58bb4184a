import { ALL_NAMES, type Flood, JUNK, MADE_UP_NAMES, OWN_NAME } from './support/floods';
import { AwsGate } from '../faults/support/aws-gate';
import { sendHttps } from '../journeys/support/https-request';
import { RestoreApiUnderTest, START_TIMEOUT_MS } from '../support/restore-api/restore-api-under-test';

const REQUESTS = 12;
/** An authorized request with an empty acting user: nothing is sent to the platform. */
const LET_THROUGH = 422;

// Much longer than any test needs, for busy machines.
jest.setTimeout(30_000);

let api: RestoreApiUnderTest;
let gate: AwsGate;
beforeAll(async () => {
  api = await RestoreApiUnderTest.start();
  gate = await AwsGate.start(process.env.AWS_ENDPOINT_URL!);
  process.env.AWS_ENDPOINT_URL = gate.url;
}, START_TIMEOUT_MS);
afterAll(async () => {
  await gate?.stop();
  await api?.stop();
});
beforeEach(() => {
  gate.reset();
  api.functions.startNewProcesses();
});

const NEW_NAMES = Array.from({ length: REQUESTS }, (_, n) => `me-south-1_New${n}`);
const oneName = () => Array<string>(REQUESTS).fill(api.tenants[0].tenantId);

const SCHEMES: [string, (tenantId: string) => string][] = [
  ['Basic', (tenantId) => api.basic({ tenantId, apiKey: 'wrong' })],
  ['Bearer', () => 'Bearer wrong'],
];

const guess = async (tenantId: string, authorization: string) =>
  (await api.call({ tenantId, contentId: 'any', authorization })).status;

/** Makes Secrets Manager answer every call with an error. */
const failWith = (type: string) => {
  const headers = { 'content-type': 'application/x-amz-json-1.1' };
  const body = Buffer.from(JSON.stringify({ __type: type }));
  gate.intercept = (_, { answer }) => answer({ status: 400, headers, body });
};

/** Sends guesses one after another. @returns the calls of AWS, and how long it took */
async function flood(names: readonly string[], authorization: (tenantId: string) => string) {
  gate.reset();
  const startedMs = performance.now();
  for (const name of names) expect(await guess(name, authorization(name))).toBe(401);
  return { calls: gate.calls.length, tookMs: performance.now() - startedMs };
}

describe('T19: a flood of made-up tenant names', () => {
  async function expectFewCalls(names: readonly string[], authorization: (tenantId: string) => string) {
    const { calls: ofOneLookup } = await flood(names.slice(0, 1), authorization);
    api.functions.startNewProcesses();

    const { calls, tookMs } = await flood(names, authorization);

    expect(ofOneLookup).toBeGreaterThan(0);
    expect(calls).toBeLessThanOrEqual(ofOneLookup * (1 + Math.floor(tookMs / 2_000)));
  }

  test.each(SCHEMES)('costs one lookup in 2 s, as one name does: %s', async (_, authorization) => {
    await expectFewCalls(oneName(), authorization);
    await expectFewCalls(NEW_NAMES, authorization);
  });

  /** The tenant's lookup is not repeated within 5 s, unless the flood evicts it. */
  async function expectServed(authorization: () => string) {
    const restore = () => api.call({ contentId: 'any', authorization: authorization(), body: {} });
    expect((await restore()).status).toBe(LET_THROUGH);
    for (const [, wrong] of SCHEMES)
      await Promise.all(NEW_NAMES.map((tenantId) => guess(tenantId, wrong(tenantId))));
    failWith('AccessDeniedException');

    expect((await restore()).status).toBe(LET_THROUGH);
  }

  const SERVED: [string, () => string][] = [
    ['an API key', () => api.basic()],
    ['a token', () => api.bearer('api/write')],
  ];

  test.each(SERVED)('evicts no tenant that is served with %s', (_, authorization) =>
    expectServed(authorization),
  );
});

describe('T19: a flood while Secrets Manager throttles', () => {
  /** The SDK's attempts of one call. */
  const ATTEMPTS = 3;

  async function expectFewFailures(names: readonly string[]) {
    failWith('ThrottlingException');
    const startedMs = performance.now();

    const statuses = await Promise.all(
      names.map((tenantId) => guess(tenantId, api.basic({ tenantId, apiKey: 'wrong' }))),
    );

    expect(new Set(statuses)).toEqual(new Set([500]));
    const seconds = Math.floor((performance.now() - startedMs) / 1_000);
    expect(gate.calls.length).toBeLessThanOrEqual(ATTEMPTS * (1 + seconds));
  }

  test('costs one failed lookup in a second, for one name and for many', async () => {
    await expectFewFailures(oneName());
    gate.reset();
    await expectFewFailures(NEW_NAMES);
  });
});

describe('T19: a tenant is answered during a flood', () => {
  /** The calls of one lookup: two versions of the API key, or of each of three content tokens. */
  const CALLS = { keys: 2, tokens: 6 };

  /** @param entries how many tenants the authorizer looks up: the tenant, and those of the flood */
  async function expectAnswered(flood: Flood, entries: { keys: number; tokens: number }) {
    const contentId = await api.content();
    const names = api.tenants.map(({ tenantId }) => tenantId);
    expect((await api.call({ contentId })).status).toBe(200);
    gate.reset();
    const startedMs = performance.now();

    for (let n = 0; n < 2 * REQUESTS; n += 1) {
      const { path, headers, body } = flood.request(n, names);
      const { status } = await sendHttps(api.ca, 'POST', `${api.url}${path}`, { headers, body });
      expect([400, 401, 404]).toContain(status);
      if (n % 4 === 0) expect((await api.call({ contentId })).status).toBe(409);
    }

    const each = entries.keys * CALLS.keys + entries.tokens * CALLS.tokens;
    const times = 1 + Math.floor((performance.now() - startedMs) / 2_000);
    expect(gate.calls.length).toBeLessThanOrEqual(each * times);
  }

  test.each([
    { flood: OWN_NAME, entries: { keys: 1, tokens: 1 } },
    { flood: MADE_UP_NAMES, entries: { keys: 2, tokens: 1 } },
    { flood: ALL_NAMES, entries: { keys: 2, tokens: 2 } },
    { flood: JUNK, entries: { keys: 1, tokens: 0 } },
  ])('of $flood.name', ({ flood, entries }) => expectAnswered(flood, entries));
});
