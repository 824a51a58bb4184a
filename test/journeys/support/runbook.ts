import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';

import { anchorOf } from '../../support/page-links';
import { type Place } from './journeys';
import { PROJECT_ROOT } from './local-process';
import { type RunningSystem } from './running-system';

const RUNBOOK = join(PROJECT_ROOT, 'docs/runbook');

/** A page, or one section of the runbook, which answers one situation. */
export interface Page {
  /** Its address below docs/runbook, as alarms name it: `credentials.md#rollback`. */
  file: string;
  text: string;
}

export interface ShellResult {
  exitCode: number | null;
  /** Standard output and standard error together. */
  output: string;
}

/** README.md, and all sections of the other pages of docs/runbook. */
export function readRunbook(): Page[] {
  return readdirSync(RUNBOOK).flatMap((file) => {
    const text = readFileSync(join(RUNBOOK, file), 'utf8');
    return file === 'README.md' ? [{ file, text }] : sectionsOf(file, text);
  });
}

/** A section ends where the next one of its level begins. */
function sectionsOf(file: string, text: string): Page[] {
  const [, ...sections] = text.split(/^## /m);
  return sections.map((section) => ({
    file: `${file}#${anchorOf(section.split('\n', 1)[0]!)}`,
    text: section,
  }));
}

/** README.md, or a section by its address. */
export function pageOf(file: string): Page {
  return readRunbook().find((each) => each.file === file)!;
}

/** The code blocks of a language in order, without their list indentation. */
export function blocksOf({ text }: Page, language: string): string[] {
  const fenced = /^( *)```(\w*)\n([\s\S]*?)^\1```$/gm;
  return [...text.matchAll(fenced)]
    .filter(([, , found]) => found === language)
    .map(([, indent = '', , block = '']) => block.replaceAll(new RegExp(`^${indent}`, 'gm'), '').trim());
}

/** Runs a block in a shell that fails on unset variables and on the first failing command. */
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
