import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';

import { type FailureCode } from '../../../cli/restore/outcome-kinds';
import { type RunKey } from '../../../cli/restore/result-line';
import { readResults, Results } from '../../../cli/restore/results';
import { failureOf } from '../support/operated-system';

const RUN: RunKey = {
  environment: 'staging',
  platformRegion: 'mea',
  tenantId: 'tenant-1',
  api: 'https://restore.example/v1',
};

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'latchkey-results-'));
  file = join(folder, 'results');
});
afterEach(() => rmSync(folder, { recursive: true }));

const open = () => new Results(file, RUN, () => 0);

describe('the results of a bulk restore', () => {
  it('are held by one run until it closes them', async () => {
    const results = open();

    const failure = await failureOf(open);
    results.close();

    expect(failure).toMatchObject({
      exitCode: 1,
      code: 'already_running',
      message: `another run holds the lock ${file}.lock`,
    });
    expect(existsSync(`${file}.lock`)).toBe(false);
    open().close();
  });

  it('are not held by a run that could not read them', async () => {
    writeFileSync(file, 'my notes\n');

    expect(await failureOf(open)).toMatchObject({ code: 'usage' });
    expect(existsSync(`${file}.lock`)).toBe(false);
  });

  it('keep an unknown outcome until an answer settles it', () => {
    const item = { contentId: 'a'.repeat(24), actingUser: {} };
    const results = open();
    const outcomeAfter = (outcome: FailureCode) => {
      results.begin(item);
      results.record(item, { outcome, detail: '' });
      return results.of(item.contentId)?.outcome;
    };

    expect(outcomeAfter('too_many_requests')).toBe('too_many_requests');
    expect(outcomeAfter('outcome_unknown')).toBe('outcome_unknown');
    expect(outcomeAfter('too_many_requests')).toBe('outcome_unknown');
    results.begin(item);
    results.close();
    const resumed = readResults(file, RUN);
    expect(resumed(item.contentId)?.outcome).toBe('outcome_unknown');

    const next = open();
    next.begin(item);
    next.record(item, { outcome: 'not_archived', detail: '' });
    next.close();
    expect(readResults(file, RUN)(item.contentId)?.outcome).toBe('not_archived');
  });

  it('count as held by a run on another machine', async () => {
    writeFileSync(`${file}.lock`, `latchkey 4194305 not-${hostname()}\n`);

    expect(await failureOf(open)).toMatchObject({ code: 'already_running' });
  });
});
