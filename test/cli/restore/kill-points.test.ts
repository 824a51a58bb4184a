import { appendFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { interpretAnswer, interpretError, type RestoreAnswer } from '../../../cli/restore/answer';
import { type AppendFile, openAppendFile } from '../../../cli/restore/append-file';
import { BulkRun } from '../../../cli/restore/bulk-run';
import { CommandError } from '../../../cli/command-error';
import { type RestoreItem } from '../../../cli/restore/item';
import { Pace } from '../../../cli/restore/pace';
import { planOf } from '../../../cli/restore/plan';
import { type RunKey } from '../../../cli/restore/result-line';
import { Results } from '../../../cli/restore/results';
import { type HttpsError } from '../../../lambdas/shared/adapters/https-client';
import { broken, FakeRestoreApi, problem } from './support/fake-restore-api';

const RUN: RunKey = {
  environment: 'staging',
  platformRegion: 'mea',
  tenantId: 'tenant-1',
  api: 'https://restore.example/v1',
};
const ITEMS: RestoreItem[] = [
  'plain',
  'fails-once',
  'throttled-once',
  'breaks',
  'unreachable-once',
  'last',
].map((contentId) => ({ contentId, actingUser: { authorRef: 'jo' } }));

/** A process that can be killed at any step, after which nothing of it runs. */
class MortalProcess {
  steps = 0;
  readonly killed: Promise<void>;
  readonly #dieAt: number;
  #die!: () => void;
  #isDead = false;
  readonly #begun: Promise<unknown>[] = [];

  constructor(dieAt: number) {
    this.#dieAt = dieAt;
    this.killed = new Promise((resolve) => (this.#die = resolve));
  }

  /** One step, with kill points before and after it. @param torn what a kill in the middle leaves behind */
  async step<T>(work: () => Promise<T>, torn?: () => void): Promise<T> {
    // No await between the check and the work: it would run in a dead process.
    if (this.#isOver(torn)) return new Promise(() => undefined);
    const working = work();
    this.#begun.push(working.catch(() => undefined));
    const outcome = await working;
    return this.#isOver() ? new Promise(() => undefined) : outcome;
  }

  #isOver(torn: () => void = () => undefined): boolean {
    if (!this.#isDead && this.steps++ === this.#dieAt) {
      this.#isDead = true;
      // What was begun has reached the disk or the platform by then; nothing comes after it.
      void Promise.all(this.#begun).then(torn).then(this.#die);
    }
    return this.#isDead;
  }
}

let folder: string;
let file: string;
let api: FakeRestoreApi;
/** Contents with a request that may have changed something, as far as the results say. */
let mayHaveChanged: Map<string, boolean>;
const violations: string[] = [];
/** Of processes that were killed too. */
const files: AppendFile[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'latchkey-kill-'));
  file = join(folder, 'results.jsonl');
  api = new FakeRestoreApi();
  api.script('fails-once', problem(502, 'platform_failed'));
  api.script('throttled-once', problem(429, 'too_many_requests'));
  api.script('breaks', api.restoreAndBreak);
  api.script('unreachable-once', broken(false));
  mayHaveChanged = new Map();
  violations.length = 0;
});
afterEach(async () => {
  await Promise.all(files.splice(0).map((each) => each.close()));
  rmSync(folder, { recursive: true });
});

/** A stored result settles a request. */
function learn(line: string): void {
  const { contentId, outcome } = JSON.parse(line) as { contentId: string; outcome: string };
  if (outcome !== 'outcome_unknown' && outcome !== 'restored') mayHaveChanged.set(contentId, false);
}

async function post(item: RestoreItem): Promise<RestoreAnswer> {
  const url = new URL(`https://restore.example/v1/tenants/tenant-1/contents/${item.contentId}/restore`);
  try {
    const answer = await api.send({ url } as Parameters<FakeRestoreApi['send']>[0]);
    return interpretAnswer(answer, item.contentId, 'platform', 0);
  } catch (error) {
    return interpretError(error as HttpsError);
  }
}

/** One run in a process that is killed at a step. @returns whether it finished */
async function run(process: MortalProcess, openToAppend = openAppendFile): Promise<boolean> {
  let nowMs = 0;
  const work = async () => {
    const results = await Results.open({
      file,
      run: RUN,
      items: ITEMS,
      nowMs: () => nowMs,
      openToAppend: async (path) => {
        const opened = await openToAppend(path);
        files.push(opened);
        return {
          append: (line) =>
            process.step(
              () => opened.append(line).then(() => learn(line)),
              () => appendFileSync(path, line.slice(0, line.length / 2)),
            ),
          close: () => opened.close(),
        };
      },
    });
    const { left } = planOf(ITEMS, (contentId) => results.of(contentId), {});
    const bulk = new BulkRun(
      {
        client: {
          authorize: async () => ({}),
          renew: async () => undefined,
          post: (item) =>
            process.step(async () => {
              if (mayHaveChanged.get(item.contentId)) violations.push(`${item.contentId} was sent again`);
              mayHaveChanged.set(item.contentId, true);
              return post(item);
            }),
        },
        results,
        pace: new Pace({ nowMs: () => nowMs, random: () => 0 }),
        nowMs: () => nowMs,
        sleep: async (ms) => void (nowMs += ms),
        random: () => 0.5,
        interrupted: new AbortController().signal,
        onRecorded: () => undefined,
        onWaiting: () => undefined,
        stopFor: ({ outcome }) => new CommandError(1, outcome, outcome),
      },
      left,
    );
    const stopped = await bulk.run(2);
    await process.step(() => results.close().catch(() => undefined));
    return stopped === undefined;
  };
  return Promise.race([work(), process.killed.then(() => false)]);
}

function outcomes(): Record<string, string> {
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
  const results = lines.map((line) => JSON.parse(line) as { contentId: string; outcome: string });
  expect(results).toHaveLength(new Set(results.map(({ contentId }) => contentId)).size);
  return Object.fromEntries(results.map(({ contentId, outcome }) => [contentId, outcome]));
}

function expectNothingLostOrRepeated(): void {
  const found = outcomes();
  expect(violations).toEqual([]);
  expect(Object.keys(found).sort()).toEqual(ITEMS.map(({ contentId }) => contentId).sort());
  for (const [contentId, outcome] of Object.entries(found)) {
    expect(['restored', 'outcome_unknown']).toContain(outcome);
    if (outcome === 'restored') expect(api.published).toContain(contentId);
  }
}

/** The number of steps of a run that is not killed. */
const STEPS = 56;

it('has exactly as many steps as are tested', async () => {
  const process = new MortalProcess(Infinity);

  expect(await run(process)).toBe(true);

  expect(process.steps).toBe(STEPS);
  expect(outcomes()).toEqual({
    ...Object.fromEntries(ITEMS.map(({ contentId }) => [contentId, 'restored'])),
    breaks: 'outcome_unknown',
  });
});

describe.each(Array.from({ length: STEPS }, (_, step) => step))('a run killed at step %d', (step) => {
  it('resumes without losing anything, and resends nothing that may have been restored', async () => {
    await run(new MortalProcess(step));

    expect(await run(new MortalProcess(Infinity))).toBe(true);

    expectNothingLostOrRepeated();
    // Besides the broken one, only requests in flight can be unknown.
    const unknown = Object.values(outcomes()).filter((outcome) => outcome === 'outcome_unknown');
    expect(unknown.length).toBeLessThanOrEqual(3);
  });
});

it.each(Array.from({ length: STEPS / 4 }, (_, quarter) => quarter * 4))(
  'a run killed at step %d can be killed once more',
  async (step) => {
    await run(new MortalProcess(step));
    await run(new MortalProcess((step * 7 + 5) % STEPS));

    await run(new MortalProcess(Infinity));

    expectNothingLostOrRepeated();
  },
);

it.each([
  ['what is in flight', '.in-flight', 0],
  ['the results', '', 1],
])('sends nothing more once %s cannot be written', async (_, suffix, unknown) => {
  const openToAppend: typeof openAppendFile = async (path) => {
    const opened = await openAppendFile(path);
    if (path !== `${file}${suffix}`) return opened;
    return {
      ...opened,
      append: () => Promise.reject(new CommandError(1, 'results_not_written', 'full')),
      close: () => opened.close(),
    };
  };

  expect(await run(new MortalProcess(Infinity), openToAppend)).toBe(false);

  expect(api.requests.length).toBeLessThanOrEqual(2 * unknown);
  await run(new MortalProcess(Infinity));
  expectNothingLostOrRepeated();
});
