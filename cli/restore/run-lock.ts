import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';

import { CommandError } from '../command-error';
import { EXIT } from '../exit-codes';
import { showFile } from '../show-argument';

/** Removes the lock. */
export type Release = () => void;

/** Whether a process of this machine still runs. */
export type IsRunning = (pid: number) => boolean;

/**
 * Takes a lock file for this process. A lock whose process is gone is replaced, by one of those who find it at a time.
 * @throws {CommandError} `already_running`, where another process holds it, or one on another machine did
 * @throws the error of the file system
 */
export function takeRunLock(file: string, isRunning: IsRunning = isProcessRunning): Release {
  const release = () => rmSync(file, { force: true });
  if (create(file)) return release;
  // What was found to be outdated may be another's new lock by the time that it is replaced, so only one may replace.
  const replacing = `${file}.replacing`;
  if (isHeld(file, isRunning) || !create(replacing)) throw alreadyRunning(file);
  if (isHeld(file, isRunning)) {
    rmSync(replacing);
    throw alreadyRunning(file);
  }
  renameSync(replacing, file);
  return release;
}

/** @returns false where there is one already */
function create(file: string): boolean {
  try {
    writeFileSync(file, holderText(), { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

function holderText(): string {
  return `${process.pid} ${hostname()}\n`;
}

/** What can't be told counts as held: a lock that was just made, or just removed, or that of another machine. */
function isHeld(file: string, isRunning: IsRunning): boolean {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    return true;
  }
  const [, pid, host] = /^(\d+) (.*)\n$/.exec(text) ?? [];
  return pid === undefined || host !== hostname() || isRunning(Number(pid));
}

function alreadyRunning(file: string): CommandError {
  return new CommandError(EXIT.failed, 'already_running', `another run holds ${showFile(file)}`, {
    advice:
      'Two runs on one results file would send contents twice. Wait for its end; ' +
      'if there is none, on this machine or another, remove that file.',
  });
}

function isProcessRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
