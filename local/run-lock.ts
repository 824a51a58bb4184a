import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';

/** Removes a lock file. */
export type Release = () => void;

/** Whether this process has taken a lock, or which one holds it: undefined where the file does not say. */
export type RunLock = { readonly release: Release } | { readonly heldBy: number | undefined };

/** Whether a process of this machine still runs. */
export type IsRunning = (pid: number) => boolean;

/** How a lock is judged. */
export interface LockOptions {
  /** @default asks the system */
  readonly isRunning?: IsRunning;
  /**
   * Whether only processes of this machine use the lock: one that names another host, as after a host was renamed, or
   * nothing readable is stale then. @default false: it counts as held
   */
  readonly isLocal?: boolean;
}

/**
 * Takes a lock file for this process. A stale lock, whose process is gone, is replaced by exactly one of those who find
 * it. Shared by the laptop's state directory and the command's results files; it knows nothing of either.
 * @throws the error of the file system
 */
export function takeRunLock(file: string, options: LockOptions = {}): RunLock {
  const taken = { release: () => rmSync(file, { force: true }) };
  if (create(file)) return taken;
  if (!isStale(file, options)) return { heldBy: lockHolder(file) };
  // By the time that a stale lock is replaced it may be another's new lock: only the holder of a second lock, which may
  // be stale itself, checks again and replaces the first one by it.
  const replacing = takeRunLock(`${file}.replacing`, options);
  if ('heldBy' in replacing) return replacing;
  if (!isStale(file, options)) {
    replacing.release();
    return { heldBy: lockHolder(file) };
  }
  renameSync(`${file}.replacing`, file);
  return taken;
}

/** The process that a lock file names; undefined where it names none, or there is no such file. */
export function lockHolder(file: string): number | undefined {
  return parseLock(readLock(file))?.pid;
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

/** A lock that was just created or removed is not stale. */
function isStale(file: string, { isRunning = isProcessRunning, isLocal = false }: LockOptions): boolean {
  const text = readLock(file);
  if (text === '') return false;
  const lock = parseLock(text);
  if (lock === undefined) return isLocal;
  return (isLocal || lock.host === hostname()) && !isRunning(lock.pid);
}

/** Empty where there is none. */
function readLock(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

/** An older laptop run wrote no host: it was on this machine. */
function parseLock(text: string): { pid: number; host: string } | undefined {
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
