import { type APIGatewayProxyEvent, type Context } from 'aws-lambda';

import { type Problem } from '../../../core/restore/problem';
import { type handler as Handler } from '../../../lambdas/restore/handler';
import { captureOutput, jsonLines } from '../../support/lambdas/captured-output';
import { CertificateAuthority } from '../../support/lambdas/certificates';
import { LoopbackServer } from '../../support/lambdas/loopback-server';
import { AwsStub, loadBundle, type LoadedBundle, useAwsEndpoint } from '../../support/lambdas/restore-bundle';
import { CONTENT_ID, recordOf, restoringDeploymentOf } from '../../support/lambdas/restore-functions';
import { TENANT_ID } from '../../support/lambdas/token-functions';
import { trustAuthority } from '../../support/lambdas/trusted-authority';
import { restorePath } from '../../support/restore-api/restore-path';

const NOT_LOADED = 'eu-west-2_NotLoaded';
const LOADED_LATER = 'eu-west-2_LoadedLater';
/** Not the usual one, which wiring might use by mistake. */
const PREFIX = 'acme-tokens';
const TOKEN = 'canary-token';
const AUTHOR = 'canary-author';
/** `printf canary-author | sha256sum`, the first 16 digits. */
const DIGEST_OF_AUTHOR = 'sha256:b0f1fe8254f59a5c';
const CONTEXT = { awsRequestId: 'invocation-1', getRemainingTimeInMillis: () => 28_000 } as Context;
const HARDENED = { 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' };

const aws = new AwsStub(PREFIX);
let authority: CertificateAuthority;
let awsServer: LoopbackServer;
let platform: LoopbackServer;
let restore: LoadedBundle<typeof Handler>;
let output: () => string;

beforeAll(async () => {
  authority = await CertificateAuthority.create();
  awsServer = await LoopbackServer.start(await authority.issue());
  awsServer.behavior = aws.behavior;
  platform = await LoopbackServer.start(await authority.issue());
  restore = loadRestore();
  aws.storeToken(TENANT_ID, 'api/write', TOKEN);
  aws.tokenRefreshAnswer = { ok: false, error: { code: 'not_loaded', message: 'no credentials are loaded' } };
});
beforeEach(() => {
  trustAuthority(authority.certificatePem);
  useAwsEndpoint(awsServer.url, { TOKEN_REFRESH_ARN: 'token-refresh' });
  platform.requests.length = 0;
  platform.behavior = (response) => response.end(recordOf());
  output = captureOutput();
});
afterEach(() => jest.restoreAllMocks());
afterAll(async () => {
  restore.remove();
  await Promise.all([awsServer.stop(), platform.stop()]);
});

function loadRestore(): LoadedBundle<typeof Handler> {
  const deployment = restoringDeploymentOf([LOADED_LATER, TENANT_ID, NOT_LOADED]);
  return loadBundle('restore', {
    ...deployment,
    prefix: PREFIX,
    platform: { ...deployment.platform, contentBaseUrl: platform.url },
  });
}

/** An event of API Gateway's proxy integration. */
function eventOf({
  tenantId = TENANT_ID,
  contentId = CONTENT_ID,
  contentTypes = ['application/json'],
  body = JSON.stringify({ authorRef: AUTHOR }),
  ...change
}: Partial<APIGatewayProxyEvent> & {
  tenantId?: string;
  contentId?: string;
  contentTypes?: string[];
} = {}): APIGatewayProxyEvent {
  return {
    path: restorePath(tenantId, contentId),
    pathParameters: { tenantId, contentId },
    multiValueHeaders: { 'Content-Type': contentTypes, Authorization: ['Basic canary-caller'] },
    requestContext: { requestId: 'request-1' },
    body,
    isBase64Encoded: false,
    ...change,
  } as APIGatewayProxyEvent;
}
const call = (change?: Parameters<typeof eventOf>[0]) => restore.handler(eventOf(change), CONTEXT);
const lines = () => jsonLines(output());

test('a probe of credential-watch is answered without touching a content', async () => {
  platform.behavior = (response) => {
    response.statusCode = 404;
    response.end('{"status":404}');
  };

  // The other tests' process remembers how the platform answered restores.
  const unused = loadRestore();
  const answer = await unused.handler({ action: 'probe' }, CONTEXT);
  unused.remove();

  expect(answer).toEqual({
    availability: 'undetermined',
    reason: 'it answers 404 to every such request',
  });
  expect(platform.requests.map(({ body }) => body)).toEqual(['{}', '{}', '{}', '{}']);
  expect(platform.requests.map(({ path }) => path).join()).not.toContain(CONTENT_ID);
  expect(output()).toBe('');
});

test('another action than a probe is an error that names the one allowed', async () => {
  await expect(restore.handler({ action: 'restore' } as never, CONTEXT)).rejects.toThrow(
    'action: found "restore"; allowed: "probe"',
  );
});

test('a probe before a tenant was loaded does not delay its first restore', async () => {
  await restore.handler({ action: 'probe' }, CONTEXT);
  aws.storeToken(LOADED_LATER, 'api/write', TOKEN);

  expect(await call({ tenantId: LOADED_LATER })).toMatchObject({ statusCode: 200 });
});

describe('a success', () => {
  test('is a 200 with the record', async () => {
    const answer = await call();

    expect(answer).toMatchObject({ statusCode: 200, body: recordOf() });
    expect(answer.headers).toEqual({ ...HARDENED, 'Content-Type': 'application/json' });
    expect(platform.requests).toHaveLength(1);
  });

  test('accepts a body in base64, and headers in any case', async () => {
    const body = Buffer.from(JSON.stringify({ collaborationId: 'c' })).toString('base64');
    const multiValueHeaders = { 'CONTENT-TYPE': ['application/json'] };

    const answer = await call({ body, isBase64Encoded: true, multiValueHeaders });

    expect(answer.statusCode).toBe(200);
    expect(platform.requests[0]?.body).toBe('{"collaborationId":"c"}');
  });
});

// A policy may name a tenant or a content; whether it would match an encoded letter, AWS does not document.
describe('an id with an encoded letter', () => {
  const encoded = TENANT_ID.replace(/./, (letter) => `%${letter.charCodeAt(0).toString(16)}`);
  const by = (requestContext: object) =>
    call({
      path: `/tenants/${encoded}/contents/${CONTENT_ID}/restore`,
      requestContext: { requestId: 'request-1', ...requestContext } as never,
    });

  test('is refused if IAM authorized the path', async () => {
    const userArn = 'arn:aws:sts::111122223333:assumed-role/Service/session';

    const body = expect.stringContaining('"unknown_tenant"') as string;
    expect(await by({ identity: { userArn } })).toMatchObject({ statusCode: 404, body });
    expect(platform.requests).toEqual([]);
  });

  test.each(['basic', 'bearer'])('is the same id if the authorizer read it (%s)', async (scheme) => {
    expect(await by({ authorizer: { scheme, caller: 'api-key' } })).toMatchObject({ statusCode: 200 });
  });
});

describe('any other result is a problem', () => {
  test.each<[number, string, Parameters<typeof eventOf>[0]]>([
    [404, 'unknown_tenant', { path: '/' }],
    [415, 'unsupported_media_type', { multiValueHeaders: null as never }],
    [400, 'malformed_json', { body: null }],
    [422, 'invalid_request', { body: '{}' }],
    [502, 'token_unavailable', { tenantId: NOT_LOADED }],
  ])('%i %s, with nothing sent: %#', async (status, code, change) => {
    const answer = await call(change);

    const problem = JSON.parse(answer.body) as Problem;
    expect(answer.statusCode).toBe(status);
    expect(problem).toEqual({
      type: 'about:blank',
      title: expect.any(String) as string,
      status,
      detail: expect.any(String) as string,
      code,
      requestId: 'request-1',
    });
    expect(answer.headers).toEqual({
      ...HARDENED,
      'Content-Type': 'application/problem+json',
      ...(status === 415 && { Accept: 'application/json' }),
    });
    expect(platform.requests).toEqual([]);
  });

  test('never has a text of the platform', async () => {
    platform.behavior = (response) => response.writeHead(409).end('{"message":"canary-upstream"}');

    const { body } = await call();

    expect(JSON.parse(body)).toMatchObject({ status: 409, code: 'not_archived' });
    expect(body + output()).not.toContain('canary-upstream');
  });

  // The function needs 3 s for the request and reserves 1.5 s to answer before Lambda's timeout.
  test('with only 4.4 s left, it answers 502 token_unavailable and sends nothing', async () => {
    const context = { ...CONTEXT, getRemainingTimeInMillis: () => 4_400 };

    const answer = await restore.handler(eventOf(), context);

    expect(answer.statusCode).toBe(502);
    expect(JSON.parse(answer.body)).toMatchObject({ code: 'token_unavailable' });
    expect(platform.requests).toEqual([]);
  });

  test('passes on the Retry-After of the platform’s 429', async () => {
    platform.behavior = (response) => response.writeHead(429, { 'Retry-After': '7' }).end();

    expect(await call()).toMatchObject({ statusCode: 429, headers: { 'Retry-After': '7' } });
  });
});

describe('the log', () => {
  test('is one line with the result, and the metrics', async () => {
    const startedMs = performance.now();
    await call();
    const tookMs = performance.now() - startedMs;

    const [log, metric] = lines();
    expect(log).toEqual({
      level: 'INFO',
      timestamp: expect.any(String) as string,
      message: 'restore answered',
      requestId: 'invocation-1',
      tenantId: TENANT_ID,
      contentId: CONTENT_ID,
      authorRef: AUTHOR,
      code: 'restored',
      status: 200,
      upstreamStatus: 200,
      apiRequestId: 'request-1',
      durationMs: expect.any(Number) as number,
    });
    expect(Number.isInteger(log?.durationMs)).toBe(true);
    expect(log?.durationMs).toBeLessThanOrEqual(Math.ceil(tookMs));
    expect(metric).toMatchObject({
      Restored: 1,
      RestoreLatency: log?.durationMs,
      environment: 'staging',
      platformRegion: 'mea',
    });
  });

  test('says who called, and counts the outcome', async () => {
    const caller = { scheme: 'basic', caller: 'api-key', callerVersion: 'previous', callerVersionId: 'v0' };
    platform.behavior = (response) => response.writeHead(422).end();

    await call({ requestContext: { requestId: 'request-1', authorizer: caller } as never });

    const [log, metric] = lines();
    expect(log).toMatchObject({ ...caller, code: 'rejected_by_platform', authorRef: DIGEST_OF_AUTHOR });
    expect(metric).toMatchObject({ RestoreRefused: 1 });
  });

  test('has a line with the outcome that API Gateway answers when the function crashes', async () => {
    const deployment = { ...restoringDeploymentOf(), tenants: null as never };
    const broken = loadBundle<typeof Handler>('restore', deployment);

    await expect(broken.handler(eventOf(), CONTEXT)).rejects.toThrow(TypeError);
    broken.remove();

    const asked = { tenantId: TENANT_ID, contentId: CONTENT_ID, authorRef: AUTHOR };
    const outcome = { code: 'outcome_unknown', status: 500, reason: 'crashed' };
    expect(lines()).toMatchObject([{ level: 'ERROR', message: 'restore answered', ...asked, ...outcome }]);
  });

  test('never contains a token, a credential of the caller or a text that was refused', async () => {
    await call({ body: JSON.stringify({ authorRef: `${AUTHOR}\n` }) });
    await call({ body: `{"${AUTHOR}":` });
    platform.behavior = (response) => response.destroy();
    const body = '{"authorRef":"author-1"}';
    await call({ body });
    await call({ body, tenantId: NOT_LOADED });
    await call({ body, contentId: `${AUTHOR}/..` });

    expect(lines()).toHaveLength(10);
    for (const canary of [TOKEN, AUTHOR, 'canary-caller']) expect(output()).not.toContain(canary);
  });
});
