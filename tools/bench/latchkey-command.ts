import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

const ROOT = join(__dirname, '../..');

/** The entries of the command: of a checkout, which first builds it if the sources changed, and of the built file. */
export const COMMANDS = {
  checkout: join(ROOT, 'bin/latchkey.cjs'),
  built: join(ROOT, 'dist/latchkey.js'),
} as const;

/** A successful run of Node. */
interface Run {
  wallMs: number;
  stdout: string;
}

/**
 * Runs Node with these arguments until it exits.
 * @throws {Error} with its output, if the exit code is not 0
 */
export async function runNode(...args: readonly string[]): Promise<Run> {
  const startedMs = performance.now();
  const { stdout } = await promisify(execFile)(process.execPath, args, { maxBuffer: 64 * 1024 * 1024 });
  return { wallMs: performance.now() - startedMs, stdout };
}
