import * as fc from 'fast-check';

import { captureOutput } from '../support/lambdas/captured-output';
import { AwsStub, loadBundle, useAwsEndpoint } from '../support/lambdas/restore-bundle';
import { restoringDeploymentOf } from '../support/lambdas/restore-functions';
import { TENANT_ID } from '../support/lambdas/token-functions';
import { trustedServers } from '../support/lambdas/trusted-servers';
import { IS_FULL } from '../support/test-size';
import { forAny } from './support/for-any';
import { type Handler, outcomeOf, requestWith } from './support/function-outcome';
import { anyJson, changed } from './support/fuzzed-json';

const EVENTS = IS_FULL ? 10_000 : 300;
const TIMEOUT_MS = IS_FULL ? 1_800_000 : 120_000;

const REQUEST = requestWith(`Basic ${Buffer.from(`${TENANT_ID}:any-key`).toString('base64')}`);
const AUTHORIZED = {
  ...REQUEST,
  requestContext: {
    ...REQUEST.requestContext,
    authorizer: { scheme: 'basic', caller: 'api-key', callerVersion: 'current', callerVersionId: 'v1' },
    identity: { userArn: null },
  },
};
const ENSURE = { action: 'ensure', tenantId: TENANT_ID, interface: 'content', scope: 'api/read' };
const SECRET_ID = `latchkey/staging/mea/${TENANT_ID}/client-credentials`;
const TOKEN = 'c0ffee00-0000-4000-8000-000000000000';
/** Events that some function accepts. Every function gets all of them. */
const BASES: unknown[] = [
  AUTHORIZED,
  { ...AUTHORIZED, path: null },
  { ...REQUEST, type: 'REQUEST' },
  ENSURE,
  { ...ENSURE, minValiditySec: 60, rejectedTokenSha256: 'ab'.repeat(32) },
  { action: 'sweep' },
  { action: 'probe' },
  { action: 'report', tenantIds: [TENANT_ID] },
  { action: 'watch' },
  { SecretId: SECRET_ID, ClientRequestToken: TOKEN, Step: 'createSecret' },
  { SecretId: SECRET_ID, ClientRequestToken: TOKEN, Step: 'finishSecret', RotationToken: 'x' },
];
const fuzzed = fc.oneof(
  { weight: 5, arbitrary: changed(BASES) },
  { weight: 2, arbitrary: fc.constantFrom(...BASES) },
  anyJson,
);

const servers = trustedServers();

/** A function, and the servers that it may send requests to. */
async function load(name: string) {
  const aws = await servers.start();
  aws.behavior = new AwsStub().behavior;
  const platform = await servers.start();
  useAwsEndpoint(aws.url, { TOKEN_REFRESH_ARN: 'token-refresh', RESTORE_ARN: 'restore' });
  captureOutput();
  const deployment = restoringDeploymentOf();
  const addresses = { ...deployment.platform, contentBaseUrl: platform.url };
  return { ...loadBundle<Handler>(name, { ...deployment, platform: addresses }), receivers: [aws, platform] };
}

/** @returns what the function did with any of the events */
async function checkEvents(name: string): Promise<Set<string>> {
  const { handler, remove, receivers } = await load(name);
  const outcomes = new Set<string>();
  await forAny(fuzzed, EVENTS, async (event) => {
    for (const { requests } of receivers) requests.length = 0;

    const { outcome } = await outcomeOf(handler, event);

    outcomes.add(outcome);
    const sent = receivers.flatMap(({ requests }) => requests);
    if (outcome === 'refused') expect(sent).toEqual([]);
    expect(
      sent.filter(({ headers }) => /\.(Put|Update|Delete)/.test(String(headers['x-amz-target']))),
    ).toEqual([]);
  });
  remove();
  return outcomes;
}

test.each([
  'authorizer',
  'restore',
  'token-refresh',
  'token-sweep',
  'rotate-credentials',
  'credential-watch',
])(
  'whatever event %s gets, it answers or fails with a message, and a refused event has no effect',
  async (name) => {
    expect((await checkEvents(name)).size).toBeGreaterThan(1);
  },
  TIMEOUT_MS,
);
