import { type Context } from 'aws-lambda';

import { expectRed } from '../support/holes/expect-red';
import { captureOutput } from '../support/lambdas/captured-output';
import { CertificateAuthority } from '../support/lambdas/certificates';
import { LoopbackServer } from '../support/lambdas/loopback-server';
import { AwsStub, loadBundle, type LoadedBundle, useAwsEndpoint } from '../support/lambdas/restore-bundle';
import { restoringDeploymentOf } from '../support/lambdas/restore-functions';
import { TENANT_ID } from '../support/lambdas/token-functions';
import { trustAuthority } from '../support/lambdas/trusted-authority';

type Handler = (event: object, context: Context) => Promise<unknown>;

const OTHER_TENANT = 'eu-west-2_Other';
const CONTEXT = { awsRequestId: 'invocation-1', getRemainingTimeInMillis: () => 20_000 } as Context;
const ENSURE = { action: 'ensure', tenantId: TENANT_ID, interface: 'content', scope: 'api/read' };
const SWEEP = { action: 'sweep' };

let authority: CertificateAuthority;
let server: LoopbackServer;
const loaded: LoadedBundle<Handler>[] = [];
beforeAll(async () => {
  authority = await CertificateAuthority.create();
  server = await LoopbackServer.start(await authority.issue());
  server.behavior = new AwsStub().behavior;
});
beforeEach(() => {
  server.requests.length = 0;
  trustAuthority(authority.certificatePem);
  useAwsEndpoint(server.url);
  captureOutput();
});
afterEach(() => {
  jest.restoreAllMocks();
  for (const { remove } of loaded.splice(0)) remove();
});
afterAll(() => server.stop());

function load(name: string): Handler {
  const bundle = loadBundle<Handler>(name, restoringDeploymentOf([TENANT_ID, OTHER_TENANT]));
  loaded.push(bundle);
  return bundle.handler;
}

/** What a function says about an event: its answer, or its error. */
async function answerOf(handler: Handler, event: object): Promise<string> {
  return handler(event, CONTEXT).then(
    (answer) => JSON.stringify(answer),
    (error: Error) => String(error),
  );
}

/** Expects that a function refuses an event without any call to AWS or the platform, and names no tenant. */
async function expectRefused(handler: Handler, event: object, message: string) {
  const answer = await answerOf(handler, event);

  expect(answer).toContain(message);
  expect(answer).not.toContain(TENANT_ID);
  expect(answer).not.toContain(OTHER_TENANT);
  expect(server.requests).toEqual([]);
}

describe('a function accepts only its own events', () => {
  const SWEEP_REFUSED = 'action: found \\"sweep\\"; allowed: \\"ensure\\"';

  test.each<[string, object, string]>([
    ['token-refresh', SWEEP, SWEEP_REFUSED],
    ['token-sweep', ENSURE, 'action: found \\"ensure\\"; allowed: \\"sweep\\"'],
    ['token-sweep', {}, 'action: found nothing; allowed: \\"sweep\\"'],
    ['credential-watch', SWEEP, 'action: found "sweep"; allowed: "watch", "report"'],
    ['credential-watch', ENSURE, 'found a field of this name; allowed: action, tenantIds'],
    ['rotate-credentials', SWEEP, 'action: found "sweep"; allowed: "prove"'],
    ['restore', SWEEP, 'action: found "sweep"; allowed: "probe"'],
    ['authorizer', SWEEP, 'requestContext: found nothing; allowed: an object, as API Gateway sends it'],
  ])('%s refuses %j', (name, event, message) => expectRefused(load(name), event, message));

  test('turns red when token-refresh sweeps', () =>
    expectRed(() => expectRefused(load('token-sweep'), SWEEP, SWEEP_REFUSED)));
});

test('twelve sweeps at once at token-refresh take nothing from a caller of one token', async () => {
  const refresh = load('token-refresh');
  const sweeps = Array.from({ length: 12 }, () => refresh(SWEEP, CONTEXT));

  const answer = await refresh(ENSURE, CONTEXT);

  expect(answer).toMatchObject({ error: { code: 'not_loaded' } });
  const secrets = server.requests.map(({ body }) => (JSON.parse(body) as { SecretId: string }).SecretId);
  expect(secrets.length).toBeGreaterThan(0);
  expect(secrets.filter((name) => name.includes(OTHER_TENANT))).toEqual([]);
  for (const refused of await Promise.all(sweeps)) {
    expect(refused).toMatchObject({ ok: false, error: { code: 'invalid_request' } });
  }
});

test('token-sweep accepts a sweep, whatever else a scheduler adds', async () => {
  const answer = await load('token-sweep')({ ...SWEEP, time: '2026-01-31T12:00:00Z' }, CONTEXT);

  expect(answer).toMatchObject({ tenants: [{ tenantId: TENANT_ID }, { tenantId: OTHER_TENANT }] });
});
