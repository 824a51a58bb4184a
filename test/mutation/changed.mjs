/**
 * `node test/mutation/changed.mjs SECONDS`: mutation testing of the files that a change touched, or whose test it touched,
 * small ones first, as far as the time allows. Then prints which have a lower score than recorded, or none, and the last score
 * of each folder. The change is what is not yet on origin/main, or else the last commit.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';

import { lastRuns, scoreOf } from './results.mjs';
import { subjectOf, SUBJECTS } from './subjects.mjs';

const untilMs = Date.now() + Number(process.argv[2]) * 1000;
const left = touchedFiles();
const lower = [];
const temporary = mkdtempSync(join(tmpdir(), 'latchkey-mutants-'));
while (left.length > 0 && Date.now() < untilMs) {
  const { error, status } = spawnSync(process.execPath, [join(import.meta.dirname, 'run.mjs'), left[0]], {
    stdio: 'inherit',
    env: { ...process.env, TMPDIR: temporary },
    timeout: untilMs - Date.now(),
  });
  if (error?.code === 'ETIMEDOUT') break;
  const file = left.shift();
  if (status !== 0) lower.push(file);
}
for (const folder of [temporary, '.stryker/sandbox']) rmSync(folder, { recursive: true, force: true });
if (lower.length > 0) process.stdout.write(`Lower score, or none: ${lower.join(', ')}\n`);
if (left.length > 0) process.stdout.write(`No time for mutants of ${left.join(', ')}\n`);
for (const [subject, { commit, date, files }] of Object.entries(lastRuns())) {
  const days = Math.floor((Date.now() - Date.parse(date)) / 86_400_000);
  process.stdout.write(`${subject}: ${scoreOf(files)} % killed at ${commit}, ${days} days ago\n`);
}

function touchedFiles() {
  const touched = gitOrNothing('diff', '--name-only', base(), '--', ...Object.keys(SUBJECTS), 'test').split(
    '\n',
  );
  const sources = touched.map((file) => file.replace(/^test\/(.*)\.test\.ts$/, '$1.ts'));
  return [...new Set(sources)]
    .filter((file) => isMutated(file) && existsSync(file))
    .sort((one, other) => statSync(one).size - statSync(other).size);
}

function isMutated(file) {
  const subject = subjectOf(file);
  const { files } = SUBJECTS[subject] ?? { files: [] };
  return file.endsWith('.ts') && (files?.some((name) => file === `${subject}/${name}.ts`) ?? true);
}

function base() {
  const common = gitOrNothing('merge-base', 'HEAD', 'origin/main');
  return common === '' || common === gitOrNothing('rev-parse', 'HEAD') ? 'HEAD~1' : common;
}

/** Nothing if Git knows no such commit, as in a clone without history. */
function gitOrNothing(...args) {
  return spawnSync('git', args, { encoding: 'utf8' }).stdout.trim();
}
