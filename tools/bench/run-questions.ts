import { spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { goalTable, markdown } from './figures';
import { type BenchOptions, type Answer, type Question } from './question';
import { bundles } from './questions/bundles';
import { cold } from './questions/cold';
import { flight } from './questions/flight';
import { help } from './questions/help';
import { processes } from './questions/processes';
import { restore } from './questions/restore';
import { status } from './questions/status';
import { warm } from './questions/warm';

// The functions run on a newer Node on AWS; here the SDK's advice about Node 20 would hide what matters.
process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED = 'true';

const QUESTIONS: Record<string, Question> = {
  warm,
  flight,
  processes,
  cold,
  bundle: bundles,
  restore,
  status,
  help,
};

/** Compare nothing with other libraries, and start no other Node: run without the packages of this folder. */
const NEED_NO_PACKAGES = ['bundle', 'status', 'help'];

const USAGE = `usage: npm run bench -- [QUESTION…] [--quick]

  QUESTION       ${Object.keys(QUESTIONS).join(', ')}; all of them where none is named
  --quick        few rounds: shows that everything runs
  BENCH_ROUNDS   environment variable: rounds of every question`;

/** @throws {Error} naming what was found and what is allowed */
function readOptions(): { names: string[]; options: BenchOptions } {
  const { values, positionals } = parseArgs({
    options: { quick: { type: 'boolean', default: false } },
    allowPositionals: true,
  });
  const unknown = positionals.find((name) => !Object.hasOwn(QUESTIONS, name));
  if (unknown !== undefined) throw new Error(`found the question ${unknown}\n${USAGE}`);
  const { BENCH_ROUNDS: rounds } = process.env;
  if (rounds !== undefined && !/^[1-9]\d{0,3}$/.test(rounds)) {
    throw new Error(`BENCH_ROUNDS: found ${rounds}; allowed: 1–9999`);
  }
  return {
    names: positionals.length > 0 ? positionals : Object.keys(QUESTIONS),
    options: {
      isQuick: values.quick,
      ...(rounds !== undefined && { rounds: Number(rounds) }),
      progress: (text) => process.stderr.write(`${text}\n`),
    },
  };
}

/**
 * Installs the peers from the lock file where they are missing or older than it. They are packages of this folder
 * only, so that nobody who just uses the toolkit has to fetch them.
 * @throws {Error} if npm cannot
 */
function installPackages(progress: (text: string) => void): void {
  const lock = join(__dirname, 'package-lock.json');
  const installed = join(__dirname, 'node_modules', '.package-lock.json');
  if (existsSync(installed) && statSync(installed).mtimeMs >= statSync(lock).mtimeMs) return;
  progress('installing the packages of tools/bench/package-lock.json (430 MB with two Node binaries) …');
  const { status, error } = spawnSync('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: __dirname,
    // Standard output is the tables' alone.
    stdio: ['ignore', process.stderr, process.stderr],
    shell: process.platform === 'win32',
  });
  if (error !== undefined || status !== 0) {
    throw new Error('the peers could not be installed; run `npm ci` in tools/bench/ to see why', {
      cause: error,
    });
  }
}

/** @returns 1 if something broke or a figure that is no time is not as it should be, otherwise 0 */
async function main(): Promise<number> {
  const { names, options } = readOptions();
  if (names.some((name) => !NEED_NO_PACKAGES.includes(name))) installPackages(options.progress);
  const answers: Answer[] = [];
  let hasBroken = false;
  for (const name of names) {
    try {
      const answer = await QUESTIONS[name]!(options);
      process.stdout.write(`${answer.tables.map(markdown).join('\n')}\n`);
      answers.push(answer);
    } catch (error) {
      hasBroken = true;
      process.stderr.write(`${name} could not be measured: ${(error as Error).stack}\n`);
    }
  }
  const goals = answers.flatMap((answer) => answer.goals);
  process.stdout.write(markdown(goalTable(goals)));
  return hasBroken || goals.some(({ isMet, isTimed }) => !isMet && !isTimed) ? 1 : 0;
}

main().then(
  (code) => process.exit(code),
  (error: unknown) => {
    process.stderr.write(`bench: ${(error as Error).message}\n`);
    process.exit(1);
  },
);
