import { type InvokeCommand } from '@aws-sdk/client-lambda';
import { createTokenSource, type TokenSource } from '../../../../client';
import { ClientClock } from '../../../client/support/client-clock';
import { FakeAws, KEY, MINUTE_MS } from '../../../client/support/fake-aws';
import { askControl, ORIGIN, sandboxFetch } from '../support/in-process';

const { environment, platformRegion, tenantId } = KEY;
const TENANT = { environment, platformRegion, tenantId };
const DEPLOYMENT_KEY = `${ORIGIN}/${environment}/${platformRegion}`;
const CONTENTS = `${DEPLOYMENT_KEY}/rest/v1/contents`;
const READING = { ...TENANT, interface: 'content', scope: 'api/read' } as const;
const LIFE_MS = 60 * MINUTE_MS;

let clock: ClientClock;
let sandbox: typeof fetch;
let tokens: TokenSource;
/** Status of each request to the content interface. */
let sent: number[];

beforeEach(async () => {
  clock = new ClientClock();
  sandbox = sandboxFetch(
    { cells: [{ environment, platformRegion, tenants: [{ tenantId }] }] },
    {
      nowMs: () => clock.trueMs,
    },
  );
  const aws = new FakeAws(clock);
  const credential = (await askControl(sandbox, 'POST', 'credentials', TENANT)) as Credential;
  const send = async (command: InvokeCommand) => {
    const { scope } = JSON.parse(Buffer.from(command.input.Payload as Uint8Array).toString()) as Ensured;
    aws.store(LIFE_MS, { key: { ...READING, scope }, accessToken: await requestToken(credential, scope) });
    const answer = { ok: true, arn: 'arn', versionId: 'version-1', expiresAt: 'unused', refreshed: true };
    return { Payload: Buffer.from(JSON.stringify(answer)) };
  };
  sent = [];
  tokens = createTokenSource({
    ...aws.options(),
    // Stands in for token-refresh: requests a token from the sandbox and stores it.
    lambda: { send } as unknown as FakeAws['lambda'],
    fetch: async (input, init) => {
      const answer = await sandbox(input, init);
      sent.push(answer.status);
      return answer;
    },
  });
});

interface Credential {
  readonly clientId: string;
  readonly clientSecret: string;
}
interface Ensured {
  readonly scope: 'api/read' | 'api/write';
}

async function requestToken({ clientId, clientSecret }: Credential, scope: string): Promise<string> {
  const answer = await sandbox(`${DEPLOYMENT_KEY}/auth/oauth2/token/${tenantId}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      scope,
      grant_type: 'client_credentials',
      client_id: clientId,
      client_secret: clientSecret,
    }),
  });
  return ((await answer.json()) as { access_token: string }).access_token;
}

async function countOfTokenRequests(): Promise<number> {
  const { requests } = (await askControl(sandbox, 'GET', 'counters')) as {
    requests: { target: string; count: number }[];
  };
  return requests.filter(({ target }) => target === 'token').reduce((sum, { count }) => sum + count, 0);
}

async function revokeToken(): Promise<void> {
  const { accessToken } = await tokens.getToken(READING);
  await askControl(sandbox, 'DELETE', 'tokens', { accessToken });
}

const list = () => tokens.authorizedFetch(READING, CONTENTS);

test('callers share one token until it expires, and none is refused', async () => {
  await Promise.all(Array.from({ length: 20 }, list));
  clock.advance(30 * MINUTE_MS);

  const answer = await list();

  expect(await answer.json()).toHaveLength(8);
  expect(sent).toEqual(Array(21).fill(200));
  expect(await countOfTokenRequests()).toBe(1);
});

test('an expired token is renewed before a request is sent', async () => {
  await list();
  clock.advance(LIFE_MS);

  await list();

  expect(sent).toEqual([200, 200]);
  expect(await countOfTokenRequests()).toBe(2);
});

test('a revoked token is replaced after one 401, and the request is sent twice', async () => {
  await revokeToken();

  const answer = await list();

  expect(answer.status).toBe(200);
  expect(sent).toEqual([401, 200]);
  expect(await countOfTokenRequests()).toBe(2);
});

test('if the platform refuses every token, the request is sent twice and the caller gets the 401', async () => {
  await askControl(sandbox, 'POST', 'faults', { target: 'content', status: 401 });

  const answer = await list();

  expect(answer.status).toBe(401);
  expect(sent).toEqual([401, 401]);
});

test('a restore refused for a revoked token is sent again, and performed once', async () => {
  const { tenants } = (await askControl(sandbox, 'GET', 'tenants')) as {
    tenants: { archivedContentIds: string[]; authorRefs: string[] }[];
  };
  const { archivedContentIds, authorRefs } = tenants[0]!;
  const { accessToken } = await tokens.getToken(KEY);
  await askControl(sandbox, 'DELETE', 'tokens', { accessToken });

  const answer = await tokens.authorizedFetch(KEY, `${CONTENTS}/${archivedContentIds[0]}/restore`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ authorRef: authorRefs[0] }),
    refusalPrecedesProcessing: true,
  });

  expect(await answer.json()).toMatchObject({ status: 'published' });
  expect(sent).toEqual([401, 200]);
  expect(await askControl(sandbox, 'GET', 'audit')).toMatchObject({ changes: [{ operation: 'restore' }] });
});
