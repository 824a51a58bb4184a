import { credentialSecretName } from '../../contract/secret-names';
import { RestoreApiUnderTest, START_TIMEOUT_MS } from '../support/restore-api/restore-api-under-test';

const CALLERS = 50;

// Far more than any test needs, for machines that are busy.
jest.setTimeout(30_000);

let api: RestoreApiUnderTest;
let invoke: jest.SpiedFunction<RestoreApiUnderTest['functions']['invoke']>;
let invokeReally: RestoreApiUnderTest['functions']['invoke'];
let restoreArn: string;
beforeAll(async () => {
  api = await RestoreApiUnderTest.start();
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

/** What all of them are told who ask for the same content at once: how many with each status. */
async function restoreAtOnce(contentId: string, callers = CALLERS): Promise<Record<number, number>> {
  invoke.mockClear();
  const told: Record<number, number> = {};
  const answers = await Promise.all(Array.from({ length: callers }, () => api.call({ contentId })));
  for (const { status } of answers) told[status] = (told[status] ?? 0) + 1;
  expect(invocations()).toBe(callers);
  return told;
}

describe('T12: of 50 equal requests at once', () => {
  test('one restores, and 49 learn that there is nothing to restore', async () => {
    const contentId = await api.content();

    expect(await restoreAtOnce(contentId)).toEqual({ 200: 1, 409: 49 });

    expect(await api.platformAnswers(contentId)).toEqual({ 200: 1, 409: 49 });
    expect(await api.changesOf(contentId)).toHaveLength(1);
  });

  test('one restores though the platform takes its time with each', async () => {
    const contentId = await api.content();
    await api.fault({ delayMs: 100, times: CALLERS });

    expect(await restoreAtOnce(contentId)).toEqual({ 200: 1, 409: 49 });

    expect(await api.platformAnswers(contentId)).toEqual({ 200: 1, 409: 49 });
    expect(await api.changesOf(contentId)).toHaveLength(1);
  });

  test('one restores though their token was revoked: at most two requests for each, and one grant for all', async () => {
    const contentId = await api.content();
    await replaceCredential();
    const grantsBefore = await grants();

    expect(await restoreAtOnce(contentId)).toEqual({ 200: 1, 409: 49 });

    const { 401: refused, ...answered } = await api.platformAnswers(contentId);
    expect(answered).toEqual({ 200: 1, 409: 49 });
    expect(refused).toBeGreaterThan(0);
    expect(refused).toBeLessThanOrEqual(CALLERS);
    expect(await api.changesOf(contentId)).toHaveLength(1);
    expect((await grants()) - grantsBefore).toBe(1);
  });

  test('one is left in doubt whose connection broke once it was processed, and nobody sends again', async () => {
    const contentId = await api.content();
    await api.fault({ reset: 'after', times: 1 });

    expect(await restoreAtOnce(contentId)).toEqual({ 504: 1, 409: 49 });

    expect(await api.platformAnswers(contentId)).toEqual({ 0: 1, 409: 49 });
    expect(await api.changesOf(contentId)).toHaveLength(1);
  });
});

describe('T12: of 10 equal requests at once', () => {
  test.each([
    ['whose connections break before they are processed', { reset: 'before' }, 504, 0],
    ['that are answered 500', { status: 500 }, 500, 500],
    ['that are answered 503 with Retry-After', { status: 503, headers: { 'retry-after': '0' } }, 500, 503],
    ['that are answered 502', { status: 502 }, 502, 502],
    ['that are answered 429', { status: 429, headers: { 'retry-after': '0' } }, 429, 429],
  ])('%s, none is sent again', async (_, fault, status, answered) => {
    const contentId = await api.content();
    await api.fault(fault);

    expect(await restoreAtOnce(contentId, 10)).toEqual({ [status]: 10 });

    expect(await api.platformAnswers(contentId)).toEqual({ [answered]: 10 });
    expect(await api.changesOf(contentId)).toEqual([]);
  });
});

describe('T12: API Gateway does not invoke the restore function again', () => {
  const ended = { logTail: '', requestId: 'invocation-1' };

  test.each([
    [
      'that crashed',
      {
        ...ended,
        kind: 'function-error',
        functionError: 'Unhandled',
        payload: Buffer.from('{"errorType":"Runtime.ExitError"}'),
      },
    ],
    ['that answered nothing', { ...ended, kind: 'ok', payload: Buffer.from('null') }],
    [
      'that was throttled',
      { kind: 'throttled', reason: 'ReservedFunctionConcurrentInvocationLimitExceeded' },
    ],
  ] as const)('%s', async (_, result) => {
    const contentId = await api.content();
    invoke.mockImplementation((arn, event) =>
      arn === restoreArn ? Promise.resolve(result) : invokeReally(arn, event),
    );

    expect(await restoreAtOnce(contentId, 5)).toEqual({ 500: 5 });

    expect(await api.platformAnswers(contentId)).toEqual({});
  });
});

/** Loads another credential, and has the platform revoke the one before it with all of its tokens. */
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
