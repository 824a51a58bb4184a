import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { HostError } from './host-error';

/** Removes the lock. */
export type Release = () => void;

/**
 * Takes the lock file of a state directory for this process. A lock whose process is gone is replaced.
 * @throws {HostError} `already_running`, naming the process that holds it.
 */
export function takeRunLock(file: string): Release {
  for (;;) {
    try {
      writeFileSync(file, `${process.pid}\n`, { flag: 'wx', mode: 0o600 });
      return () => rmSync(file, { force: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    const holder = Number(readFileSync(file, 'utf8'));
    if (isRunning(holder)) {
      throw new HostError('already_running', `a local run is up already: process ${holder} holds ${file}`);
    }
    rmSync(file, { force: true });
  }
}

/** A file that was just made may not hold its number yet: then it counts as held. */
function isRunning(pid: number): boolean {
  if (pid === 0) return true;
  if (!Number.isInteger(pid)) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
