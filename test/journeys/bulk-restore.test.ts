import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { type CommandOptions, documentOf } from './support/command';
import { load } from './support/journeys';
import { OperatedTenant } from './support/operated-tenant';
import { type Change, failContent, requestsTo, totalOf } from './support/restore-calls';
import { RunningSystem } from './support/running-system';
import { printFigures } from '../support/test-size';

const CONTENTS = 80;
const KILLS = 3;
/** Five in a hundred requests to the platform fail, one in each way. Two of the five leave the outcome unknown. */
const FAULTS: object[] = [
  { status: 502 },
  { status: 429, headers: { 'retry-after': '1' } },
  { reset: 'after' },
  { status: 503 },
  { status: 401 },
];

/** Statuses of the platform that leave the outcome unknown; 0 is a broken connection. */
const LEAVING_UNKNOWN = [0, 503];
/** Requests in flight when the command is killed: the default of `--parallel`. */
const AT_ONCE = 8;

let system: RunningSystem;
let tenant: OperatedTenant;
let folder: string;
let list: string;
let contentIds: string[];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'latchkey-bulk-'));
  // The stage does not throttle the run.
  const restoreApi = { rateLimit: 1_000, burstLimit: 1_000 };
  system = await RunningSystem.startConfigured(
    ({ deployments }) => deployments.forEach((each) => Object.assign(each, { restoreApi })),
    ['--no-job'],
  );
  tenant = new OperatedTenant(system, 'staging', 'mea');
  await load(tenant.place);
  const { environment, platformRegion } = tenant.place.deployment;
  const { tenantId } = tenant.place.tenant;
  const asked = { environment, platformRegion, tenantId, count: CONTENTS };
  ({ contentIds } = await system.control<{ contentIds: string[] }>('POST', '/contents', asked));
  list = join(folder, 'ids.txt');
  writeFileSync(list, contentIds.join('\n'));
});
afterAll(async () => {
  await system.stop();
  rmSync(folder, { recursive: true });
});

/** Runs at a terminal, where the command shows each content as it is restored. */
function run(options: CommandOptions = {}, more = '--yes') {
  return tenant.run(
    `restore --from ${list} --collaboration-id ${tenant.place.tenant.collaborationIds[0]} --json ${more}`,
    {
      answers: [],
      limitMs: 5 * 60_000,
      ...options,
    },
  );
}

/** Matches the progress once so many contents are restored. */
const shown = (least: number): RegExp => {
  const numbers = Array.from({ length: CONTENTS - least }, (_, n) => least + n);
  return new RegExp(`· (${numbers.join('|')}) restored`);
};

/** The last outcome of each content. A killed run may leave a truncated line behind. */
function results(): Map<string, string> {
  const lines = readFileSync(`${list}.results.jsonl`, 'utf8').split('\n').slice(1, -1);
  const parsed = lines.map((line) => JSON.parse(line) as { contentId: string; outcome: string });
  return new Map(parsed.map(({ contentId, outcome }) => [contentId, outcome]));
}

const restoredCount = () => [...results().values()].filter((outcome) => outcome === 'restored').length;

it(
  `restores ${CONTENTS} contents with 5% faults, Ctrl-C and ${KILLS} kills: each once, or reported as unknown`,
  async () => {
    for (const [seed, fault] of FAULTS.entries()) {
      await failContent(tenant.place, { ...fault, probability: 0.01, seed });
    }

    const interrupted = await run({ signal: { after: shown(CONTENTS * 0.1), name: 'SIGINT' } });
    for (let kill = 0; kill < KILLS; kill += 1) {
      const least = restoredCount() + 1 + (kill % 5);
      const killed = await run({ signal: { after: shown(least), name: 'SIGKILL' } });
      expect(killed.stdout).not.toContain('"left"');
    }
    const last = await run({ answers: undefined });
    await expectEachOnce();
    await system.control('DELETE', '/faults');
    const retried = await run({ answers: undefined }, '--retry-unknown');

    expect(interrupted.exitCode).toBe(interrupted.stdout.includes('"unknown":0,') ? 1 : 75);
    const { restored, unknown, ...document } = documentOf<{ restored: number; unknown: number }>(last);
    expect(document).toMatchObject({ failed: 0, left: 0 });
    expect(restored + unknown).toBe(CONTENTS);
    expect(last).toMatchObject({ exitCode: unknown > 0 ? 75 : 0 });
    const lost = (await contentRequests()).filter(({ status }) => LEAVING_UNKNOWN.includes(status));
    const lostCount = totalOf(lost);
    expect(unknown).toBeLessThanOrEqual(KILLS * AT_ONCE + lostCount);
    expect(lostCount).toBeLessThan(CONTENTS * 0.1);
    expect(documentOf(retried)).toMatchObject({ unknown: 0, left: 0 });
    expect(
      [...results().values()].filter((outcome) => !['restored', 'not_archived'].includes(outcome)),
    ).toEqual([]);
    const changes = await restoreChanges();
    expect(contentIds.filter((contentId) => changes.get(contentId) !== 1)).toEqual([]);
    printFigures(
      `${KILLS} kills of a restore of ${CONTENTS}: ${restored} restored, ${unknown} unknown, 0 lost, 0 sent twice`,
    );
  },
  10 * 60_000,
);

/** The platform's counts of content requests by status. */
const contentRequests = () => requestsTo(system, ({ target }) => target === 'content');

/** How often the sandbox restored each content. */
async function restoreChanges(): Promise<Map<string, number>> {
  const { changes } = await system.control<{ changes: Change[] }>('GET', '/audit');
  const restores = new Map<string, number>();
  for (const { contentId } of changes) restores.set(contentId, (restores.get(contentId) ?? 0) + 1);
  return restores;
}

/** Checks the sandbox's own records. */
async function expectEachOnce(): Promise<void> {
  const restores = await restoreChanges();
  const requests = await contentRequests();
  const found = results();
  for (const contentId of contentIds) {
    const outcome = found.get(contentId);
    const times = restores.get(contentId) ?? 0;
    expect({ contentId, outcome, times }).toEqual({
      contentId,
      outcome: expect.stringMatching(/^(restored|outcome_unknown)$/) as string,
      times: outcome === 'restored' ? 1 : (expect.any(Number) as number),
    });
    expect(times).toBeLessThanOrEqual(1);
    // No request follows one that may have been processed: status 200 or 503, or a broken connection.
    const processed = totalOf(
      requests.filter(
        ({ path, status }) => path.includes(contentId) && [200, ...LEAVING_UNKNOWN].includes(status),
      ),
    );
    expect({ contentId, processed: processed <= 1 }).toEqual({ contentId, processed: true });
  }
}
