/**
 * Planted faults: `npm run test:planted [-- NAME…]`. Applies each fault to a copy of the checkout, and the tests that
 * it names must fail. Exits with 1 if they pass, or if the text to replace is not found. StrykerJS covers
 * single lines of logic; these are faults in wiring, in templates, and in what users rely on.
 */
import { spawn, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { performance } from 'node:perf_hooks';
import process from 'node:process';

import { PLANTED_FAULTS } from './planted-faults.mjs';

const FOLDER = resolve('.stryker/planted');
const names = process.argv.slice(2);
const unknown = names.filter((name) => !PLANTED_FAULTS.some((fault) => fault.name === name));
const faults = PLANTED_FAULTS.filter(({ name }) => names.length === 0 || names.includes(name));
const stale = faults.flatMap(({ name, file, find }) => {
  const count = existsSync(file) ? readFileSync(file, 'utf8').split(find).length - 1 : 0;
  return count === 1 ? [] : [`${name}: found ${count} times in ${file}: ${find}; allowed: once`];
});
const missing = faults.flatMap(({ name, tests }) =>
  tests.filter((test) => !existsSync(test)).map((test) => `${name}: found no ${test}; allowed: a test file`),
);
if (unknown.length > 0) {
  const allowed = PLANTED_FAULTS.map(({ name }) => name).join(', ');
  process.stderr.write(`found ${unknown.join(', ')}; allowed: ${allowed}\n`);
  process.exitCode = 2;
} else if (stale.length + missing.length > 0) {
  process.stderr.write(`${[...stale, ...missing].join('\n')}\n`);
  process.exitCode = 1;
} else {
  await plantAll();
}

async function plantAll() {
  const startedMs = performance.now();
  rmSync(FOLDER, { recursive: true, force: true });
  const copies = Array.from({ length: Math.min(availableParallelism(), faults.length) }, (_, copy) =>
    copyCheckout(join(FOLDER, String(copy))),
  );
  try {
    // A test that fails anyway notices nothing.
    const tests = [...new Set(faults.flatMap((fault) => fault.tests))];
    const red = await firstFailure(copies[0], tests, copies.length);
    if (red !== undefined) {
      process.stderr.write(`fails without a planted fault: ${red}\n`);
      process.exitCode = 1;
      return;
    }
    process.stdout.write(
      `without a fault: ${tests.length} test files pass, ${secondsSince(startedMs)} s\n\n`,
    );
    process.stdout.write('| Fault | First test that noticed | Seconds |\n| --- | --- | --- |\n');
    const left = faults.values();
    const unnoticed = [];
    const plantInTurn = async (copy) => {
      for (const fault of left) {
        const plantedMs = performance.now();
        const test = await plant(copy, fault);
        process.stdout.write(`| ${fault.name} | ${test ?? '**none**'} | ${secondsSince(plantedMs)} |\n`);
        if (test === undefined) unnoticed.push(fault.name);
      }
    };
    await Promise.all(copies.map(plantInTurn));
    process.stdout.write(
      `\n${faults.length - unnoticed.length} of ${faults.length} noticed, ${secondsSince(startedMs)} s\n`,
    );
    if (unnoticed.length > 0) process.exitCode = 1;
  } finally {
    rmSync(FOLDER, { recursive: true, force: true });
  }
}

/** Files as they are in the checkout, also if not committed. Packages are those of the checkout. */
function copyCheckout(copy) {
  const { stdout } = spawnSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  });
  for (const file of stdout.split('\0').filter((name) => name !== '' && existsSync(name))) {
    mkdirSync(dirname(join(copy, file)), { recursive: true });
    cpSync(file, join(copy, file));
  }
  symlinkSync(resolve('node_modules'), join(copy, 'node_modules'));
  return copy;
}

async function plant(copy, { file, find, replace, tests }) {
  const target = join(copy, file);
  const text = readFileSync(target, 'utf8');
  writeFileSync(
    target,
    text.replace(find, () => replace),
  );
  try {
    return await firstFailure(copy, tests);
  } finally {
    writeFileSync(target, text);
  }
}

/** The first failed test; undefined if all pass. A file that cannot be loaded has noticed nothing. */
async function firstFailure(copy, tests, maxWorkers = 1) {
  const results = join(copy, 'planted-results.json');
  rmSync(results, { force: true });
  const args = [
    'node_modules/jest/bin/jest.js',
    '--silent',
    // On a busy machine, tests of many requests take longer than a test run allows.
    '--testTimeout=60000',
    `--maxWorkers=${maxWorkers}`,
    '--json',
    '--outputFile',
    results,
  ];
  const jest = spawn(process.execPath, [...args, '--runTestsByPath', ...tests], {
    cwd: copy,
    stdio: 'ignore',
  });
  await new Promise((end, fail) => jest.on('close', end).on('error', fail));
  const {
    testResults,
    numRuntimeErrorTestSuites: broken,
    numTotalTests: total,
  } = JSON.parse(readFileSync(results, 'utf8'));
  const failed = testResults.flatMap(({ name, assertionResults }) =>
    assertionResults
      .filter(({ status }) => status === 'failed')
      .map(({ fullName }) => `${relative(copy, name)}: ${fullName.replaceAll('|', '\\|')}`),
  );
  if (failed.length === 0 && (broken > 0 || total === 0)) {
    throw new Error(
      `no test runs in ${tests.join(', ')}: ${testResults.map(({ message }) => message).join('\n')}`,
    );
  }
  return failed[0];
}

function secondsSince(startedMs) {
  return Math.round((performance.now() - startedMs) / 1000);
}
