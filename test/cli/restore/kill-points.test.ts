import fs, { readFileSync, statSync, writeFileSync, writeSync } from 'node:fs';

import { broken, type FakeRestoreApi, problem, type Step } from './support/fake-restore-api';
import { Restoring } from './support/restoring';

const CONTENTS = ['plain', 'fails-once', 'throttled-once', 'breaks', 'unreachable-once', 'last'];
const PARALLEL = 2;

/** The platform's first answers; afterwards it restores. */
const firstStepsOf = (api: FakeRestoreApi): Record<string, Step> => ({
  'fails-once': problem(502, 'platform_failed'),
  'throttled-once': problem(429, 'too_many_requests'),
  breaks: api.restoreAndBreak,
  'unreachable-once': broken(false),
});

/** A list of all contents, and a platform that has got requests for these ones. */
async function restoringAfter(sentIds: readonly string[]): Promise<Restoring> {
  const restoring = new Restoring();
  const { api } = restoring;
  restoring.write(CONTENTS);
  for (const [contentId, step] of Object.entries(firstStepsOf(api))) api.script(contentId, step);
  for (const contentId of sentIds) await api.request(contentId).catch(() => undefined);
  api.requests.length = 0;
  return restoring;
}

/** What a kill leaves behind. */
interface Killed {
  /** The results, maybe with a truncated last line. */
  written: Buffer;
  /** The contents of the requests that the platform has got. */
  sentIds: string[];
}

/** Everything that a kill of one run can leave behind: between any two writes and requests, and within a write. */
async function allKilled(): Promise<Killed[]> {
  const restoring = await restoringAfter([]);
  const file = restoring.path('.results.jsonl');
  const sent: { contentId: string; size: number }[] = [];
  restoring.system.sendRequest = async (request) => {
    const answer = restoring.api.send(request);
    sent.push({ contentId: restoring.sentIds().at(-1)!, size: statSync(file).size });
    return answer;
  };
  expect(await restoring.runMany({ parallel: PARALLEL })).toBe(75);
  const whole = readFileSync(file);

  const killed: Killed[] = [];
  const after = (size: number, isSent: (sizeAtRequest: number) => boolean) =>
    killed.push({
      written: whole.subarray(0, size),
      sentIds: sent.filter((request) => isSent(request.size)).map(({ contentId }) => contentId),
    });
  for (let start = 0; start < whole.length; start = whole.indexOf('\n', start) + 1) {
    after(start, (size) => size < start);
    after(start, (size) => size <= start);
    after((start + whole.indexOf('\n', start)) >> 1, (size) => size <= start);
    after(whole.indexOf('\n', start), (size) => size <= start);
  }
  return killed;
}

it('a run killed at any point resumes without losing a content, and resends none that may have been restored', async () => {
  const killed = await allKilled();

  for (const { written, sentIds } of killed) {
    const restoring = await restoringAfter(sentIds);
    const { api } = restoring;
    const restoredBefore = [...api.published];
    writeFileSync(restoring.path('.results.jsonl'), written);

    const exitCode = await restoring.runMany({ parallel: PARALLEL });

    const outcomes = restoring.outcomes();
    const unknown = CONTENTS.filter((contentId) => outcomes[contentId] === 'outcome_unknown');
    const restored = CONTENTS.filter((contentId) => outcomes[contentId] === 'restored');
    expect({
      written: written.toString(),
      exitCode,
      resent: restoring.sentIds().filter((contentId) => restoredBefore.includes(contentId)),
      lost: CONTENTS.length - unknown.length - restored.length,
      isTrue: restored.every((contentId) => api.published.has(contentId)),
      isAppended: readFileSync(restoring.path('.results.jsonl'), 'utf8').startsWith(
        written.subarray(0, written.lastIndexOf('\n') + 1).toString(),
      ),
    }).toEqual({
      written: expect.any(String) as string,
      exitCode: 75,
      resent: [],
      lost: 0,
      isTrue: true,
      isAppended: true,
    });
    // Besides the broken one, only requests in flight can be unknown.
    expect(unknown.length).toBeLessThanOrEqual(1 + PARALLEL);
  }

  expect(killed.length).toBeGreaterThan(60);
});

it('a run that can no longer write its results sends nothing more, and can be resumed', async () => {
  const restoring = await restoringAfter([]);
  const append = jest.spyOn(fs, 'appendFileSync');
  restoring.api.script('plain', (contentId, request) => {
    append.mockImplementationOnce((fd) => {
      writeSync(fd as number, '{"contentId":"pla');
      throw Object.assign(new Error('full'), { code: 'ENOSPC' });
    });
    return restoring.api.restore(contentId, request);
  });

  const exitCode = await restoring.runMany({ parallel: PARALLEL });
  append.mockRestore();
  const sent = restoring.sentIds();
  const stopped = restoring.document().stopped;
  await restoring.runMany();

  expect(exitCode).toBe(75);
  expect(stopped).toMatchObject({ code: 'results_not_written' });
  expect(sent.length).toBeLessThanOrEqual(PARALLEL);
  expect(restoring.api.countOf('plain')).toBe(1);
  expect(restoring.outcomes()).toMatchObject({ plain: 'outcome_unknown', last: 'restored' });
});
