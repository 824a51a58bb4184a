import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';

/** Begins each lock file, so that no other program's file is taken for one. */
const MARK = 'latchkey ';

/** Removes a lock file. */
export type Release = () => void;

/** A lock that this process took, or the process that holds it; undefined if the file does not say which. */
export type RunLock = { readonly release: Release } | { readonly heldBy: number | undefined };

/** Whether a process on this machine is still running. */
export type IsRunning = (pid: number) => boolean;

/** How a lock is judged. */
export interface LockOptions {
  /** @default asks the system */
  readonly isRunning?: IsRunning;
  /**
   * Whether only processes of this machine use the lock. Then a lock is also stale if it names another host, such as
   * before the host was renamed, or no process. @default false
   */
  readonly isLocal?: boolean;
}

/**
 * Takes a lock file for this process. If the lock is stale, because its process has exited, exactly one of the
 * processes that find it takes it over.
 * @throws any file system error
 */
export function takeRunLock(file: string, options: LockOptions = {}): RunLock {
  const taken = { release: () => rmSync(file, { force: true }) };
  if (create(file)) return taken;
  if (!isStale(file, options)) return { heldBy: lockHolder(file) };
  // Another process may replace a stale lock first. So only the holder of a second lock, which may be stale itself,
  // checks again and takes the first one over.
  const replacing = takeRunLock(`${file}.replacing`, options);
  if ('heldBy' in replacing) return replacing;
  if (!isStale(file, options)) {
    replacing.release();
    return { heldBy: lockHolder(file) };
  }
  renameSync(`${file}.replacing`, file);
  return taken;
}

/** Whether a file is a lock that {@link takeRunLock} wrote, or began to write. */
export function isRunLock(file: string): boolean {
  const text = readLock(file);
  return MARK.startsWith(text) || text.startsWith(MARK);
}

/** The process id in a lock file; undefined if the file has none or does not exist. */
export function lockHolder(file: string): number | undefined {
  return parseLock(readLock(file))?.pid;
}

/** @returns false if the file exists */
function create(file: string): boolean {
  try {
    writeFileSync(file, `${MARK}${process.pid} ${hostname()}\n`, { flag: 'wx', mode: 0o600 });
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

function parseLock(text: string): { pid: number; host: string } | undefined {
  const [, pid, host = ''] = new RegExp(`^${MARK}(\\d+) (.*)\n$`).exec(text) ?? [];
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
