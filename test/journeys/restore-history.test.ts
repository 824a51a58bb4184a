import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { type HistoryEntry } from '../../cli/restore/read-history';
import { type ApiKeyValue } from '../../core/secrets/secret-values';
import { documentOf, latchkey } from './support/command';
import { basic, issue, load, type Place, proveKey } from './support/journeys';
import { PROJECT_ROOT } from './support/local-process';
import { OperatedTenant } from './support/operated-tenant';
import { basicOf, bearerOf, callRestore } from './support/restore-calls';
import { blocksOf, installCommand, runShell, shellEnvironment } from './support/runbook';
import { RunningSystem } from './support/running-system';

let system: RunningSystem;
let place: Place;
let tenant: OperatedTenant;

beforeAll(async () => {
  system = await RunningSystem.start();
  tenant = new OperatedTenant(system, 'staging', 'global');
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
