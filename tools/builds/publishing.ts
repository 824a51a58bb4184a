import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { parse } from 'yaml';

const WORKFLOW = join(__dirname, '../../.github/workflows/release.yml');

interface Workflow {
  jobs: Record<string, { steps: { run?: string }[] }>;
}

/**
 * Returns the command with which a job of the release workflow publishes. It runs the job's own script, in which `npm` and `gh`
 * only print how they were called.
 * @param tag such as `v1.0.0`
 * @param folder in which the job runs, with the files that it publishes
 */
export function publishingCommand(job: 'npm' | 'github', tag: string, folder: string): string {
  const { jobs } = parse(readFileSync(WORKFLOW, 'utf8')) as Workflow;
  const scripts = jobs[job]!.steps.map(({ run = '' }) => run).join('\n');
  const printing = ['npm', 'gh'].map((name) => `${name}() { echo "${name} $*"; }`);
  return execFileSync('bash', ['--norc', '-euc', [...printing, scripts].join('\n')], {
    cwd: folder,
    encoding: 'utf8',
    env: { PATH: process.env.PATH, GITHUB_REF_NAME: tag },
  }).trim();
}
