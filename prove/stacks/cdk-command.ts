import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

import { interruption } from '../../cli/command-error';

/** CDK ends at once when it is interrupted; CloudFormation finishes what it has begun. */
const ENDING_MS = 10_000;
/** How many of its last lines are kept for the message of a failure. */
const LAST_LINES = 20;

export interface CdkCommand {
  /** The folder of the package `aws-cdk`. */
  readonly packageDir: string;
  readonly profile: string | undefined;
  /** Aborted to interrupt it. */
  readonly signal: AbortSignal;
  /** Called for each line that it prints. */
  readonly onLine: (line: string) => void;
}

/** What `cdk` printed last, and how it ended. */
export interface CdkResult {
  readonly exitCode: number | null;
  readonly lastLines: string;
}

/**
 * Runs a command of `cdk` on a cloud assembly, in its folder, where no configuration of another app applies.
 * @throws {CommandError} when it was interrupted and has ended
 */
export async function runCdk(
  assemblyDir: string,
  args: readonly string[],
  { packageDir, profile, signal, onLine }: CdkCommand,
): Promise<CdkResult> {
  if (signal.aborted) throw interruption();
  const all = [
    ...args,
    '--all',
    '--app',
    assemblyDir,
    ...(profile === undefined ? [] : ['--profile', profile]),
  ];
  const child = spawn(process.execPath, [join(packageDir, 'bin/cdk'), ...all, '--no-color', '--no-notices'], {
    cwd: assemblyDir,
    env: { ...process.env, CDK_DISABLE_CLI_TELEMETRY: 'true' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const lines: string[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on('line', (line) => {
      onLine(line);
      if (line.trim() !== '') lines.push(line.trim());
      if (lines.length > LAST_LINES) lines.shift();
    });
  }
  const exitCode = await ended(child, signal);
  if (signal.aborted) throw interruption();
  return { exitCode, lastLines: lines.join('\n') };
}

/** Waits for the child's end. Whatever ends this program first also ends the child. */
async function ended(child: ChildProcess, signal: AbortSignal): Promise<number | null> {
  let kill: NodeJS.Timeout | undefined;
  const interrupt = (): void => {
    child.kill('SIGINT');
    kill = setTimeout(() => child.kill('SIGKILL'), ENDING_MS);
  };
  const endToo = (): void => void child.kill('SIGINT');
  signal.addEventListener('abort', interrupt, { once: true });
  process.once('exit', endToo);
  try {
    return await new Promise((resolve, reject) => {
      child.once('close', resolve);
      child.once('error', reject);
    });
  } finally {
    clearTimeout(kill);
    signal.removeEventListener('abort', interrupt);
    process.off('exit', endToo);
  }
}
