import { sendHttps } from '../journeys/support/https-request';
import { expectRed } from '../support/holes/expect-red';
import { RestoreApiUnderTest, START_TIMEOUT_MS } from '../support/restore-api/restore-api-under-test';
import { restorePath } from '../support/restore-api/restore-path';

/** Linux has all of 127.0.0.0/8. */
const STRANGER = '127.0.0.2';
const RATE_PER_IP = 10;
const BURST = 20;

let api: RestoreApiUnderTest;
beforeAll(async () => {
  api = await RestoreApiUnderTest.start({
    restoreApi: { ratePerIp: RATE_PER_IP, rateLimit: 1, burstLimit: BURST },
  });
}, START_TIMEOUT_MS);
afterAll(() => api?.stop());

async function statusesOf(count: number, headers: Record<string, string>, localAddress?: string) {
  const url = `${api.url}${restorePath(api.tenants[0].tenantId, 'any')}`;
  const statuses: number[] = [];
  for (let sent = 0; sent < count; sent += 1)
    statuses.push((await sendHttps(api.ca, 'POST', url, { headers, body: '{}', localAddress })).status);
  return statuses;
}

/** Five requests of a caller, behind many of a stranger who has no credential. */
async function expectServedBesideStranger() {
  const strangers = await statusesOf(4 * BURST, { 'content-type': 'application/json' }, STRANGER);
  const served = await statusesOf(5, { 'content-type': 'application/json', authorization: api.basic() });

  // 422: the request has no acting user, so nothing is sent to the platform.
  expect(served).toEqual([422, 422, 422, 422, 422]);
  expect(strangers).toContain(401);
  expect(strangers.slice(RATE_PER_IP).filter((status) => status !== 403)).toEqual([]);
}

describe('T20: junk from one address, with a rate for each address', () => {
  test('leaves the limits of the stage to other callers', expectServedBesideStranger);

  test('turns red when the web ACL is not associated with the stage', async () => {
    const { ofStages } = api.apis.webAcls;
    const before = [...ofStages];
    ofStages.clear();
    try {
      await expectRed(expectServedBesideStranger);
    } finally {
      for (const [stage, arn] of before) ofStages.set(stage, arn);
    }
  });
});
