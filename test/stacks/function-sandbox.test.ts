import { writeFileSync } from 'node:fs';
import { Agent } from 'node:https';
import { join } from 'node:path';
import { inflateRawSync } from 'node:zlib';

import { SandboxStack } from '../../lib/stacks/sandbox-stack';
import {
  type AccountServices,
  atOnce,
  deleteStack,
  emptyAccount,
  provisionAssembly,
  type ProvisionedStack,
  type ProvisionOptions,
  readAssembly,
  RecordingReporter,
  RunClock,
  startAccountServices,
} from 'cdk-on-loopback/testing';
import {
  ALL_CHECKS,
  controlAt,
  type HttpRequest,
  runChecks,
  sandboxTenant,
  type Send,
  sendOverHttps,
} from 'learning-platform-sandbox/testing';
import { Synthesis, temporaryApp, temporaryFolder } from '../support/lib/synthesis';

jest.setTimeout(300_000);

/** Four deployments, as in the program without a seed file, because checks compare deployments. */
const SEED = {
  deployments: (['staging', 'production'] as const).flatMap((environment) =>
    (['global', 'mea'] as const).map((platformRegion) => ({
      environment,
      platformRegion,
      tenants: [{ tenantId: `${environment}-${platformRegion}` }],
    })),
  ),
};
const account = emptyAccount();
const reporter = new RecordingReporter();
const clock = new RunClock();
let services: AccountServices;
let stack: ProvisionedStack;
let agent: Agent;
let url: string;
let controlSecret: string;
let caFile: string;

beforeAll(async () => {
  const app = temporaryApp();
  new SandboxStack(app, 'sandbox', {
    seed: SEED,
    env: { account: account.accountId, region: account.region },
  });
  const { directory } = new Synthesis(app).assembly;
  services = await startAccountServices({
    account,
    clock,
    reporter,
    port: 0,
    caFile: '/dev/null',
    inlineCodeDir: '',
  });
  stack = provisionAssembly(readAssembly(directory), provisionOptions())[0]!;
  const [, id, stage] = /^https:\/\/(\w+)\.execute-api\.[^/]+\/(\w+)$/.exec(stack.outputs.SandboxUrl!)!;
  url = services.apiGateway.urlOf(id!, stage!);
  caFile = join(temporaryFolder(), 'ca.pem');
  writeFileSync(caFile, services.apiGateway.caCertificate);
  agent = new Agent({ ca: services.apiGateway.caCertificate, keepAlive: true });
  const secret = [...account.secrets.values()].find(({ name }) => name === stack.outputs.ControlSecretName);
  controlSecret = [...secret!.versions.values()][0]!.secretString!;
});
afterAll(async () => {
  agent.destroy();
  await services.close();
  // In whatever order the tests ran, the stack leaves nothing behind.
  atOnce(deleteStack(stack, provisionOptions()));
  const { functions, logGroups, roles, secrets, tables } = account;
  expect([functions, logGroups, roles, secrets, tables].map(({ size }) => size)).toEqual([0, 0, 0, 0, 0]);
  expect(services.restApis.byId.size).toBe(0);
});

const provisionOptions = (): ProvisionOptions => ({
  account,
  nowMs: clock.nowMs(),
  endpointUrl: services.endpoint.url,
  types: services.resourceTypes,
});
const post = (path: string, request: Omit<HttpRequest, 'url' | 'method'> = {}) =>
  sendOverHttps({ ...request, method: 'POST', url: url + path }, agent);
const withSecret = () => ({ authorization: `Bearer ${controlSecret}` });

test('the sandbox behind API Gateway conforms to the specification', async () => {
  const request: Send = (asked) => sendOverHttps(asked, agent);
  const tenant = await sandboxTenant(controlAt(`${url}/_sandbox`, request, withSecret()), request);

  const results = await runChecks(ALL_CHECKS, { read: tenant, write: tenant });

  expect(results.filter(({ outcome }) => outcome !== 'passed')).toEqual([]);
  expect(reporter.warnings).toEqual([]);
});

test('control is closed without the secret, and its challenge has the name that API Gateway gives it', async () => {
  for (const authorization of [undefined, 'Bearer guessed']) {
    const headers = authorization === undefined ? undefined : { authorization };
    const { status, headers: answered } = await post('/_sandbox/reset', { headers });

    expect(status).toBe(401);
    expect(answered['x-amzn-remapped-www-authenticate']).toBe('Bearer realm="control"');
  }
});

test('another process knows what one has issued; neither its log nor its table shows it', async () => {
  const tenantId = 'staging-mea';
  const owner = { environment: 'staging', platformRegion: 'mea', tenantId };
  const { body } = await post('/_sandbox/credentials', {
    headers: withSecret(),
    body: JSON.stringify(owner),
  });
  const { clientId, clientSecret } = JSON.parse(body) as { clientId: string; clientSecret: string };
  // As after an update: the next event starts another process.
  for (const [arn, each] of account.functions) account.functions.set(arn, { ...each });

  const answer = await post(`/staging/mea/auth/oauth2/token/${tenantId}`, {
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      ...{ scope: 'api/all', grant_type: 'client_credentials' },
      ...{ client_id: clientId, client_secret: clientSecret },
    }),
  });

  expect(answer.status).toBe(200);
  const { access_token: token } = JSON.parse(answer.body) as { access_token: string };
  const [item] = [...account.tables.values()].flatMap(({ items }) => [...items.values()]);
  const stored = inflateRawSync(Buffer.from(item!.state!.B!, 'base64')).toString();
  const shown = [stored, ...reporter.lines, JSON.stringify([...account.functions.values()])].join();
  expect(stored).toContain(clientId);
  expect([controlSecret, clientSecret, token].filter((secret) => shown.includes(secret))).toEqual([]);
});
