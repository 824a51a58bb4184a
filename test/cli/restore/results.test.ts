import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';

import { type RunKey } from '../../../cli/restore/result-line';
import { Results } from '../../../cli/restore/results';
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

  it('count as held by a run on another machine', async () => {
    writeFileSync(`${file}.lock`, `4194305 not-${hostname()}\n`);

    expect(await failureOf(open)).toMatchObject({ code: 'already_running' });
  });
});
