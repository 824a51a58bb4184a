import { credentialSecretName } from '../../core/secrets/secret-names';
import { type InvocationResult } from 'cdk-on-loopback/testing';
import { RestoreApiUnderTest, START_TIMEOUT_MS } from '../support/restore-api/restore-api-under-test';

const CALLERS = 50;

// Much longer than any test needs, for busy machines.
jest.setTimeout(30_000);

let api: RestoreApiUnderTest;
let invoke: jest.SpiedFunction<RestoreApiUnderTest['functions']['invoke']>;
let invokeReally: RestoreApiUnderTest['functions']['invoke'];
let restoreArn: string;
beforeAll(async () => {
  const authorRefs = Array.from({ length: CALLERS }, (_, n) => `author-${n}`);
  api = await RestoreApiUnderTest.start({}, { authorRefs });
  invokeReally = api.functions.invoke.bind(api.functions);
  const functions = [...api.account.functions.values()];
  restoreArn = functions.find(({ environment }) => 'TOKEN_REFRESH_ARN' in environment)!.arn;
}, START_TIMEOUT_MS);
afterAll(() => api?.stop());
beforeEach(() => {
  invoke = jest.spyOn(api.functions, 'invoke');
});
afterEach(async () => {
  invoke.mockRestore();
  await api.sandbox.control('DELETE', 'faults');
});

/** How often API Gateway invoked the restore function. */
const invocations = () => invoke.mock.calls.filter(([arn]) => arn === restoreArn).length;

/**
 * Restores one content for many callers at once.
 * @param callers a list of authors, one per caller; or a number of callers with the same author
 * @returns the number of callers per status
 */
async function restoreAtOnce(
  contentId: string,
  callers: number | readonly string[] = CALLERS,
): Promise<Record<number, number>> {
  invoke.mockClear();
  const authorRefs =
    typeof callers === 'number' ? Array<string>(callers).fill(api.tenants[0].authorRefs[0]!) : callers;
  const told: Record<number, number> = {};
  const answers = await Promise.all(
    authorRefs.map((authorRef) => api.call({ contentId, body: { authorRef } })),
  );
  for (const { status } of answers) told[status] = (told[status] ?? 0) + 1;
  expect(invocations()).toBe(authorRefs.length);
  return told;
}

async function expectOneRestore(fault?: object) {
  const contentId = await api.content();
  if (fault) await api.fault(fault);

  expect(await restoreAtOnce(contentId)).toEqual({ 200: 1, 409: 49 });

  expect(await api.platformAnswers(contentId)).toEqual({ 200: 1, 409: 49 });
  expect(await api.changesOf(contentId)).toHaveLength(1);
}

async function expectOneRestoreAfterRevocation() {
  const contentId = await api.content();
  await replaceCredential();
  const grantsBefore = await grants();
  api.sandbox.received.length = 0;

  expect(await restoreAtOnce(contentId, api.tenants[0].authorRefs)).toEqual({ 200: 1, 409: 49 });

  const { 401: refused, ...answered } = await api.platformAnswers(contentId);
  expect(answered).toEqual({ 200: 1, 409: 49 });
  expect(refused).toBeGreaterThan(0);
  expect(api.sandbox.received).toHaveLength(CALLERS + refused!);
  // There are two tokens, and each caller's request is sent at most once with each: at most two requests per
  // caller.
  const shown = api.sandbox.received.map(({ headers, body }) => `${headers.authorization} ${body}`);
  expect(new Set(shown).size === shown.length).toBe(true);
  expect(new Set(api.sandbox.received.map(({ headers }) => headers.authorization)).size).toBe(2);
  expect(await api.changesOf(contentId)).toHaveLength(1);
  expect((await grants()) - grantsBefore).toBe(1);
}

async function expectOneInDoubt() {
  const contentId = await api.content();
  await api.fault({ reset: 'after', times: 1 });

  expect(await restoreAtOnce(contentId)).toEqual({ 504: 1, 409: 49 });

  expect(await api.platformAnswers(contentId)).toEqual({ 0: 1, 409: 49 });
  expect(await api.changesOf(contentId)).toHaveLength(1);
}

const SLOW = { delayMs: 100, times: CALLERS };

describe('T12: of 50 requests for one content at once', () => {
  test('one restores, and 49 get the answer that there is nothing to restore', () => expectOneRestore());

  test('one restores, even if the platform answers slowly', () => expectOneRestore(SLOW));

  test(
    'one restores after their token was revoked, with at most two requests per caller and one grant for all',
    expectOneRestoreAfterRevocation,
  );

  test(
    'one gets an unknown outcome, as its connection broke after processing, and no request is sent again',
    expectOneInDoubt,
  );
});

describe('T12: API Gateway does not invoke the restore function again', () => {
  const ended = { logTail: '', requestId: 'invocation-1' };
  const payload = Buffer.from('{"errorType":"Runtime.ExitError"}');
  const crashed = { ...ended, kind: 'function-error', functionError: 'Unhandled', payload } as const;

  /** @param answer replaces the restore function's answer */
  async function expectOneInvocation(answer: typeof invokeReally) {
    const contentId = await api.content();
    invoke.mockImplementation((arn, event) =>
      arn === restoreArn ? answer(arn, event) : invokeReally(arn, event),
    );

    expect(await restoreAtOnce(contentId, 5)).toEqual({ 500: 5 });

    expect(await api.platformAnswers(contentId)).toEqual({});
  }

  test.each<[string, InvocationResult]>([
    ['that crashed', crashed],
    ['that answered nothing', { ...ended, kind: 'ok', payload: Buffer.from('null') }],
    [
      'that was throttled',
      { kind: 'throttled', reason: 'ReservedFunctionConcurrentInvocationLimitExceeded' },
    ],
  ])('%s', (_, result) => expectOneInvocation(() => Promise.resolve(result)));
});

/** Loads another credential, and makes the platform revoke the previous one with all its tokens. */
async function replaceCredential(): Promise<void> {
  const tenant = {
    environment: 'staging',
    platformRegion: 'mea',
    tenantId: api.tenants[0].tenantId,
  } as const;
  const name = credentialSecretName('latchkey', tenant, 'client-credentials');
  const { versions } = [...api.account.secrets.values()].find((secret) => secret.name === name)!;
  const loaded = [...versions.values()].find(({ stages }) => stages.has('AWSCURRENT'))!;
  const { clientId } = JSON.parse(loaded.secretString!) as { clientId: string };
  loaded.secretString = JSON.stringify(await api.sandbox.control('POST', 'credentials', tenant));
  await api.sandbox.control('DELETE', 'credentials', { clientId });
}

async function grants(): Promise<number> {
  const { requests } = await api.sandbox.control<{ requests: { target: string; count: number }[] }>(
    'GET',
    'counters',
  );
  return requests.filter(({ target }) => target === 'token').reduce((sum, { count }) => sum + count, 0);
}
