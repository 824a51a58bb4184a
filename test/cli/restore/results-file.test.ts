import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';

import { lockResults } from '../../../cli/restore/results-file';
import { failureOf } from '../support/operated-system';

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'latchkey-lock-'));
  file = join(folder, 'results');
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('the lock of a results file', () => {
  it('is held by one run until it releases it', async () => {
    const release = lockResults(file);

    const failure = await failureOf(() => lockResults(file));
    release();

    expect(failure).toMatchObject({
      exitCode: 1,
      code: 'already_running',
      message: `another run holds the lock ${file}.lock`,
    });
    expect(existsSync(`${file}.lock`)).toBe(false);
    lockResults(file)();
  });

  it('of another machine counts as held', async () => {
    writeFileSync(`${file}.lock`, `4194305 not-${hostname()}\n`);

    expect(await failureOf(() => lockResults(file))).toMatchObject({ code: 'already_running' });
  });

  it('cannot be taken if there is no folder', async () => {
    const failure = await failureOf(() => lockResults(join(folder, 'none', 'results')));

    expect(failure).toMatchObject({ code: 'results_not_written' });
  });
});
