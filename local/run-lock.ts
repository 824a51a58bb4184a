import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';

/** Removes a lock file. */
export type Release = () => void;

/** Whether this process has taken a lock, or which one holds it: undefined where the file does not say. */
export type RunLock = { readonly release: Release } | { readonly heldBy: number | undefined };

/** Whether a process of this machine still runs. */
export type IsRunning = (pid: number) => boolean;

/**
 * Takes a lock file for this process. A stale lock, whose process is gone, is replaced by exactly one of those who find
 * it. Shared by the laptop's state directory and the command's results files; it knows nothing of either.
 * @throws the error of the file system
 */
export function takeRunLock(file: string, isRunning: IsRunning = isProcessRunning): RunLock {
  const taken = { release: () => rmSync(file, { force: true }) };
  if (create(file)) return taken;
  if (!isStale(file, isRunning)) return { heldBy: lockHolder(file) };
  // By the time that a stale lock is replaced it may be another's new lock: only the holder of a second lock, which may
  // be stale itself, checks again and replaces the first one by it.
  const replacing = takeRunLock(`${file}.replacing`, isRunning);
  if ('heldBy' in replacing) return replacing;
  if (!isStale(file, isRunning)) {
    replacing.release();
    return { heldBy: lockHolder(file) };
  }
  renameSync(`${file}.replacing`, file);
  return taken;
}

/** The process that a lock file names; undefined where it names none, or there is no such file. */
export function lockHolder(file: string): number | undefined {
  return readLock(file)?.pid;
}

/** @returns false where there is one already */
function create(file: string): boolean {
  try {
    writeFileSync(file, `${process.pid} ${hostname()}\n`, { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** Only if that is certain: not a lock that was just created or removed, nor that of another machine. */
function isStale(file: string, isRunning: IsRunning): boolean {
  const lock = readLock(file);
  return lock?.host === hostname() && !isRunning(lock.pid);
}

/** An older laptop run wrote no host: it was on this machine. */
function readLock(file: string): { pid: number; host: string } | undefined {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
  const [, pid, host = hostname()] = /^(\d+)(?: (.*))?\n$/.exec(text) ?? [];
  return pid === undefined ? undefined : { pid: Number(pid), host };
}

function isProcessRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
