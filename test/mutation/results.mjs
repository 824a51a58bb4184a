import { readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';

import { subjectOf, SUBJECTS } from './subjects.mjs';

const ROOT = join(import.meta.dirname, '../..');
const RESULTS = join(ROOT, 'docs/mutation-testing.json');

const KILLED = ['Killed', 'Timeout'];
const SURVIVED = ['Survived', 'NoCoverage'];

/** The result of a run, by file in the subject's folder: killed mutants, and where the others are. Ignored ones do not count. */
export function resultOf(subject, mutants) {
  const folder = subject.endsWith('.ts') ? dirname(subject) : subject;
  const files = {};
  for (const { fileName, location, mutatorName, status } of mutants) {
    const file = relative(join(ROOT, folder), fileName);
    files[file] ??= { killed: 0, survived: [] };
    if (KILLED.includes(status)) files[file].killed += 1;
    if (SURVIVED.includes(status)) files[file].survived.push(`${location.start.line} ${mutatorName}`);
  }
  return files;
}

/** The last recorded result of a folder, or of a file in it. */
export function lastResultOf(subject) {
  const results = lastRuns();
  if (!subject.endsWith('.ts')) return results[subject]?.files;
  const folder = subjectOf(subject);
  const file = results[folder]?.files[relative(folder, subject)];
  return file && { [basename(subject)]: file };
}

/** Killed mutants in percent, rounded down to a tenth. */
export function scoreOf(files) {
  const { killed, survived } = sumsOf(files);
  return killed + survived === 0 ? 100 : Math.floor((1000 * killed) / (killed + survived)) / 10;
}

/**
 * Saves a result as the newest of its folder.
 * @param run `commit`, `date` and `seconds`; no `seconds` for a partial run, which keeps the recorded ones
 */
export function keepResult(subject, files, { commit, date, seconds }) {
  const results = lastRuns();
  results[subject] = { commit, date, seconds: seconds ?? results[subject]?.seconds, files };
  const inOrder = Object.keys(SUBJECTS).filter((name) => results[name] !== undefined);
  const kept = Object.fromEntries(inOrder.map((name) => [name, results[name]]));
  writeFileSync(RESULTS, `${JSON.stringify(kept, null, 2)}\n`);
}

/** The last recorded run of each subject. */
export function lastRuns() {
  return JSON.parse(readFileSync(RESULTS, 'utf8'));
}

function sumsOf(files) {
  const all = Object.values(files);
  return {
    killed: all.reduce((sum, { killed }) => sum + killed, 0),
    survived: all.reduce((sum, { survived }) => sum + survived.length, 0),
  };
}
