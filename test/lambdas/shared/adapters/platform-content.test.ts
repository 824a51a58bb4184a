import * as fc from 'fast-check';

import { type RestoreOperation } from '../../../../core/deployment/deployment-file';
import { HttpsContentPlatform } from '../../../../lambdas/shared/adapters/platform-content';
import { CertificateAuthority, selfSigned } from '../../../support/lambdas/certificates';
import { LoopbackServer } from '../../../support/lambdas/loopback-server';
import { CONTENT_ID, restoringDeploymentOf } from '../../../support/lambdas/restore-functions';
import { TENANT_ID } from '../../../support/lambdas/token-functions';
import { trustAuthority } from '../../../support/lambdas/trusted-authority';
import { VirtualClock } from '../../../support/lambdas/virtual-clock';

const TOKEN = 'canary-token';
const BOTH = { authorRef: 'author-1', collaborationId: 'collaboration-1' };
const clock = new VirtualClock();

let authority: CertificateAuthority;
let server: LoopbackServer;
beforeAll(async () => {
  authority = await CertificateAuthority.create();
});
beforeEach(async () => {
  trustAuthority(authority.certificatePem);
  server = await LoopbackServer.start(await authority.issue());
});
afterEach(async () => {
  await server.stop();
  jest.restoreAllMocks();
});

/** Sends a restore to a platform below `/rest/v1` of a server. */
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
  const deployment = restoringDeploymentOf([TENANT_ID], operation);
  const platform = { ...deployment.platform, contentBaseUrl: `${at.url}/rest/v1` };
  const content = new HttpsContentPlatform({ ...deployment, platform }, clock);
  return content.restore(contentId, actingUser, { accessToken: TOKEN }, clock.monotonicMs() + leftMs);
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
    [BOTH, { 'x-author-ref': 'author-1', 'x-collaboration-id': 'collaboration-1' }],
    [{ authorRef: 'author-1' }, { 'x-author-ref': 'author-1' }],
    [{ collaborationId: 'collaboration-1' }, { 'x-collaboration-id': 'collaboration-1' }],
  ])('has the acting user %j in headers if configured', async (actingUser, expected) => {
    await restore({ actingUser, actingUserIn: 'header' });

    const [{ headers, body }] = server.requests as [(typeof server.requests)[number]];
    expect(Object.fromEntries(Object.entries(headers).filter(([name]) => name.startsWith('x-')))).toEqual(
      expected,
    );
    expect(body).toBe('{}');
    expect(headers['content-type']).toBe('application/json');
  });

  test('has the acting user in headers of the configured names', async () => {
    const actingUserHeaders = { authorRef: 'Acting-Author', collaborationId: 'Acting-Team' };

    await restore({ actingUserIn: 'header', actingUserHeaders });

    const [{ headers }] = server.requests as [(typeof server.requests)[number]];
    expect(headers).toMatchObject({ 'acting-author': 'author-1', 'acting-team': 'collaboration-1' });
    expect(Object.keys(headers).filter((name) => name.startsWith('x-'))).toEqual([]);
  });

  test('has the configured method and path', async () => {
    await restore({ method: 'PUT', path: '/v2/{contentId}' });

    expect(server.requests[0]).toMatchObject({ method: 'PUT', path: `/rest/v1/v2/${CONTENT_ID}` });
  });
});

describe('an answer', () => {
  test.each([200, 204, 401, 409, 502, 503])('with %i is returned unchanged', async (status) => {
    server.behavior = (response) => response.writeHead(status, { 'Retry-After': '7' }).end();

    expect(await restore()).toEqual({ kind: 'answered', status, retryAfter: '7', body: '' });
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

  test('that is not HTTP is unreadable', async () => {
    server.behavior = ({ socket }) => void socket!.write('SSH-2.0-x\r\n');

    expect(await restore()).toEqual({
      kind: 'unreadable',
      reason: 'the answer is not HTTP (HPE_INVALID_CONSTANT)',
    });
  });
});

test.each([-300_000, 300_000])(
  'setting the wall clock by %d ms does not move the deadline',
  async (setMs) => {
    server.behavior = () => undefined;
    clock.set(setMs);

    const result = await restore({ leftMs: 50.5 });

    clock.set(-setMs);
    expect(result).toEqual({ kind: 'no_answer', reason: 'no complete answer within 50 ms' });
  },
);

describe('F28: a request that cannot be sent', () => {
  test('is not_sent if the port is closed', async () => {
    const gone = await LoopbackServer.start(await authority.issue());
    await gone.stop();

    expect(await restore({ at: gone })).toEqual({
      kind: 'not_sent',
      reason: 'no connection (ECONNREFUSED)',
    });
  });

  test.each([
    ['is self-signed', () => selfSigned()],
    ['is another host’s', () => authority.issue({ name: 'other.example' })],
    ['has ended', () => authority.issue({ lastsDays: -1 })],
  ])('is not_sent if the certificate %s, and no byte arrives', async (_, certificate) => {
    const impostor = await LoopbackServer.start(await certificate());

    const result = await restore({ at: impostor });

    expect(result).toMatchObject({
      kind: 'not_sent',
      reason: expect.stringMatching(/^TLS failed/) as string,
    });
    expect(impostor.receivedBytes).toBe(0);
    await impostor.stop();
  });
});

describe('F29: a request that was sent', () => {
  test('is no_answer if there is none in time', async () => {
    // The connection is already open, so that the short time is not spent on TLS.
    await restore();
    server.behavior = () => undefined;

    const result = await restore({ leftMs: 30 });

    expect(result).toEqual({ kind: 'no_answer', reason: 'no complete answer within 30 ms' });
    expect(server.requests).toHaveLength(2);
  });

  test('is no_answer if the connection breaks, and is not sent again', async () => {
    server.behavior = (response) => response.destroy();

    expect((await restore()).kind).toBe('no_answer');
    expect(server.requests).toHaveLength(1);
  });

  test('is no_answer if the response is cut off', async () => {
    server.behavior = (response) => {
      response.writeHead(200, { 'Content-Length': '100' }).write('{"id":');
      setImmediate(() => response.destroy());
    };

    expect((await restore()).kind).toBe('no_answer');
    expect(server.requests).toHaveLength(1);
  });

  test('has a reason that contains neither the token nor the acting user', async () => {
    server.behavior = (response) => response.destroy();

    const said = JSON.stringify(await restore());

    expect(said).not.toContain(TOKEN);
    expect(said).not.toContain('author-1');
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
  const deployment = restoringDeploymentOf([TENANT_ID], { method: 'PUT', actingUserIn: 'header' });
  const platform = { ...deployment.platform, contentBaseUrl: `${server.url}/rest/v1` };
  const content = new HttpsContentPlatform({ ...deployment, platform }, clock);

  await content.probe('/contents/x:restore?y=1', { accessToken: TOKEN }, clock.monotonicMs() + 5_000);

  expect(server.requests).toMatchObject([
    { method: 'PUT', path: '/rest/v1/contents/x:restore?y=1', headers: { authorization: `Bearer ${TOKEN}` } },
  ]);
  expect(server.requests[0]).toMatchObject({ body: '{}' });
  expect(Object.keys(server.requests[0]!.headers).join()).not.toMatch(/x-author|x-collaboration/);
});

test.each([
  '.',
  '..',
  '../../admin',
  'a/b',
  'a\\b',
  '%2e%2e',
  'a?b',
  'a#b',
  'a b',
  'ä',
  '\0',
  'a\r\nHost: x',
])('the id %j, which would change the path, is not sent (T3)', async (contentId) => {
  await expect(restore({ contentId })).rejects.toThrow('the content id changes the path');
  expect(server.connections).toBe(0);
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
