import { createHash } from 'node:crypto';

import { type TokenValue } from '../../contract/secret-values';
import { type TokenKey } from '../../contract/token-key';
import { CallerProcesses } from './support/caller-processes';
import { load, type Place, placeOf, replaceCredential, tokenArn } from './support/journeys';
import { tokenRequests } from './support/restore-calls';
import { RunningSystem } from './support/running-system';
import { type LocalConfiguration } from './support/synthesized-app';

const PROCESSES = 8;
const CALLERS_EACH = 125;

let system: RunningSystem;
let callers: CallerProcesses | undefined;

beforeAll(async () => {
  system = await RunningSystem.startConfigured(change, ['--no-job']);
});
afterEach(async () => {
  await callers?.stop();
  callers = undefined;
});
afterAll(() => system.stop());

/** Leaves the concurrency of token-refresh unreserved in one deployment, which is the default. */
function change({ deployments }: LocalConfiguration): void {
  const free = deployments.find((each) => each.environment === 'staging' && each.platformRegion === 'mea')!;
  Object.assign(free, { reservedConcurrency: undefined });
}

function keyOf({ deployment, tenant }: Place): TokenKey {
  const { environment, platformRegion } = deployment;
  return { environment, platformRegion, tenantId: tenant.tenantId, interface: 'content', scope: 'api/read' };
}

const contentsUrl = ({ deployment }: Place) => `${deployment.platform.contentBaseUrl}/contents`;
const ALL_OK = Array.from({ length: PROCESSES }, () => ({
  type: 'fetched',
  statuses: Array.from({ length: CALLERS_EACH }, () => 200),
  failures: [],
}));

/** Every caller sends a request with a token that the platform has just revoked. */
async function refuseAllAtOnce(place: Place) {
  callers = await CallerProcesses.start(system, PROCESSES, keyOf(place));
  // Opens the connections first: a thousand handshakes would delay the platform's answers to token-refresh.
  expect(await callers.fetchInTurn(CALLERS_EACH, contentsUrl(place))).toEqual(ALL_OK);
  const before = await tokenRequests(place);
  await replaceCredential(place);
  return { before, reports: await callers.fetch(CALLERS_EACH, contentsUrl(place)) };
}

describe(`${PROCESSES} processes with ${CALLERS_EACH} callers each, with one process of token-refresh`, () => {
  let place: Place;
  beforeAll(async () => {
    place = placeOf(system, 'production', 'mea');
    await load(place);
  });

  it('cost the platform one token request if no token is stored', async () => {
    callers = await CallerProcesses.start(system, PROCESSES, keyOf(place));

    const reports = await callers.ask(CALLERS_EACH);

    expect(reports.flatMap(({ failures }) => failures)).toEqual([]);
    expect(new Set(reports.flatMap(({ tokenDigests }) => tokenDigests)).size).toBe(1);
    expect(Math.min(...reports.map(({ leastLifeLeftSec }) => leastLifeLeftSec))).toBeGreaterThan(3500);
    expect(await tokenRequests(place)).toBe(1);
  });

  it('cost one more token request if all callers get 401 at once', async () => {
    const { before, reports } = await refuseAllAtOnce(place);

    expect(reports).toEqual(ALL_OK);
    expect(await tokenRequests(place)).toBe(before + 1);
  });
});

describe('the same callers, with any number of token-refresh processes', () => {
  let place: Place;
  beforeAll(async () => {
    place = placeOf(system, 'staging', 'mea');
    await load(place);
  });

  it('cost at most one token request per process, and all callers get the stored token', async () => {
    callers = await CallerProcesses.start(system, PROCESSES, keyOf(place));

    const reports = await callers.ask(CALLERS_EACH);

    expect(reports.flatMap(({ failures }) => failures)).toEqual([]);
    const requests = await tokenRequests(place);
    expect(requests).toBeGreaterThanOrEqual(1);
    expect(requests).toBeLessThanOrEqual(PROCESSES);
    // Of several tokens requested, one was stored, and all callers use that one.
    const { accessToken } = await system.secret<TokenValue>(tokenArn(place, 'api/read'));
    expect([...new Set(reports.flatMap(({ tokenDigests }) => tokenDigests))]).toEqual([
      createHash('sha256').update(accessToken).digest('hex'),
    ]);
  });

  it('all continue with one token after all were refused', async () => {
    const { before, reports } = await refuseAllAtOnce(place);

    expect(reports).toEqual(ALL_OK);
    expect((await tokenRequests(place)) - before).toBeLessThanOrEqual(PROCESSES);
  });
});
