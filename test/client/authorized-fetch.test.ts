import { createTokenSource, type AuthorizedRequestInit, type TokenSource } from '../../client';
import { FakeAws, KEY, MINUTE_MS } from './support/fake-aws';
import { failureOf } from '../support/lambdas/failure-of';

const URL_OF_RECORD = 'https://content.example/contents/1';

let aws: FakeAws;
let tokens: TokenSource;
let sent: { url: string; token: string | null; init: RequestInit }[];
/** A fake fetch that answers with these statuses in order, then with 200. */
let answers: (Response | Error)[];

beforeEach(() => {
  aws = new FakeAws();
  aws.store(60 * MINUTE_MS);
  [sent, answers] = [[], []];
  const send = async (url: unknown, init: RequestInit = {}) => {
    sent.push({ url: String(url), token: new Headers(init.headers).get('authorization'), init });
    init.signal?.throwIfAborted();
    const answer = answers.shift() ?? new Response('done');
    if (answer instanceof Error) throw answer;
    return answer;
  };
  tokens = createTokenSource({ ...aws.options(), fetch: send });
});

const refusal = () => new Response('refused', { status: 401 });
const fetchFrom = (url: string) => tokens.authorizedFetch(KEY, url);
const request = (init?: AuthorizedRequestInit) => tokens.authorizedFetch(KEY, URL_OF_RECORD, init);
const sentTokens = () => sent.map(({ token }) => token);

describe('a request', () => {
  test('carries the token and the caller’s options, and follows no redirect, whatever they say', async () => {
    const { signal } = new AbortController();
    const headers = { 'content-type': 'application/json' };
    const options = { method: 'POST', headers, body: '{}', signal, redirect: 'follow' };
    await request(options);

    expect(sent).toMatchObject([{ url: URL_OF_RECORD, token: 'Bearer token-1' }]);
    const { init } = sent[0]!;
    expect(init).toMatchObject({ method: 'POST', body: '{}', redirect: 'manual' });
    expect(init.signal).toBe(signal);
    expect(new Headers(init.headers).get('content-type')).toBe('application/json');
  });

  test('passes on the trace of its caller unchanged, also when it is repeated with another token', async () => {
    const trace = {
      traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
      tracestate: 'a=1',
    };
    answers = [refusal()];

    await request({ headers: trace });

    expect(sent).toHaveLength(2);
    for (const { init } of sent) expect(Object.fromEntries(new Headers(init.headers))).toMatchObject(trace);
  });

  test.each<[string, () => Promise<unknown>, RegExp]>([
    ['to http', () => fetchFrom('http://content.example/'), /^input: .*; allowed: https:$/],
    ['to http on loopback', () => fetchFrom('http://127.0.0.1/'), /^input: .*; allowed: https:$/],
    ['to ftp', () => fetchFrom('ftp://content.example/'), /^input: .*; allowed: https:$/],
    ['to data', () => fetchFrom('data:,x'), /^input: .*; allowed: https:$/],
    ['to a URL with a password', () => fetchFrom('https://user:canary@a.example/'), /^input: .*; allowed: /],
    [
      'with an authorization',
      () => request({ headers: { Authorization: 'canary' } }),
      /^headers: .*; allowed: /,
    ],
    // Copying a Request loses its fields.
    ['given as a Request', () => fetchFrom(new Request(URL_OF_RECORD) as never), /^input: .*; allowed: /],
    ['with a Request for its options', () => request(new Request(URL_OF_RECORD)), /^init: .*; allowed: /],
  ])('%s is rejected before a token is read, by an error without secrets', async (_, call, message) => {
    const failure = await failureOf(call());

    expect(failure).toBeInstanceOf(TypeError);
    expect(failure.message).toMatch(message);
    expect(failure.message).not.toContain('canary');
    expect([sent, aws.reads]).toEqual([[], []]);
  });

  test.each([200, 302, 403, 500])(
    'answered with %p is not repeated, and its token is kept',
    async (status) => {
      answers.push(new Response(null, { status }));

      expect((await request()).status).toBe(status);
      expect((await tokens.getToken(KEY)).accessToken).toBe('token-1');
      expect(sent).toHaveLength(1);
    },
  );
});

describe('on 401', () => {
  test.each([undefined, 'GET', 'get', 'HEAD', 'OPTIONS'])(
    'method %p is repeated once with the next token',
    async (method) => {
      const first = refusal();
      answers.push(first);

      expect(await (await request({ method })).text()).toBe('done');
      expect(sentTokens()).toEqual(['Bearer token-1', 'Bearer token-2']);
      expect(aws.invocations).toHaveLength(1);
      expect(first.bodyUsed).toBe(true);
    },
  );

  test('a new second token that is also refused is not replaced, and is still served', async () => {
    for (let call = 0; call < 50; call += 1) {
      answers.push(refusal(), refusal());
      expect((await request()).status).toBe(401);
      answers.length = 0;
    }

    expect(aws.invocations).toHaveLength(1);
    expect((await tokens.getToken(KEY)).accessToken).toBe('token-2');
  });

  test('replaces a stored token that was revoked together with the one in memory', async () => {
    await tokens.getToken(KEY);
    aws.store(50 * MINUTE_MS);
    aws.clock.advance(2 * MINUTE_MS);
    answers.push(refusal(), refusal());

    expect((await request()).status).toBe(200);
    expect(sentTokens()).toEqual(['Bearer token-1', 'Bearer token-2', 'Bearer token-3']);
    expect(aws.invocations).toHaveLength(1);
  });

  test('100 concurrent requests replace a revoked stored token once', async () => {
    await tokens.getToken(KEY);
    aws.store(50 * MINUTE_MS);
    aws.clock.advance(2 * MINUTE_MS);
    answers.push(...Array.from({ length: 200 }, refusal));

    const all = await Promise.all(Array.from({ length: 100 }, () => request()));

    expect(new Set(all.map(({ status }) => status))).toEqual(new Set([200]));
    expect(aws.invocations).toHaveLength(1);
  });

  test('does not replace a stored token that another process has just renewed', async () => {
    await tokens.getToken(KEY);
    aws.store(60 * MINUTE_MS);
    answers.push(refusal(), refusal());

    expect((await request()).status).toBe(401);
    expect(sentTokens()).toEqual(['Bearer token-1', 'Bearer token-2']);
    expect(aws.invocations).toEqual([]);
  });

  test('replaces a token whose rejections were ignored if it is refused ten minutes later', async () => {
    answers.push(refusal(), refusal());
    await request();
    aws.clock.advance(10 * MINUTE_MS);
    answers.push(refusal());

    expect((await request()).status).toBe(200);
    expect(sentTokens()).toEqual(['Bearer token-1', 'Bearer token-2', 'Bearer token-2', 'Bearer token-3']);
  });

  test.each(['POST', 'PUT', 'PATCH', 'DELETE'])(
    'method %s is not repeated, but the next call gets another token',
    async (method) => {
      answers.push(refusal());

      const answer = await request({ method });
      const invocations = aws.invocations.length;
      await request({ method });

      expect([answer.status, await answer.text()]).toEqual([401, 'refused']);
      expect(invocations).toBe(0);
      expect(sentTokens()).toEqual(['Bearer token-1', 'Bearer token-2']);
    },
  );

  test.each<[string, () => RequestInit['body'], number]>([
    ['none', () => undefined, 2],
    ['null', () => null, 2],
    ['a text', () => 'a', 2],
    ['bytes', () => new Uint8Array(1), 2],
    ['a buffer', () => new ArrayBuffer(1), 2],
    ['a form', () => new FormData(), 2],
    ['a blob', () => new Blob(['a']), 2],
    ['parameters', () => new URLSearchParams('a=b'), 2],
    ['a stream', () => new Blob(['a']).stream(), 1],
  ])('a body that is %s is sent again only if possible', async (_, body, times) => {
    answers.push(refusal());

    const answer = await request({ method: 'POST', body: body(), refusalPrecedesProcessing: true });
    const next = await tokens.getToken(KEY);

    expect(sent).toHaveLength(times);
    expect(sent[0]!.init).not.toHaveProperty('refusalPrecedesProcessing');
    expect(answer.status).toBe(times === 2 ? 200 : 401);
    expect(next.accessToken).toBe('token-2');
  });

  test.each([
    ['the token is served on', 'write_budget_spent'],
    ['no token is served', 'credential_refused'],
  ] as const)('returns the first response unread if %s, because %s', async (_, code) => {
    answers.push(refusal());
    aws.refreshAnswers.push({ ok: false, error: { code, message: 'why' } });

    const answer = await request();

    expect([answer.status, await answer.text()]).toEqual([401, 'refused']);
    expect(sent).toHaveLength(1);
  });

  test('repeats the request even if the first response breaks off', async () => {
    const broken = new ReadableStream({ start: (controller) => controller.error(new Error('reset')) });
    answers.push(new Response(broken, { status: 401 }));

    expect((await request()).status).toBe(200);
  });
});

describe('a caller who aborts', () => {
  test('before the call sends nothing', async () => {
    const signal = AbortSignal.abort(new Error('gone'));

    expect(await failureOf(request({ signal }))).toMatchObject({ message: 'gone' });
    expect(sent).toEqual([]);
  });

  test('during the wait for the next token sends nothing more', async () => {
    const caller = new AbortController();
    answers.push(refusal());
    await tokens.getToken(KEY);
    aws.latency = async () => caller.abort(new Error('gone'));

    expect(await failureOf(request({ signal: caller.signal }))).toMatchObject({ message: 'gone' });
    expect(sent).toHaveLength(1);
  });
});
