import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { text } from 'node:stream/consumers';

import { type CommandResult } from './command';
import { PROJECT_ROOT } from './local-process';
import { type Place } from './place';
import { type RunningSystem } from './running-system';

/** Runs a script in a shell that fails on unset variables and on the first failing command. */
export async function runShell(
  script: string,
  env: NodeJS.ProcessEnv,
  { input = '', cwd = PROJECT_ROOT } = {},
): Promise<CommandResult> {
  const child = spawn('bash', ['--norc', '-eu', '-o', 'pipefail', '-c', script], { cwd, env });
  // Not every script reads its input.
  child.stdin.on('error', () => undefined).end(input);
  const closed = once(child, 'close');
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), closed]);
  return { exitCode: child.exitCode, stdout, stderr };
}

/** A block of a page for this system, whose state directory is not that of the page. */
export function blockFor({ process: { stateDir } }: RunningSystem, block: string): string {
  return block
    .replaceAll(/(\.\/)?\.latchkey\//g, `${stateDir}/`)
    .replaceAll('npx latchkey', `node '${join(PROJECT_ROOT, 'bin/latchkey.cjs')}'`);
}

/**
 * Installs a `latchkey` that adds the flags for the running laptop system, since an account's configuration
 * cannot name it.
 */
export function installCommand(folder: string, { process: { stateDir } }: RunningSystem): void {
  const executable = join(PROJECT_ROOT, 'bin/latchkey.cjs');
  writeFileSync(
    join(folder, 'latchkey'),
    `#!/bin/sh\nexec '${process.execPath}' '${executable}' "$@" --local --state-dir '${stateDir}'\n`,
    { mode: 0o755 },
  );
}

/** The environment of an operator's shell that has exported the names of the place. */
export function shellEnvironment(folder: string, { deployment, tenant }: Place): Record<string, string> {
  return {
    PATH: `${folder}${delimiter}${process.env.PATH}`,
    ENVIRONMENT: deployment.environment,
    REGION: deployment.platformRegion!,
    TENANT: tenant.tenantId,
  };
}
