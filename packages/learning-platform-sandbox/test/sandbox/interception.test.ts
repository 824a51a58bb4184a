import { NEIGHBOUR, platformError, PlatformUnderTest, TENANT } from './platform-under-test';

const BROKEN = 0;

let platform: PlatformUnderTest;
beforeEach(() => (platform = new PlatformUnderTest()));

async function archivedId(platform: PlatformUnderTest) {
  return (await platform.tenant()).archivedContentIds[0];
}
async function isArchived(platform: PlatformUnderTest, id: string) {
  return (await platform.tenant()).archivedContentIds.includes(id);
}

describe('a fault that answers', () => {
  test('Errors, general rule 1: a write that fails with 502 leaves the content unmodified', async () => {
    const id = await archivedId(platform);
    await platform.addFault({ target: 'content', status: 502 });

    const answer = await platform.write('restore', id);

    expect(answer).toMatchObject({ status: 502, body: platformError(502, 'Bad Gateway') });
    expect(await isArchived(platform, id)).toBe(true);
  });

  test('sends a string as is, with the given headers', async () => {
    const headers = {
      'Content-Type': 'text/html',
      'Retry-After': '7',
      Date: 'Thu, 01 Jan 1970 00:00:00 GMT',
    };
    await platform.addFault({ target: 'token', status: 429, body: '<p>busy</p>', headers });

    const answer = await platform.requestToken();

    expect(answer).toMatchObject({ status: 429, body: '<p>busy</p>' });
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'text/html',
      'retry-after': '7',
      date: 'Thu, 01 Jan 1970 00:00:00 GMT',
    });
  });

  test.each([[{ access_token: 7 }], [[]], [null], [false]])(
    'sends %j as JSON, with 200 by default',
    async (body) => {
      await platform.addFault({ target: 'token', body });

      const answer = await platform.requestToken();

      expect(answer).toMatchObject({ status: 200, body });
    },
  );

  test('sends no body with a status that has none', async () => {
    await platform.addFault({ target: 'token', status: 204, body: 'ignored' });

    const answer = await platform.requestToken();

    expect(answer).toMatchObject({ status: 204, body: '' });
  });
});

describe('a connection that breaks', () => {
  test('before processing leaves the content unmodified and is counted with status 0', async () => {
    const id = await archivedId(platform);
    await platform.addFault({ target: 'content', reset: 'before' });

    const answer = await platform.write('restore', id);

    expect(answer.status).toBe(BROKEN);
    expect(await isArchived(platform, id)).toBe(true);
    const { body } = await platform.control('GET', 'counters');
    expect(body).toMatchObject({
      requests: expect.arrayContaining([
        expect.objectContaining({ target: 'content', status: 0 }),
      ]) as unknown,
    });
  });

  test('after processing changes the content without an answer', async () => {
    const id = await archivedId(platform);
    await platform.addFault({ target: 'content', reset: 'after' });

    const answer = await platform.write('restore', id);

    expect(answer.status).toBe(BROKEN);
    expect([...answer.headers]).toEqual([]);
    expect(await isArchived(platform, id)).toBe(false);
  });
});

describe('a delay', () => {
  test('ends when the client disconnects, and the request is not processed', async () => {
    const id = await archivedId(platform);
    await platform.addFault({ target: 'content', delayMs: 600_000 });
    const client = new AbortController();

    const pending = platform.write('restore', id, { signal: client.signal });
    setImmediate(() => client.abort());
    const answer = await pending;

    expect(answer.status).toBe(BROKEN);
    expect(await isArchived(platform, id)).toBe(true);
  });
});

describe('a service that the operation depends on fails', () => {
  test('only for the requests that match', async () => {
    const match = { tenantId: TENANT.tenantId, operation: 'list' };
    await platform.addFault({ target: 'content', match, dependency: 'store' });

    const statuses = [
      await platform.readWith(await platform.basic()),
      await platform.readWith(await platform.basic(NEIGHBOUR)),
      (await platform.write('restore', await archivedId(platform))).status,
    ];

    expect(statuses).toEqual([502, 200, 200]);
  });
});

describe('malformed JSON', () => {
  test('is the truncated answer of a processed request', async () => {
    const id = await archivedId(platform);
    const headers = await platform.bearer();
    const { authorRefs } = await platform.tenant();
    await platform.addFault({ target: 'content', malformedJson: true });

    const answer = await platform.sendRaw('POST', `/staging/mea/rest/v1/contents/${id}/restore`, {
      json: { authorRef: authorRefs[0] },
      headers,
    });

    const text = await answer.text();
    expect(answer.status).toBe(200);
    expect(text.startsWith(`{"id":"${id}"`)).toBe(true);
    expect(() => JSON.parse(text) as unknown).toThrow(SyntaxError);
    expect(await isArchived(platform, id)).toBe(false);
  });

  test('does not change an answer without a body', async () => {
    const headers = await platform.bearer('api/webhooks', TENANT, 'webhooks');
    await platform.addFault({ target: 'webhooks', malformedJson: true });

    const answer = await platform.send('GET', '/staging/mea/webhooks/v1', { headers });

    expect(answer).toMatchObject({ status: 204, body: '' });
  });
});

describe('a slow body', () => {
  async function piecesOf(fault: object): Promise<string[]> {
    const headers = await platform.bearer('api/read');
    await platform.addFault({ target: 'content', slowBodyMs: 2, ...fault });
    const answer = await platform.sendRaw('GET', '/staging/mea/rest/v1/contents', { headers });
    const pieces: string[] = [];
    const decoder = new TextDecoder();
    for await (const piece of answer.body as ReadableStream<Uint8Array>) pieces.push(decoder.decode(piece));
    return pieces;
  }

  test("is the platform's own, in ten chunks", async () => {
    const pieces = await piecesOf({});

    expect(pieces).toHaveLength(10);
    expect(JSON.parse(pieces.join(''))).toHaveLength(8);
  });

  test("is the fault's own, in at most as many chunks as bytes", async () => {
    const pieces = await piecesOf({ body: 'abc' });

    expect(pieces).toEqual(['a', 'b', 'c']);
  });

  test('can be truncated as well', async () => {
    const pieces = await piecesOf({ malformedJson: true });

    expect(() => JSON.parse(pieces.join('')) as unknown).toThrow(SyntaxError);
  });

  test('takes the given time', async () => {
    await platform.addFault({ target: 'token', body: 'abc', slowBodyMs: 60 });
    const answer = await platform.sendRaw('POST', '/staging/mea/auth/oauth2/token/t');
    const begunMs = performance.now();

    await answer.text();

    // Timers can fire up to a millisecond early, for each of the three chunks.
    expect(performance.now() - begunMs).toBeGreaterThanOrEqual(57);
  });

  test('ends when the client goes away', async () => {
    const client = new AbortController();
    await platform.addFault({ target: 'token', status: 503, slowBodyMs: 600_000 });
    const answer = await platform.sendRaw('POST', '/staging/mea/auth/oauth2/token/t', {
      signal: client.signal,
    });

    client.abort();

    expect(await answer.text()).toBe('');
  });
});
