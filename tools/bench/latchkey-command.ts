import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

const ROOT = join(__dirname, '../..');

/** The ways to start the command `latchkey`: as in a checkout, which looks whether it has to be built, and as built. */
export const COMMANDS = {
  checkout: join(ROOT, 'bin/latchkey.cjs'),
  built: join(ROOT, 'dist/latchkey.js'),
} as const;

/** How a process of Node ended, which is well. */
interface Run {
  wallMs: number;
  stdout: string;
}

/**
 * Runs Node with some arguments, until its end.
 * @throws {Error} if it ends with another code than 0, with what it said
 */
export async function runNode(...args: readonly string[]): Promise<Run> {
  const startedMs = performance.now();
  const { stdout } = await promisify(execFile)(process.execPath, args, { maxBuffer: 64 * 1024 * 1024 });
  return { wallMs: performance.now() - startedMs, stdout };
}
