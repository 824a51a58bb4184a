import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';

import { takeRunLock } from '../../../cli/restore/run-lock';
import { failureOf } from '../support/operated-system';

const GONE = 4_194_305;
let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'latchkey-lock-'));
  file = join(folder, 'results.lock');
});
afterEach(() => rmSync(folder, { recursive: true }));

const holder = (pid: number, host = hostname()) => writeFileSync(file, `${pid} ${host}\n`);

describe('the lock of a results file', () => {
  it('is held by one, and free once that one releases it', async () => {
    const release = takeRunLock(file);

    const failure = await failureOf(() => takeRunLock(file));
    release();

    expect(failure).toMatchObject({ exitCode: 1, code: 'already_running' });
    expect(existsSync(file)).toBe(false);
    takeRunLock(file)();
  });

  it('is taken over from a process that is gone', () => {
    holder(GONE);

    takeRunLock(file);

    expect(readFileSync(file, 'utf8')).toBe(`${process.pid} ${hostname()}\n`);
    expect(existsSync(`${file}.replacing`)).toBe(false);
  });

  it('is taken over by one, where two find that its process is gone', async () => {
    holder(GONE);
    let taken = false;
    // The other one takes it while this one is asking whether its process runs.
    const isRunning = (pid: number) => {
      if (!taken) {
        taken = true;
        takeRunLock(file);
      }
      return pid === process.pid;
    };

    expect(await failureOf(() => takeRunLock(file, isRunning))).toMatchObject({ code: 'already_running' });
    expect(existsSync(`${file}.replacing`)).toBe(false);
  });

  it.each([
    ['names another machine', () => holder(GONE, 'another-machine')],
    ['names no process yet', () => writeFileSync(file, '')],
    ['is being taken over', () => (holder(GONE), writeFileSync(`${file}.replacing`, ''))],
    ['is of a process of somebody else', () => holder(1)],
  ])('counts as held where it %s', async (_, arrange) => {
    arrange();

    expect(await failureOf(() => takeRunLock(file))).toMatchObject({ code: 'already_running' });
  });
});
