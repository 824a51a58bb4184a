import * as fc from 'fast-check';

import { type RestoreOperation } from '../../../../core/deployment/deployment-file';
import { HttpsContentPlatform } from '../../../../lambdas/shared/adapters/platform-content';
import { type LoopbackServer } from '../../../support/lambdas/loopback-server';
import { CONTENT_ID, restoringDeploymentOf } from '../../../support/lambdas/restore-functions';
import { TENANT_ID } from '../../../support/lambdas/token-functions';
import { trustedServers } from '../../../support/lambdas/trusted-servers';
import { VirtualClock } from '../../../support/lambdas/virtual-clock';

const TOKEN = 'canary-token';
const BOTH = { authorRef: 'author-1', collaborationId: 'collaboration-1' };

const servers = trustedServers();
let server: LoopbackServer;
let clock: VirtualClock;
beforeEach(async () => {
  server = await servers.start();
  clock = new VirtualClock();
});

/** A platform below `/rest/v1` of a server. */
function platformAt({ url }: LoopbackServer, operation: Partial<RestoreOperation> = {}) {
  const deployment = restoringDeploymentOf([TENANT_ID], operation);
  const platform = { ...deployment.platform, contentBaseUrl: `${url}/rest/v1` };
  return new HttpsContentPlatform({ ...deployment, platform }, clock);
}

function restore({
  contentId = CONTENT_ID,
  actingUser = BOTH,
  leftMs = 5_000,
  at = server,
  ...operation
}: Partial<RestoreOperation> & {
  contentId?: string;
  actingUser?: object;
  leftMs?: number;
  at?: LoopbackServer;
} = {}) {
  const deadlineMs = clock.monotonicMs() + leftMs;
  return platformAt(at, operation).restore(contentId, actingUser, { accessToken: TOKEN }, deadlineMs);
}

describe('the request', () => {
  test('is a POST with the acting user as JSON, and the token', async () => {
    await restore();

    expect(server.requests).toEqual([
      {
        method: 'POST',
        path: `/rest/v1/contents/${CONTENT_ID}/restore`,
        headers: expect.objectContaining({
          authorization: `Bearer ${TOKEN}`,
          'content-type': 'application/json',
          accept: 'application/json',
        }) as object,
        body: JSON.stringify(BOTH),
      },
    ]);
    expect(server.requests[0]?.headers).not.toHaveProperty('x-author-ref');
  });

  test.each<[object, object]>([
    [{ authorRef: 'author-1' }, { 'x-author-ref': 'author-1' }],
    [{ authorRef: 'a: "b", c; \\r\\nx-d: e' }, { 'x-author-ref': 'a: "b", c; \\r\\nx-d: e' }],
    [{ collaborationId: 'collaboration-1' }, { 'x-collaboration-id': 'collaboration-1' }],
  ])('has the acting user %j in headers if configured', async (actingUser, expected) => {
    await restore({ actingUser, actingUserIn: 'header' });

    const { headers, body } = server.requests[0]!;
    const own = Object.entries(headers).filter(([name]) => name.startsWith('x-'));
    expect(Object.fromEntries(own)).toEqual(expected);
    expect(body).toBe('{}');
  });

  test('has the acting user in headers of the configured names', async () => {
    const actingUserHeaders = { authorRef: 'Acting-Author', collaborationId: 'Acting-Team' };

    await restore({ actingUserIn: 'header', actingUserHeaders });

    expect(server.requests[0]!.headers).toMatchObject({
      'acting-author': 'author-1',
      'acting-team': 'collaboration-1',
    });
  });

  test('has the configured method and path', async () => {
    await restore({ method: 'PUT', path: '/v2/{contentId}' });

    expect(server.requests[0]).toMatchObject({ method: 'PUT', path: `/rest/v1/v2/${CONTENT_ID}` });
  });
});

describe('an answer', () => {
  test('is returned unchanged, even 401', async () => {
    server.behavior = (response) => response.writeHead(401, { 'Retry-After': '7' }).end();

    expect(await restore()).toEqual({ kind: 'answered', status: 401, retryAfter: '7', body: '' });
    expect(server.requests).toHaveLength(1);
  });

  test.each([
    ['of 1 MiB is read', 1024 * 1024, 'answered'],
    ['over 1 MiB is unreadable', 1024 * 1024 + 1, 'unreadable'],
  ])('%s', async (_, bytes, kind) => {
    server.behavior = (response) => response.end('x'.repeat(bytes));

    expect((await restore()).kind).toBe(kind);
    expect(server.requests).toHaveLength(1);
  });
});

test('F28: a request that cannot be sent is not_sent, and no byte arrives', async () => {
  const impostor = await servers.start(await servers.issue({ lastsDays: -1 }));

  expect(await restore({ at: impostor })).toMatchObject({
    kind: 'not_sent',
    reason: expect.stringMatching(/^TLS failed/) as string,
  });
  expect(impostor.receivedBytes).toBe(0);
});

describe('F29: a request that was sent', () => {
  test('is no_answer if there is none by the deadline, which setting the clock does not move', async () => {
    // The connection is already open, so that the short time is not spent on TLS.
    await restore();
    server.behavior = () => clock.set(300_000);

    expect(await restore({ leftMs: 50.5 })).toEqual({
      kind: 'no_answer',
      reason: 'no complete answer within 50 ms',
    });
    expect(server.requests).toHaveLength(2);
  });

  test('is no_answer if the connection breaks, and is not sent again', async () => {
    server.behavior = (response) => response.destroy();

    expect(await restore()).toEqual({ kind: 'no_answer', reason: 'connection broke (ECONNRESET)' });
    expect(server.requests).toHaveLength(1);
  });
});

test.each(['/contents/{contentId}:restore', '/contents/restore?id={contentId}'])(
  'the path %s accepts plain ids, and none that would change it',
  async (path) => {
    await restore({ path });
    await expect(restore({ path, contentId: 'a&b=c' })).rejects.toThrow('the content id changes the path');
    await expect(restore({ path, contentId: 'a/../b' })).rejects.toThrow('the content id changes the path');

    expect(server.requests.map((request) => request.path)).toEqual([
      `/rest/v1${path.replace('{contentId}', CONTENT_ID)}`,
    ]);
  },
);

test('a probe has the method of the operation, the token and no acting user', async () => {
  const content = platformAt(server, { method: 'PUT', actingUserIn: 'header' });

  await content.probe('/contents/x:restore?y=1', { accessToken: TOKEN }, clock.monotonicMs() + 5_000);

  const headers = { authorization: `Bearer ${TOKEN}` };
  expect(server.requests).toMatchObject([
    { method: 'PUT', path: '/rest/v1/contents/x:restore?y=1', headers, body: '{}' },
  ]);
  expect(Object.keys(server.requests[0]!.headers).join()).not.toMatch(/x-author|x-collaboration/);
});

test('whatever the id, the path is its prefix and one segment, or nothing is sent (T3)', async () => {
  const hostile = fc.constantFrom('.', '..', '/', '\\', '%', '?', '#', '%2e', '\t', '\n', 'a', ':', '@', ';');
  const contentIds = fc.oneof(
    fc.string({ minLength: 1, unit: 'grapheme' }),
    fc.array(hostile, { minLength: 1, maxLength: 5 }).map((parts) => parts.join('')),
    fc.stringMatching(/^[A-Za-z0-9._~-]{1,128}$/),
  );
  await fc.assert(
    fc.asyncProperty(contentIds, async (contentId) => {
      server.requests.length = 0;

      await restore({ contentId }).catch((error: Error) => error);

      for (const { path } of server.requests) {
        expect(path).toMatch(/^\/rest\/v1\/contents\/[^/?#\\%]+\/restore$/);
        expect(path).toBe(`/rest/v1/contents/${contentId}/restore`);
      }
    }),
    { numRuns: 200 },
  );
});
