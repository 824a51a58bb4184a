import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { LambdaClient } from '@aws-sdk/client-lambda';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';

import { type HistoryEntry } from '../../cli/restore/read-history';
import { createTokenSource } from '../../client';
import { type ApiKeyValue } from '../../contract/secret-values';
import { documentOf, latchkey } from './support/command';
import { basic, issue, load, type Place, proveKey } from './support/journeys';
import { PROJECT_ROOT } from './support/local-process';
import { OperatedTenant } from './support/operated-tenant';
import { basicOf, bearerOf, callRestore, restoreUrl } from './support/restore-calls';
import { blocksOf, installCommand, runShell, shellEnvironment } from './support/runbook';
import { RunningSystem } from './support/running-system';

const TRACES = ['4bf92f3577b34da6a3ce929d0e0e4736', '0af7651916cd43dd8448eb211c80319c'] as const;
const traceparent = (trace: string) => `00-${trace}-00f067aa0ba902b7-01`;

let system: RunningSystem;
let place: Place;
let tenant: OperatedTenant;
/** By IAM. */
let signing: OperatedTenant;

beforeAll(async () => {
  system = await RunningSystem.startConfigured(({ deployments }) => {
    Object.assign(
      deployments.find(({ environment }) => environment === 'production')!,
      {
        restoreApi: { auth: 'iam' },
      },
    );
  });
  tenant = new OperatedTenant(system, 'staging', 'global');
  signing = new OperatedTenant(system, 'production', 'global');
  ({ place } = tenant);
});
afterAll(() => system.stop());

interface HistoryDocument {
  found: number;
  restores: HistoryEntry[];
}
const historyOf = async (of: OperatedTenant, ...flags: string[]) =>
  documentOf<HistoryDocument>(
    await latchkey(system, ['restore', 'history', ...of.flags, ...flags, '--json']),
  );

it('shows who restored what, whatever the scheme, key or acting user', async () => {
  const [first = '', second = '', third = '', fourth = ''] = place.tenant.archivedContentIds;
  const { tenantId, authorRefs, collaborationIds } = place.tenant;
  const previous = await system.secret<ApiKeyValue>(place.tenant.apiKeyArn);
  await callRestore(place, first, { authorization: await basicOf(place) });
  await system.putSecret(system.administrator, place.tenant.apiKeyArn, await issue(place, 'api-keys'));
  await proveKey(place);
  // The authorizer remembers for 10 s which key is the current one.
  await system.advance(11);
  await callRestore(place, second, { authorization: basic(place.tenant, previous.apiKey) });
  await callRestore(place, third, {
    authorization: await bearerOf(place, 'api/write'),
    body: { authorRef: authorRefs[1], collaborationId: collaborationIds[0] },
  });
  await callRestore(place, third, {
    authorization: await bearerOf(place, 'api/write'),
    body: { collaborationId: collaborationIds[0] },
  });
  await callRestore(place, fourth, { authorization: basic(place.tenant, 'wrong-key-of-somebody') });

  const { found, restores } = await historyOf(tenant);

  const basically = {
    scheme: 'basic',
    caller: 'api-key',
    code: 'restored',
    status: 200,
    authorRef: authorRefs[0],
  };
  const bearing = { scheme: 'bearer', caller: 'content api/write', callerVersion: 'current' };
  expect(found).toBe(4);
  expect(restores.toReversed()).toEqual(
    [
      { contentId: first, ...basically, callerVersion: 'current' },
      { contentId: second, ...basically, callerVersion: 'previous' },
      {
        ...{ contentId: third, ...bearing, code: 'restored', status: 200 },
        ...{ authorRef: authorRefs[1], collaborationId: collaborationIds[0] },
      },
      {
        contentId: third,
        ...bearing,
        code: 'not_archived',
        status: 409,
        collaborationId: collaborationIds[0],
      },
    ].map((entry) => ({
      ...entry,
      tenantId,
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string,
      callerVersionId: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
      apiRequestId: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
      traceId: expect.stringMatching(/^1-[0-9a-f]{8}-[0-9a-f]{24}$/) as string,
    })),
  );
  const [current, former] = restores.toReversed().map(({ callerVersionId }) => callerVersionId);
  expect(former).toBe(current);
  expect((await historyOf(tenant, '--author-ref', authorRefs[1]!)).found).toBe(1);
  expect((await historyOf(tenant, '--content-id', third, '--outcome', 'not_archived')).found).toBe(1);
});

it('shows the principal of a signed request, in a table too', async () => {
  const { archivedContentIds, authorRefs } = signing.place.tenant;
  await load(signing.place);
  await signing.run(`restore ${archivedContentIds[0]} --author-ref ${authorRefs[0]}`);

  const { stdout, exitCode } = await signing.run('restore history');

  expect(exitCode).toBe(0);
  expect(stdout).toMatch(/^time +content +outcome +caller +acting user\n/);
  expect(stdout).toMatch(
    new RegExp(`Z +${archivedContentIds[0]} +restored +arn:aws:(iam|sts)::\\d+:\\S+ +${authorRefs[0]}$`, 'm'),
  );
});

// docs/restore-api.md, "Follow a request"
it('has the trace id of the caller: of latchkey/client and of the command', async () => {
  const { aws } = system.run;
  const options = { endpoint: aws.endpoint, region: aws.region, credentials: aws };
  const source = createTokenSource({
    tokenRefresh: place.deployment.functions.tokenRefresh,
    secretsManager: new SecretsManagerClient(options),
    lambda: new LambdaClient(options),
    fetch: async (url, init = {}) => {
      const headers = Object.fromEntries(new Headers(init.headers));
      const { status, text } = await system.send('POST', (url as URL).href, {
        headers,
        body: init.body as string,
      });
      return new Response(text, { status });
    },
  });
  const [, , , , contentId = ''] = place.tenant.archivedContentIds;
  const { environment, platformRegion } = place.deployment;
  const key = { environment, platformRegion, tenantId: place.tenant.tenantId } as const;

  await source.authorizedFetch(
    { ...key, interface: 'content', scope: 'api/write' },
    restoreUrl(place, contentId),
    {
      method: 'POST',
      headers: { 'content-type': 'application/json', traceparent: traceparent(TRACES[0]) },
      body: JSON.stringify({ authorRef: place.tenant.authorRefs[0] }),
    },
  );
  for (const TRACEPARENT of [traceparent(TRACES[1]), `${traceparent(TRACES[1])}\u0001`]) {
    await tenant.run(`restore ${contentId} --author-ref ${place.tenant.authorRefs[0]}`, {
      env: { TRACEPARENT },
    });
  }

  const { restores } = await historyOf(tenant, '--content-id', contentId);
  expect(restores.map(({ code, traceId }) => [code, traceId])).toEqual([
    ['not_archived', expect.stringMatching(/^1-/)],
    ['not_archived', TRACES[1]],
    ['restored', TRACES[0]],
  ]);
});

describe('the blocks of docs/restore-api.md', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'latchkey-history-'));
    installCommand(folder, system);
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it.each([
    ['## Who restored what', /"code":"restored"/],
    ['## Follow a request', /is published[^]*\n\S+Z +\S+ +restored +token content api\/write +\S+\n/],
  ])('%s: run as printed', async (heading, shown) => {
    const page = readFileSync(join(PROJECT_ROOT, 'docs/restore-api.md'), 'utf8');
    const [section = ''] = page.slice(page.indexOf(`${heading}\n`) + 2).split('\n## ', 1);
    const [block, ...others] = blocksOf({ file: 'restore-api.md', text: section }, 'sh');
    const { place: other } = new OperatedTenant(system, 'staging', 'mea');
    await load(other);
    await system.control('POST', '/reset');
    const [restored = '', archived = ''] = other.tenant.archivedContentIds;
    await callRestore(other, restored, { authorization: await basicOf(other) });

    const { exitCode, output } = runShell(block!, {
      ...shellEnvironment(folder, other),
      ID: heading === '## Who restored what' ? restored : archived,
      AUTHOR: other.tenant.authorRefs[0]!,
    });

    expect(others).toEqual([]);
    expect(output).toMatch(shown);
    expect(exitCode).toBe(0);
  });
});
