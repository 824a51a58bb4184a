import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';

import { lockHolder, type RunLock, takeRunLock } from '../../laptop/run-lock';
import { newFolder } from '../support/new-folder';

/** Above the kernel's largest process id. */
const GONE = 4_194_305;
const OWN = `latchkey ${process.pid} ${hostname()}\n`;
let dir: string;
let file: string;
beforeEach(() => {
  dir = newFolder();
  file = join(dir, 'lock');
});

const write = (pid: number, host = hostname(), lock = file) =>
  writeFileSync(lock, `latchkey ${pid} ${host}\n`);

function release(lock: RunLock): void {
  if ('heldBy' in lock) throw new Error(`held by ${lock.heldBy}`);
  lock.release();
}

describe('a run lock', () => {
  it('is held by one process until that releases it', () => {
    const lock = takeRunLock(file);

    expect(takeRunLock(file)).toEqual({ heldBy: process.pid });
    release(lock);

    expect(existsSync(file)).toBe(false);
    release(takeRunLock(file));
  });

  it.each([
    ['a process that has exited', () => write(spawnSync(process.execPath, ['--version']).pid)],
    [
      'a process that was killed while it took the lock over',
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

  it.each([
    ['it stale', 1, process.pid],
    ['it and the second lock stale', 2, undefined],
  ])('is taken over by one of two processes that find %s', (_, staleLocks, heldBy) => {
    write(GONE);
    if (staleLocks === 2) write(GONE, undefined, `${file}.replacing`);
    let questions = 0;
    let others: RunLock | undefined;
    // The other process takes the lock while this one checks whether the last holder is running.
    const isRunning = (pid: number) => {
      questions += 1;
      if (questions === staleLocks)
        others = takeRunLock(file, { isRunning: (other) => other === process.pid });
      return pid === process.pid;
    };

    expect(takeRunLock(file, { isRunning })).toEqual({ heldBy });
    expect(others).toHaveProperty('release');
    expect(readdirSync(dir)).toEqual(['lock']);
  });

  it.each([
    ['names another machine', GONE, () => write(GONE, 'another-machine')],
    ['names no process yet', undefined, () => writeFileSync(file, '')],
    ['is another program’s', undefined, () => writeFileSync(file, 'x')],
    ['is being taken over', undefined, () => (write(GONE), writeFileSync(`${file}.replacing`, ''))],
    ['belongs to another user’s process', 1, () => write(1)],
  ])('counts as held if it %s', (_, heldBy, arrange) => {
    arrange();
    const before = readFileSync(file, 'utf8');

    expect(takeRunLock(file)).toEqual({ heldBy });
    expect(readFileSync(file, 'utf8')).toBe(before);
  });
});

test('lockHolder returns the process that took the lock, or undefined', () => {
  expect(lockHolder(file)).toBeUndefined();

  takeRunLock(file);

  expect(lockHolder(file)).toBe(process.pid);
});
