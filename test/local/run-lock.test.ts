import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';

import { lockHolder, type RunLock, takeRunLock } from '../../local/run-lock';

/** Above the largest id that the kernel gives. */
const GONE = 4_194_305;
const OWN = `${process.pid} ${hostname()}\n`;
let dir: string;
let file: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'lock-'));
  file = join(dir, 'lock');
});
afterEach(() => rmSync(dir, { recursive: true }));

const write = (pid: number, host = hostname(), lock = file) => writeFileSync(lock, `${pid} ${host}\n`);

function release(lock: RunLock): void {
  if ('heldBy' in lock) throw new Error(`held by ${lock.heldBy}`);
  lock.release();
}

describe('a run lock', () => {
  it('is held by one, and free once that one releases it', () => {
    const lock = takeRunLock(file);

    expect(takeRunLock(file)).toEqual({ heldBy: process.pid });
    release(lock);

    expect(existsSync(file)).toBe(false);
    release(takeRunLock(file));
  });

  it.each([
    ['a process that is gone', () => write(spawnSync(process.execPath, ['--version']).pid)],
    ['one that wrote no host', () => writeFileSync(file, `${GONE}\n`)],
    [
      'one that was replaced when that was killed too',
      () => (write(GONE), write(GONE, undefined, `${file}.replacing`)),
    ],
  ])('is taken over from %s', (_, arrange) => {
    arrange();

    const lock = takeRunLock(file);

    expect(readFileSync(file, 'utf8')).toBe(OWN);
    expect(readdirSync(dir)).toEqual(['lock']);
    release(lock);
    expect(readdirSync(dir)).toEqual([]);
  });

  it('is taken over by one, where two find that its process is gone', () => {
    write(GONE);
    let others: RunLock | undefined;
    // The other one takes it while this one is asking whether its process runs.
    const isRunning = (pid: number) => {
      others ??= takeRunLock(file, { isRunning: (other) => other === process.pid });
      return pid === process.pid;
    };

    expect(takeRunLock(file, { isRunning })).toEqual({ heldBy: process.pid });
    expect(others).toHaveProperty('release');
    expect(readdirSync(dir)).toEqual(['lock']);
  });

  it('is taken over by one, where two also find that the process which replaced it is gone', () => {
    write(GONE);
    write(GONE, undefined, `${file}.replacing`);
    let questions = 0;
    let others: RunLock | undefined;
    // The other one takes it while this one is asking whether the process of the second lock runs.
    const isRunning = (pid: number) => {
      questions += 1;
      if (questions === 2) others = takeRunLock(file, { isRunning: (other) => other === process.pid });
      return pid === process.pid;
    };

    expect(takeRunLock(file, { isRunning })).toHaveProperty('heldBy');
    expect(others).toHaveProperty('release');
    expect(readdirSync(dir)).toEqual(['lock']);
  });

  it.each([
    ['names another machine', GONE, () => write(GONE, 'another-machine')],
    ['names no process yet', undefined, () => writeFileSync(file, '')],
    ['names no process at all', undefined, () => writeFileSync(file, 'x')],
    ['is being taken over', undefined, () => (write(GONE), writeFileSync(`${file}.replacing`, ''))],
    ['is of a process of somebody else', 1, () => write(1)],
  ])('counts as held where it %s', (_, heldBy, arrange) => {
    arrange();
    const before = readFileSync(file, 'utf8');

    expect(takeRunLock(file)).toEqual({ heldBy });
    expect(readFileSync(file, 'utf8')).toBe(before);
  });
});

test('the holder of a lock is the process that took it; of none there is none', () => {
  expect(lockHolder(file)).toBeUndefined();

  takeRunLock(file);

  expect(lockHolder(file)).toBe(process.pid);
});
