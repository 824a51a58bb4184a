import { createTokenSource, type TokenSource } from '../../client';
import { type TokenValue } from '../../core/secrets/secret-values';
import { tenantKeyOf, tokenKeyOf } from '../../core/tokens/token-key';
import { type TokenKey } from '../../core/tokens/published-keys';
import { placeFlags } from '../../core/commands/place-flags';
import { latchkey } from './support/command';
import { issue, load, type Place, placeOf, sweep } from './support/journeys';
import { basicOf, callRestore, type CountedRequest, requestsTo, totalOf } from './support/restore-calls';
import { RunningSystem } from './support/running-system';
import { type LoadReport, SteadyLoad } from './support/steady-load';

const SERVICES = 2;
const CALLS_PER_SEC = 50;
const RESTORES_PER_SEC = 2;
/** Rotations of each kind; eight keep up the load for a minute. */
const ROTATIONS = 2;
const MAX_LOOKS = 2_000;
/** A second of calls. More refused requests than this did not just meet the end of the old token. */
const MAX_REFUSALS = CALLS_PER_SEC;

let system: RunningSystem;
let place: Place;
let services: TokenSource[];
let key: TokenKey;
/** Calls of the restore API that were repeated after a 502. */
let repeatedRestores: number;

beforeAll(async () => {
  system = await RunningSystem.start(['--no-job']);
  place = placeOf(system, 'production', 'mea');
  await load(place);
  await sweep(place);
  const tenant = tenantKeyOf(place.deployment, place.tenant.tenantId);
  key = tokenKeyOf(tenant, { interface: 'content', scope: 'api/read' }) as TokenKey;
  const { secrets: secretsManager, lambda } = system.administrator;
  const tokenRefresh = place.deployment.functions.tokenRefresh!;
  services = Array.from({ length: SERVICES }, () =>
    createTokenSource({ tokenRefresh, secretsManager, lambda, fetch: fetchTrusting }),
  );
});
beforeEach(() => (repeatedRestores = 0));
afterAll(async () => {
  await system.stop();
});

describe(`services with ${CALLS_PER_SEC} calls a second to the platform, and callers of the restore API with a key`, () => {
  it('see no failure when client credentials are rotated and the platform revokes the old ones after the next sweep', async () => {
    const { reports, refusals } = await underLoad(async () => {
      const old = await currentClientId();
      const tokens = await mintedBy();
      await putCredentials();
      await until(async () => (await mintedBy()).every((version) => !tokens.includes(version)));
      await endAtPlatform(old);
    });

    expectNoFailure(reports);
    expect(refusals).toBeLessThanOrEqual(MAX_REFUSALS * ROTATIONS);
    expect(repeatedRestores).toBe(0);
  });

  // The restore function sends a request at most twice; if its cached token and the stored one both ended, it
  // answers 502.
  it('see only repeatable 502s of restore when the platform revokes the old ones right at the promotion', async () => {
    const { reports, refusals } = await underLoad(async () => {
      const old = await currentClientId();
      const promoted = until(async () => (await currentClientId()) !== old);
      await Promise.all([putCredentials(), promoted.then(() => endAtPlatform(old))]);
    });

    expectNoFailure(reports);
    expect(refusals).toBeLessThanOrEqual(MAX_REFUSALS * ROTATIONS);
    expect(repeatedRestores).toBeLessThanOrEqual(RESTORES_PER_SEC * ROTATIONS);
  });

  it('see no failure when an API key is rotated, with the old key in its grace or with the new one', async () => {
    const withNewKey: LoadReport[] = [];

    const { reports } = await underLoad(async () => {
      await generateApiKey();
      const restores = await beginRestores(1);
      await aSecondOfCalls();
      withNewKey.push(await restores.end());
    });

    expectNoFailure([...reports, ...withNewKey]);
    expect(repeatedRestores).toBe(0);
  });
});

/** Trusts the system's authority. */
const fetchTrusting: typeof fetch = async (url, init) => {
  const headers = Object.fromEntries(new Headers(init?.headers));
  const { status, text } = await system.send('GET', (url as URL | string).toString(), { headers });
  return new Response(text, { status });
};

/** Runs rotations under load, and returns the answers of services and callers of the restore API. */
async function underLoad(rotate: () => Promise<void>): Promise<{ reports: LoadReport[]; refusals: number }> {
  const refusedBefore = await refusedRequests();
  const reports: LoadReport[] = [];
  for (let rotation = 1; rotation <= ROTATIONS; rotation += 1) {
    reports.push(...(await underLoadOnce(rotate)));
  }
  return { reports, refusals: (await refusedRequests()) - refusedBefore };
}

async function underLoadOnce(rotate: () => Promise<void>): Promise<LoadReport[]> {
  const url = `${place.deployment.platform.contentBaseUrl}/contents`;
  const loads = services.map(
    (service) =>
      new SteadyLoad(CALLS_PER_SEC / SERVICES, async () => (await service.authorizedFetch(key, url)).status),
  );
  const restores = await beginRestores(0);
  try {
    await aSecondOfCalls();
    await rotate();
    await aSecondOfCalls();
  } finally {
    await restores.end();
  }
  return [await restores.end(), ...(await Promise.all(loads.map((load) => load.end())))];
}

/**
 * Calls the restore API with the current API key, and repeats a call on 502, which promises that nothing was
 * modified.
 */
async function beginRestores(content: number): Promise<SteadyLoad> {
  const authorization = await basicOf(place);
  const contentId = place.tenant.archivedContentIds[content]!;
  const call = () => callRestore(place, contentId, { authorization });
  const restore = async () => {
    const first = await call();
    if (first.status !== 502) return first.status;
    repeatedRestores += 1;
    return (await call()).status;
  };
  return new SteadyLoad(RESTORES_PER_SEC, restore);
}

/** 200 once per content, then 409, which callers get after they were authorized. */
function expectNoFailure(reports: LoadReport[]): void {
  expect(reports.flatMap(({ failures }) => failures)).toEqual([]);
  const statuses = reports.flatMap(({ answers }) => Object.keys(answers));
  expect(statuses.filter((status) => status !== '200' && status !== '409')).toEqual([]);
}

async function putCredentials(): Promise<void> {
  await promote(['credentials', 'put'], await issue(place, 'credentials'));
}

async function generateApiKey(): Promise<void> {
  const { environment, platformRegion } = place.deployment;
  const { tenantId } = place.tenant;
  const session = await system.control<object>('POST', '/sessions', {
    environment,
    platformRegion,
    tenantId,
  });
  await promote(['api-key', 'generate'], session);
}

async function promote(words: string[], input: object): Promise<void> {
  const args = [...words, ...placeFlags(place.deployment).split(' '), '--json'];
  const result = await latchkey(system, args, { input: JSON.stringify(input) });
  expect(result).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('"promoted"') as string });
}

/** The current client id, which identifies a credential to the platform. */
async function currentClientId(): Promise<string> {
  return (await system.secret<{ clientId: string }>(place.tenant.clientCredentialsArn)).clientId;
}

/** Makes the platform revoke a credential with all its tokens. */
async function endAtPlatform(clientId: string): Promise<void> {
  await system.control('DELETE', '/credentials', { clientId });
}

/** The credential versions that minted the stored tokens. */
async function mintedBy(): Promise<string[]> {
  const values = place.tenant.tokens.map(({ arn }) => system.secret<TokenValue>(arn));
  return (await Promise.all(values)).map(({ credentialVersionId }) => credentialVersionId);
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  for (let look = 0; look < MAX_LOOKS; look += 1) if (await holds()) return;
  throw new Error('what the rotation leads to did not come');
}

/** Content requests that the platform has refused with 401. */
async function refusedRequests(): Promise<number> {
  const isMeant = ({ target, path, status }: CountedRequest) =>
    target === 'content' && path.endsWith('/contents') && status === 401;
  return totalOf(await requestsTo(system, isMeant));
}

/** Lets the load run for a second. */
async function aSecondOfCalls(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 1_000));
}
