/**
 * Mutation testing of a folder or file: `npm run test:mutation -- FOLDER`. StrykerJS changes one place at a
 * time (a mutant), and the folder's tests should fail. Prints surviving mutants, and exits with 1 if the score is below
 * the last recorded one. `--keep` records a score that is not, in docs/mutation-testing.json.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { Stryker } from '@stryker-mutator/core';

import { keepResult, lastResultOf, resultOf, scoreOf } from './results.mjs';
import { partsOf, SUBJECTS } from './subjects.mjs';

const [given = '', ...flags] = process.argv.slice(2);
const subject = given.replace(/\/$/, '');
const fault = faultOf(subject, flags);
if (fault === undefined) await examine(subject);
else {
  process.stderr.write(`${fault}\n`);
  process.exitCode = 2;
}

function faultOf(subject, [flag, ...others]) {
  if (!existsSync(subject))
    return `found ${subject || 'nothing'}; allowed: a folder or a file of the product`;
  if (others.length > 0 || (flag !== undefined && flag !== '--keep')) {
    return `found ${[flag, ...others].join(' ')}; allowed: --keep`;
  }
  if (flag !== undefined && SUBJECTS[subject] === undefined) {
    return `found ${subject}; allowed with --keep: ${Object.keys(SUBJECTS).join(', ')}`;
  }
  if (flag !== undefined && git('status', '--porcelain', '--', '.', ':!docs') !== '') {
    return 'found uncommitted changes; allowed with --keep: none, because the commit is recorded';
  }
  return undefined;
}

async function examine(subject) {
  const startedMs = performance.now();
  const commit = git('rev-parse', '--short=8', 'HEAD');
  const parts = partsOf(subject);
  const isWhole = parts.every(({ name }) => !existsSync(incrementalFileOf(name)));
  // Bundles are built once for all mutants: they contain the mutated code, with a switch per mutant.
  const shared = mkdtempSync(join(tmpdir(), 'latchkey-test-run-'));
  process.env.LATCHKEY_TEST_RUN = shared;
  const mutants = [];
  try {
    for (const part of parts) mutants.push(...(await mutantsOf(part)));
  } finally {
    rmSync(shared, { recursive: true });
  }
  const seconds = Math.round((performance.now() - startedMs) / 1000);
  const files = resultOf(subject, mutants);
  const score = scoreOf(files);
  const lastFiles = lastResultOf(subject);
  const last = lastFiles === undefined ? 0 : scoreOf(lastFiles);
  process.stdout.write(
    `${subject}: ${score.toFixed(1)} % killed (last: ${last.toFixed(1)} %), ${seconds} s\n`,
  );
  if (score < last) process.exitCode = 1;
  else if (flags.includes('--keep')) {
    const date = new Date().toISOString().slice(0, 10);
    keepResult(subject, files, { commit, date, seconds: isWhole ? seconds : undefined });
  }
}

function git(...args) {
  return execFileSync('git', args, { encoding: 'utf8' }).trim();
}

async function mutantsOf({ name, mutate, tests, withoutTests, isEntry }) {
  const stryker = new Stryker({
    mutate,
    plugins: [
      fileURLToPath(import.meta.resolve('@stryker-mutator/jest-runner')),
      join(import.meta.dirname, 'texts-ignorer.mjs'),
    ],
    ignorers: ['texts'],
    testRunner: 'jest',
    // A bundle composes its ports in the first test, and all others rely on them.
    coverageAnalysis: isEntry ? 'off' : 'perTest',
    // A timeout counts as killed, so a busy machine must not cause one.
    timeoutMS: 60_000,
    concurrency: availableParallelism(),
    incremental: true,
    incrementalFile: incrementalFileOf(name),
    tempDirName: '.stryker/sandbox',
    ignorePatterns: ['.stryker', '.latchkey', 'cdk.out', 'dist', 'coverage', 'bench', 'docs/images'],
    reporters: ['clear-text', 'progress-append-only'],
    clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
    allowConsoleColors: false,
    jest: {
      projectType: 'custom',
      enableFindRelatedTests: false,
      configFile: 'test/mutation/jest.config.cjs',
      config: { testMatch: tests, testPathIgnorePatterns: withoutTests },
    },
  });
  return stryker.runMutationTest();
}

/** The file with a run's results for the next incremental run. */
function incrementalFileOf(name) {
  return `.stryker/${name.replaceAll('/', '-')}.json`;
}
