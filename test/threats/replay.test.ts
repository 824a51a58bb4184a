import { credentialSecretName } from '../../core/secrets/secret-names';
import {
  DEPLOYMENT_KEY,
  RestoreApiUnderTest,
  START_TIMEOUT_MS,
} from '../support/restore-api/restore-api-under-test';

const CALLERS = 50;

// Much longer than any test needs, for busy machines.
jest.setTimeout(30_000);

let api: RestoreApiUnderTest;
beforeAll(async () => {
  const authorRefs = Array.from({ length: CALLERS }, (_, n) => `author-${n}`);
  api = await RestoreApiUnderTest.start({}, authorRefs);
}, START_TIMEOUT_MS);
afterAll(() => api?.stop());
beforeEach(() => (api.sandbox.received.length = 0));
afterEach(() => api.sandbox.control('DELETE', 'faults'));

/** The number of answers per status; 0 is a broken connection. */
function counted(answers: readonly { status: number }[]): Record<number, number> {
  const counts: Record<number, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

/** Restores one content for many authors at once. @returns the number of callers per status */
const restoreAtOnce = async (contentId: string) =>
  counted(
    await Promise.all(
      api.tenants[0].authorRefs.map((authorRef) => api.call({ contentId, body: { authorRef } })),
    ),
  );

describe('T12: of 50 requests for one content at once', () => {
  test('one restores, and 49 get the answer that there is nothing to restore', async () => {
    const contentId = await api.content();
    await api.fault({ delayMs: 100, times: CALLERS });

    expect(await restoreAtOnce(contentId)).toEqual({ 200: 1, 409: 49 });

    expect(counted(api.sandbox.received)).toEqual({ 200: 1, 409: 49 });
    expect(await api.changesOf(contentId)).toHaveLength(1);
  });

  test('one restores after their token was revoked, with at most two requests per caller and one grant for all', async () => {
    const contentId = await api.content();
    await replaceCredential();
    const grantsBefore = await grants();

    expect(await restoreAtOnce(contentId)).toEqual({ 200: 1, 409: 49 });

    const { 401: refused, ...answered } = counted(api.sandbox.received);
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
  });

  test('one gets an unknown outcome, as its connection broke after processing, and no request is sent again', async () => {
    const contentId = await api.content();
    await api.fault({ reset: 'after', times: 1 });

    expect(await restoreAtOnce(contentId)).toEqual({ 504: 1, 409: 49 });

    expect(counted(api.sandbox.received)).toEqual({ 0: 1, 409: 49 });
    expect(await api.changesOf(contentId)).toHaveLength(1);
  });
});

/** Loads another credential, and makes the platform revoke the previous one with all its tokens. */
async function replaceCredential(): Promise<void> {
  const tenant = { ...DEPLOYMENT_KEY, tenantId: api.tenants[0].tenantId };
  const { versions } = api.secretNamed(credentialSecretName('latchkey', tenant, 'client-credentials'));
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
