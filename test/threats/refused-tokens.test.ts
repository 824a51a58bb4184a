import { sha256Hex } from '../../contract/sha256';
import { type EnsureAnswer } from '../../contract/token-refresh';
import { RestoreApiUnderTest, START_TIMEOUT_MS } from '../support/restore-api/restore-api-under-test';

/** The status of an authorized request: its acting user is empty, so nothing is sent to the platform. */
const LET_THROUGH = 422;

let api: RestoreApiUnderTest;
// Each test replaces the token, which has a budget of writes.
beforeEach(async () => {
  api = await RestoreApiUnderTest.start();
}, START_TIMEOUT_MS);
afterEach(() => api.stop());

const statusOf = async (authorization: string) => {
  // The last lookup is remembered for some seconds.
  api.functions.startNewProcesses('RestoreAuthorizer');
  return (await api.call({ contentId: 'a', authorization, body: {} })).status;
};

/** Reports a tenant's token as refused by the platform. */
async function report(bearer: string): Promise<EnsureAnswer> {
  const fn = [...api.account.functions.values()].find(({ name }) => /token-?refresh/i.test(name))!;
  const event = {
    action: 'ensure',
    tenantId: api.tenants[0].tenantId,
    interface: 'content',
    scope: 'api/write',
    rejectedTokenSha256: sha256Hex(bearer.slice('Bearer '.length)),
  };
  const result = await api.functions.invoke(fn.arn, Buffer.from(JSON.stringify(event)));
  if (result.kind !== 'ok') throw new Error('token-refresh failed');
  return JSON.parse(result.payload.toString()) as EnsureAnswer;
}

async function expectRefusedOneShutOut(meanwhile: () => void = () => undefined) {
  const refused = api.bearer('api/write');
  expect(await statusOf(refused)).toBe(LET_THROUGH);

  expect(await report(refused)).toMatchObject({ ok: true, refreshed: true });
  meanwhile();

  expect(await statusOf(refused)).toBe(401);
  expect(await statusOf(api.bearer('api/write'))).toBe(LET_THROUGH);
}

describe('a token that the platform refused', () => {
  test('no longer opens the restore API once it was replaced, although it has not expired', () =>
    expectRefusedOneShutOut());

  test('opens it until it is replaced, because a report alone proves nothing', async () => {
    const refused = api.bearer('api/write');
    await api.sandbox.control('POST', 'faults', { target: 'token', status: 503 });

    expect(await report(refused)).toMatchObject({ ok: false, error: { code: 'platform_unavailable' } });

    expect(await statusOf(refused)).toBe(LET_THROUGH);
  });
});
