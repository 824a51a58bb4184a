import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';

import { type Place } from './journeys';
import { PROJECT_ROOT } from './local-process';
import { type RunningSystem } from './running-system';

const RUNBOOK = join(PROJECT_ROOT, 'docs/runbook');

/** A page of the runbook, as it is written. */
export interface Page {
  file: string;
  text: string;
}

export interface ShellResult {
  exitCode: number | null;
  /** What was printed, on either side. */
  output: string;
}

/** Every page of docs/runbook. */
export function readRunbook(): Page[] {
  return readdirSync(RUNBOOK).map((file) => ({ file, text: readFileSync(join(RUNBOOK, file), 'utf8') }));
}

/** One of them. */
export function pageOf(file: string): Page {
  return readRunbook().find((each) => each.file === file)!;
}

/** What the blocks of a language hold, in their order, without the indentation of the list that they stand in. */
export function blocksOf({ text }: Page, language: string): string[] {
  const fenced = /^( *)```(\w*)\n([\s\S]*?)^\1```$/gm;
  return [...text.matchAll(fenced)]
    .filter(([, , found]) => found === language)
    .map(([, indent = '', , block = '']) => block.replaceAll(new RegExp(`^${indent}`, 'gm'), '').trim());
}

/** Pastes a block into a shell, where a name that is not set is an error and the first command that fails is the last. */
export function runShell(block: string, env: Record<string, string>, input = ''): ShellResult {
  const { status, stdout, stderr } = spawnSync('bash', ['--norc', '-eu', '-o', 'pipefail', '-c', block], {
    encoding: 'utf8',
    cwd: PROJECT_ROOT,
    env,
    input,
  });
  return { exitCode: status, output: `${stdout}\n${stderr}` };
}

/**
 * Puts a `latchkey` into a folder that acts on a running system: the configuration of an account cannot name the laptop,
 * so the command is told.
 */
export function installCommand(folder: string, { process: { stateDir } }: RunningSystem): void {
  const executable = join(PROJECT_ROOT, 'bin/latchkey.cjs');
  writeFileSync(
    join(folder, 'latchkey'),
    `#!/bin/sh\nexec '${process.execPath}' '${executable}' "$@" --local --state-dir '${stateDir}'\n`,
    { mode: 0o755 },
  );
}

/** What a shell of an operator has, who has exported the names of the place. */
export function shellEnvironment(folder: string, { deployment, tenant }: Place): Record<string, string> {
  return {
    PATH: `${folder}${delimiter}${process.env.PATH}`,
    ENVIRONMENT: deployment.environment,
    REGION: deployment.platformRegion,
    TENANT: tenant.tenantId,
  };
}
