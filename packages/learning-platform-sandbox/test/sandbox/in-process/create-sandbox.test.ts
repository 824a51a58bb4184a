import https from 'node:https';
import { setImmediate } from 'node:timers/promises';
import { createSandbox, type Fault, type Sandbox, type SandboxTenant } from '../../../src';
import { handshakeFault } from '../support/https-client';

let sandbox: Sandbox;
let tenant: SandboxTenant;
beforeEach(async () => {
  sandbox = await createSandbox();
  [tenant] = sandbox.tenants;
});
afterEach(() => sandbox.stop());

/** Requests a token with the client credentials of a tenant. */
async function requestToken(of: SandboxTenant, from = sandbox): Promise<Response> {
  const { clientId, clientSecret } = of.clientCredentials;
  return from.fetch(`${from.addresses(of).contentTokenBaseUrl}/oauth2/token/${of.tenantId}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      scope: 'api/all',
      grant_type: 'client_credentials',
      client_id: clientId,
      client_secret: clientSecret,
    }),
  });
}

async function bearer(): Promise<{ authorization: string }> {
  const { access_token } = (await (await requestToken(tenant)).json()) as { access_token: string };
  return { authorization: `Bearer ${access_token}` };
}

const contents = () => `${sandbox.addresses(tenant).contentBaseUrl}/contents`;
const statusOf = async (headers?: Record<string, string>) =>
  (await sandbox.fetch(contents(), { headers })).status;

/** The code and message of the error that the call throws. */
function refusalOf(call: () => unknown): string {
  try {
    call();
  } catch (error) {
    const { code, message } = error as Error & { code?: string };
    return `${code}: ${message}`;
  }
  throw new Error('nothing was thrown');
}

describe('a token for a test', () => {
  test('is accepted, like a requested one, until it expires', async () => {
    const headers = { authorization: `Bearer ${sandbox.issueToken(tenant)}` };

    expect(await statusOf(headers)).toBe(200);
    sandbox.clock.advance(3600);
    expect(await statusOf(headers)).toBe(401);
  });

  test('is revoked with the credential that the sandbox gave its tenant', async () => {
    const headers = { authorization: `Bearer ${sandbox.issueToken(tenant)}` };
    const { clientId } = tenant.clientCredentials;

    await sandbox.control('DELETE', '/credentials', { clientId });

    expect(await statusOf(headers)).toBe(401);
  });

  test('is of a tenant that the sandbox has', () => {
    expect(refusalOf(() => sandbox.issueToken({ ...tenant, tenantId: 'nobody' }))).toMatch(
      /^invalid_input: tenantId: found .*eu-west-2_StagingGl/,
    );
  });

  test('has the scope that the test wants, of its interface', () => {
    expect(sandbox.issueToken({ ...tenant, interface: 'webhooks' })).toMatch(/^.{20,}$/);
    expect(refusalOf(() => sandbox.issueToken({ ...tenant, scope: 'api/webhooks' }))).toMatch(
      /^invalid_input: scope: found .*api\/all, api\/read, api\/write/,
    );
  });
});

describe('a sandbox without options', () => {
  test('serves all four deployments, each with one tenant, and its addresses', () => {
    const names = sandbox.tenants.map((each) => `${each.environment}/${each.platformRegion}`);
    const [origin] = sandbox.controlUrl.split('/_sandbox');

    expect(names).toEqual(['staging/global', 'staging/mea', 'production/global', 'production/mea']);
    expect(sandbox.addresses({ environment: 'production', platformRegion: 'mea' })).toEqual({
      contentBaseUrl: `${origin}/production/mea/rest/v1`,
      contentTokenBaseUrl: `${origin}/production/mea/auth`,
      webhooksBaseUrl: `${origin}/production/mea/webhooks/v1`,
      webhooksTokenBaseUrl: `${origin}/production/mea/webhooks-auth`,
      tenantServiceUrl: `${origin}/tenant-service/live`,
    });
  });

  test('accepts the client credentials of each tenant, and its API key', async () => {
    for (const each of sandbox.tenants) {
      const { contentBaseUrl } = sandbox.addresses(each);
      const basic = Buffer.from(`${each.tenantId}:${each.apiKey.apiKey}`).toString('base64');

      const token = await requestToken(each);
      const list = await sandbox.fetch(`${contentBaseUrl}/contents`, {
        headers: { authorization: `Basic ${basic}` },
      });

      expect([token.status, list.status]).toEqual([200, 200]);
    }
  });
});

describe('its options', () => {
  test('set deployments, tenants, contents and settings', async () => {
    const tenantId = 'eu-west-2_Mine';
    await using mine = await createSandbox({
      deployments: [
        {
          environment: 'staging',
          platformRegion: 'global',
          tenants: [{ tenantId, authorRefs: ['author-1'], contents: [{ title: 'Safety' }] }],
        },
      ],
      restoreAvailable: false,
      nowMs: () => Date.UTC(2030, 0, 1),
    });

    expect(mine.tenants).toMatchObject([
      { tenantId, authorRefs: ['author-1'], apiKey: { validUntil: '2031-01-01T00:00:00.000Z' } },
    ]);
    expect(mine.tenants[0].archivedContentIds).toHaveLength(1);
    expect(await mine.control('GET', '/restore')).toMatchObject({ available: false });
    expect(mine.clock.now().toISOString()).toBe('2030-01-01T00:00:00.000Z');
  });

  const STAGING = { environment: 'staging', platformRegion: 'global' } as const;
  test.each([
    [
      { deployments: [{ ...STAGING, tenants: [{ tenantId: 'a' }, { tenantId: 'a' }] }] },
      /^deployments\[0\]\.tenants\[1\]\.tenantId: found "a"; allowed: a tenant identifier that is not in use$/,
    ],
    [{ separatePorts: 'yes' }, /^separatePorts: found "yes"; allowed: boolean$/],
    [{ nowMs: 5 }, /^nowMs: found 5; allowed: a function that returns milliseconds since 1970$/],
    [{ deployment: [] }, /^deployment: found a field of this name; allowed: .*deployments/],
    [null, /^\(whole input\): found null; allowed: object$/],
  ])('%j is refused with one line that says what is allowed', async (options, line) => {
    await expect(createSandbox(options as object)).rejects.toMatchObject({
      code: 'invalid_input',
      message: expect.stringMatching(line) as string,
    });
  });

  test('that are all wrong are all named at once', async () => {
    const wrong = { keyLagSec: -1, actingUserIn: 'query', deployments: [] } as object;

    const { issues } = (await createSandbox(wrong).catch((error: unknown) => error)) as { issues: string[] };

    expect(issues.map((line) => line.split(':')[0]).sort()).toEqual([
      'actingUserIn',
      'deployments',
      'keyLagSec',
    ]);
  });

  test('addresses of a deployment that is not served are refused', async () => {
    await using mine = await createSandbox({ deployments: [{ ...STAGING, tenants: [{ tenantId: 'a' }] }] });

    expect(refusalOf(() => mine.addresses({ environment: 'production', platformRegion: 'mea' }))).toBe(
      'invalid_input: deployment: found "production/mea"; allowed: staging/global',
    );
  });
});

describe('faults', () => {
  test('apply to requests until they are used up or cleared', async () => {
    const headers = await bearer();
    sandbox.faults.add({ target: 'content', status: 503, times: 1 });
    sandbox.faults.add({ target: 'content', status: 429 });

    const statuses = [await statusOf(headers), await statusOf(headers)];
    const left = sandbox.faults.all();
    sandbox.faults.clear();

    expect(statuses).toEqual([503, 429]);
    expect(left).toEqual([{ target: 'content', status: 429 }]);
    expect(await statusOf(headers)).toBe(200);
  });

  test.each<[Fault | object, RegExp]>([
    [{ target: 'token' }, /^invalid_input: \(whole input\): .*allowed: at least one of status/],
    [
      { target: 'token', certificate: 'expired' },
      /^invalid_input: certificate: found "expired"; allowed: .*separatePorts/,
    ],
  ])('%j is refused', (fault, line) => {
    expect(refusalOf(() => sandbox.faults.add(fault as Fault))).toMatch(line);
    expect(sandbox.faults.all()).toEqual([]);
  });

  test('of certificates apply with separate ports, and only to new connections of their target', async () => {
    await using separate = await createSandbox({ separatePorts: true });
    const { contentBaseUrl, contentTokenBaseUrl } = separate.addresses(separate.tenants[0]);
    separate.faults.add({ target: 'content', certificate: 'expired' });

    const failure = (await separate.fetch(contentBaseUrl).catch((error: unknown) => error)) as Error;

    expect(failure.cause).toMatchObject({ code: 'CERT_HAS_EXPIRED' });
    expect(await handshakeFault(contentTokenBaseUrl, separate.caCertificate)).toBeUndefined();
  });
});

test.each([-1, NaN, 400 * 366 * 86_400])('its clock does not advance by %p s', (advanceSec) => {
  expect(refusalOf(() => sandbox.clock.advance(advanceSec))).toMatch(/^invalid_input: advanceSec: found /);
});

test('requests are recorded, without those to control, until a reset', async () => {
  await sandbox.control('GET', '/tenants');
  await requestToken(tenant);
  await statusOf();
  const recorded = sandbox.requests();

  sandbox.reset();

  expect(recorded).toMatchObject([
    { target: 'token', method: 'POST', status: 200, tenantId: tenant.tenantId },
    { target: 'content', method: 'GET', status: 401 },
  ]);
  expect(sandbox.requests()).toEqual([]);
});

test('control answers with its document, or rejects with its message and status', async () => {
  const { environment, platformRegion, tenantId } = tenant;

  const issued = await sandbox.control('POST', '/credentials', { environment, platformRegion, tenantId });
  const ended = await sandbox.control('DELETE', '/credentials', {
    clientId: tenant.clientCredentials.clientId,
  });

  expect(issued).toMatchObject({ clientId: expect.any(String) as string });
  expect(ended).toBeUndefined();
  await expect(sandbox.control('POST', '/restore', { available: 'no' })).rejects.toMatchObject({
    message: 'control refused POST /restore: available: found "no"; allowed: boolean',
    status: 400,
  });
});

test('sandboxes in one process are independent of each other', async () => {
  await using other = await createSandbox();
  sandbox.faults.add({ target: 'token', status: 503 });
  sandbox.clock.advance(60);

  const crossed = await requestToken(tenant, other);
  const own = await requestToken(other.tenants[0], other);

  expect([crossed.status, own.status, (await requestToken(tenant)).status]).toEqual([401, 200, 503]);
  expect(await handshakeFault(other.controlUrl, sandbox.caCertificate)).toBeDefined();
  expect(sandbox.clock.now().getTime() - other.clock.now().getTime()).toBeGreaterThan(50_000);
});

describe('stopping', () => {
  test('breaks connections, even of delayed requests, and can be repeated', async () => {
    sandbox.faults.add({ target: 'content', delayMs: 600_000, times: 1 });
    const delayed = statusOf().catch((error: Error) => error.message);
    // The fault is used up when the request has arrived.
    while (sandbox.faults.all().length > 0) await setImmediate();

    await Promise.all([sandbox.stop(), sandbox.stop()]);
    await sandbox.stop();

    expect(await delayed).toBe('fetch failed');
    await expect(statusOf()).rejects.toMatchObject({ cause: { code: 'ECONNREFUSED' } });
  });

  test('ends the scope of `await using`', async () => {
    const { contentBaseUrl } = await (async () => {
      await using scoped = await createSandbox();
      return scoped.addresses(scoped.tenants[0]);
    })();

    await expect(sandbox.fetch(contentBaseUrl)).rejects.toMatchObject({ cause: { code: 'ECONNREFUSED' } });
  });
});

describe('its fetch', () => {
  test('trusts the sandbox alone, whose certificate is all that another agent needs', async () => {
    await using other = await createSandbox();
    const agent = new https.Agent({ ca: sandbox.caCertificate });

    const status = await new Promise((resolve, reject) => {
      https.get(contents(), { agent }, (answer) => resolve(answer.resume().statusCode)).on('error', reject);
    });

    expect(status).toBe(401);
    await expect(sandbox.fetch(other.controlUrl)).rejects.toMatchObject({
      message: 'fetch failed',
      cause: { code: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE' },
    });
  });

  test('returns bodies, headers and statuses as they were sent', async () => {
    sandbox.faults.add({
      target: 'content',
      status: 429,
      headers: { 'retry-after': '7' },
      body: 'später',
      times: 1,
    });
    sandbox.faults.add({ target: 'content', status: 204, times: 1 });

    const [busy, empty] = [
      await sandbox.fetch(new URL(contents())),
      await sandbox.fetch(new Request(contents())),
    ];

    expect([busy.status, busy.headers.get('retry-after'), await busy.text()]).toEqual([429, '7', 'später']);
    expect([empty.status, await empty.text()]).toEqual([204, '']);
  });

  test('follows no redirect', async () => {
    const location = 'https://elsewhere.example/';
    sandbox.faults.add({ target: 'content', status: 302, headers: { location } });

    const answer = await sandbox.fetch(contents(), { redirect: 'manual' });

    expect([answer.status, answer.headers.get('location')]).toEqual([302, location]);
    await expect(sandbox.fetch(contents())).rejects.toThrow(TypeError);
  });

  test('rejects with the reason of its signal, before and while it waits', async () => {
    sandbox.faults.add({ target: 'content', delayMs: 600_000 });
    const reason = new Error('enough');
    const controller = new AbortController();
    const waiting = sandbox.fetch(contents(), { signal: controller.signal });
    await setImmediate();
    controller.abort(reason);

    await expect(waiting).rejects.toBe(reason);
    await expect(sandbox.fetch(contents(), { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  });

  test('rejects if the connection breaks, before the answer or in its body', async () => {
    sandbox.faults.add({ target: 'content', reset: 'before', times: 1 });
    sandbox.faults.add({ target: 'content', slowBodyMs: 600_000, times: 1 });

    await expect(statusOf()).rejects.toMatchObject({
      message: 'fetch failed',
      cause: { code: 'ECONNRESET' },
    });
    const slow = await sandbox.fetch(contents());
    const body = slow.text();
    await sandbox.stop();

    await expect(body).rejects.toThrow();
  });
});
