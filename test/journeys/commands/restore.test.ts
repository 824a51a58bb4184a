import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { Assembly, DEPLOYMENT_KEYS } from '../support/assembly';
import {
  type CommandOptions,
  type CommandResult,
  documentOf,
  latchkey,
  runLatchkey,
} from '../support/command';
import { load } from '../support/journeys';
import { OperatedTenant } from '../support/operated-tenant';
import { changesOf, failContent, isArchived, platformAnswers } from '../support/restore-calls';
import { type RunningSystem } from '../support/running-system';

/**
 * Two deployments use IAM authorization, two the platform's schemes. One of each kind lacks a permission of
 * the operator.
 */
const SIGNING = [0, 3];
const RIGHTS = [
  'OperatorPolicy: execute-api:Invoke',
  'OperatorPolicy: secretsmanager:GetSecretValue on token/*',
];

let assembly: Assembly;
let system: RunningSystem;
let folder: string;
let maySignNot: OperatedTenant;
let mayReadNot: OperatedTenant;
let usual: OperatedTenant;
let signing: OperatedTenant;

beforeAll(async () => {
  assembly = await Assembly.synthesize(({ deployments }) => {
    for (const index of SIGNING) Object.assign(deployments[index]!, { restoreApi: { auth: 'iam' } });
  });
  const labels = assembly.statements().map(({ label }) => label);
  system = await assembly.startWithout(
    'restore',
    RIGHTS.map((right) => labels.find((label) => label.startsWith(right))!),
  );
  const tenants = DEPLOYMENT_KEYS.map(
    ([environment, region]) => new OperatedTenant(system, environment, region),
  );
  [maySignNot, mayReadNot, usual, signing] = tenants as [
    OperatedTenant,
    OperatedTenant,
    OperatedTenant,
    OperatedTenant,
  ];
  for (const { place } of tenants) await load(place);
  folder = mkdtempSync(join(tmpdir(), 'latchkey-restore-'));
});
afterAll(async () => {
  await system.stop();
  assembly.dispose();
  rmSync(folder, { recursive: true });
});
beforeEach(() => system.control('POST', '/reset'));

let lists = 0;
/** Writes a list into a new folder; the results file goes beside it. */
function listOf(lines: readonly string[]): string {
  lists += 1;
  const file = join(folder, `ids-${lists}.txt`);
  writeFileSync(file, lines.join('\n'));
  return file;
}

/** The last line of each content. */
function resultsOf(list: string): { contentId: string; outcome: string; requestId?: string }[] {
  const [, ...lines] = readFileSync(`${list}.results.jsonl`, 'utf8').trimEnd().split('\n');
  const parsed = lines.map((line) => JSON.parse(line) as { contentId: string; outcome: string });
  return [...new Map(parsed.map((line) => [line.contentId, line])).values()];
}

function restore(tenant: OperatedTenant, args: string[], options?: CommandOptions): Promise<CommandResult> {
  const { authorRefs } = tenant.place.tenant;
  const who = ['--author-ref', authorRefs[0]!];
  return latchkey(system, ['restore', ...args, ...who, ...tenant.flags, '--json'], options);
}

it.each([
  ['with the token of the tenant', () => usual],
  ['by a signature of the operator', () => signing],
])('restores a content once, %s', async (_, tenantOf) => {
  const tenant = tenantOf();
  const contentId = tenant.place.tenant.archivedContentIds[0]!;

  const first = await restore(tenant, [contentId]);
  const second = await restore(tenant, [contentId]);

  expect(first).toMatchObject({ exitCode: 0 });
  expect(documentOf(first)).toMatchObject({
    contentId,
    outcome: 'restored',
    record: { id: contentId, status: 'published' },
  });
  expect(second).toMatchObject({ exitCode: 1 });
  expect(documentOf(second)).toMatchObject({ error: { code: 'not_archived', status: 409 } });
  expect(await changesOf(tenant.place, contentId)).toEqual([
    expect.objectContaining({ actingUser: tenant.place.tenant.authorRefs[0] }),
  ]);
});

it('restores a list, reports refusals, and sends nothing twice', async () => {
  const { place } = usual;
  const ids = place.tenant.archivedContentIds;
  const list = listOf(['# all of them', ...ids, ids[0]!, 'nobody-knows-it']);

  const first = await restore(usual, ['--from', list]);
  const before = await system.control('GET', '/counters');
  const second = await restore(usual, ['--from', list]);

  expect([first.exitCode, second.exitCode]).toEqual([1, 1]);
  expect(documentOf(second)).toMatchObject({
    restored: ids.length,
    failed: 1,
    left: 0,
    outcomes: { restored: ids.length, content_not_found: 1 },
    // The sandbox puts one item of the first content into error.
    withItemsInError: 1,
    duplicates: 1,
  });
  expect(resultsOf(list).map(({ contentId }) => contentId)).toEqual(expect.arrayContaining(ids) as string[]);
  expect(resultsOf(list)).toHaveLength(ids.length + 1);
  expect(await system.control('GET', '/counters')).toEqual(before);
  for (const id of ids) expect(await changesOf(place, id)).toHaveLength(1);
});

it('repeats a restore with an unknown outcome only on request', async () => {
  const { place } = usual;
  const [lost = '', other = ''] = place.tenant.archivedContentIds;
  await failContent(place, { reset: 'after', times: 1 });
  const list = listOf([lost, other]);

  const first = await restore(usual, ['--from', list, '--parallel', '1']);
  const second = await restore(usual, ['--from', list]);

  expect([first.exitCode, second.exitCode]).toEqual([75, 75]);
  expect(documentOf(second)).toMatchObject({ restored: 1, unknown: 1 });
  expect(await platformAnswers(place, lost)).toEqual({ 0: 1 });
  const { next } = documentOf<{ next: string[] }>(second);
  expect(next).toEqual([expect.stringMatching(/^latchkey restore --from \S+ .*--retry-unknown$/)]);
  const told = await runLatchkey([...next[0]!.split(' ').slice(1), '--json']);
  expect(told).toMatchObject({ exitCode: 1 });
  expect(documentOf(told)).toMatchObject({ outcomes: { restored: 1, not_archived: 1 } });
  expect(await changesOf(place, lost)).toHaveLength(1);
});

it('names the missing permission to read the token', async () => {
  const contentId = mayReadNot.place.tenant.archivedContentIds[0]!;

  const one = await restore(mayReadNot, [contentId]);
  const many = await restore(mayReadNot, ['--from', listOf([contentId])]);

  expect([one.exitCode, many.exitCode]).toEqual([77, 77]);
  expect(one.stdout).toMatch(/secretsmanager:GetSecretValue on \S+token\/content\/api-write/);
  expect(one.stdout).toContain('/latchkey/staging/mea/operator-policy-arn');
  expect(documentOf(many)).toMatchObject({ left: 1, unknown: 0, stopped: { code: 'access_denied' } });
  expect(await isArchived(mayReadNot.place, contentId)).toBe(true);
});

it('names the policy that lacks the permission to invoke the API, and stops at the first content of a list', async () => {
  const ids = maySignNot.place.tenant.archivedContentIds;

  const result = await restore(maySignNot, ['--from', listOf(ids), '--parallel', '1']);

  expect(result).toMatchObject({ exitCode: 77 });
  expect(documentOf(result)).toMatchObject({
    failed: 1,
    left: ids.length - 1,
    stopped: {
      code: 'forbidden',
      advice: expect.stringContaining('/latchkey/staging/global/operator-policy-arn') as string,
    },
  });
  expect(await platformAnswers(maySignNot.place, ids[0]!)).toEqual({});
});

it('on Ctrl-C waits for requests under way and begins no more; the same command continues the list', async () => {
  const { place } = usual;
  const list = listOf(place.tenant.archivedContentIds);
  // The signal must arrive before the last request is sent, also on a slow machine.
  await failContent(place, { delayMs: 2_000 });
  const args = ['--from', list, '--parallel', '2'];

  const interrupted = await restore(usual, args, {
    answers: [{ after: /Restore 5 contents of tenant .*\?/, type: 'y' }],
    signal: { after: /1 restored/, name: 'SIGINT' },
  });
  await place.system.control('DELETE', '/faults');
  const rest = await restore(usual, args);

  expect(interrupted).toMatchObject({ exitCode: 1 });
  expect(interrupted.stdout).toContain('Ctrl-C again leaves their outcome unknown');
  expect(interrupted.stdout).toMatch(/"unknown":0,"left":[1-4],/);
  expect(rest).toMatchObject({ exitCode: 0 });
  for (const id of place.tenant.archivedContentIds)
    expect(await platformAnswers(place, id)).toEqual({ 200: 1 });
});
