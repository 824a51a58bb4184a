import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { goalTable, markdown } from './figures';
import { type BenchOptions, type Answer, type Question } from './question';
import { bundles } from './questions/bundles';
import { cold } from './questions/cold';
import { flight } from './questions/flight';
import { restore } from './questions/restore';
import { start } from './questions/start';
import { warm } from './questions/warm';

// The SDK's warning about Node 20 would bury the output. On AWS the functions run on a newer Node.
process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED = 'true';

const QUESTIONS: Record<string, Question> = { warm, flight, cold, bundle: bundles, restore, start };

/** These compare with no other library and start no other Node version, so they do not need the packages of this folder. */
const NEED_NO_PACKAGES = ['bundle', 'start'];

const USAGE = `usage: npm run bench -- [QUESTION…] [--quick]

  QUESTION       ${Object.keys(QUESTIONS).join(', ')} (default: all)
  --quick        run few rounds, to check that everything works
  BENCH_ROUNDS   environment variable: number of rounds of each question`;

/** @throws {Error} with what was found and what is allowed */
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

/** Installs the compared libraries. They are packages of this folder, so that users of the toolkit do not download them. */
function installPackages(): void {
  const program = join(__dirname, '../preinstall.cjs');
  const { status } = spawnSync(process.execPath, [program, 'tools/bench'], { stdio: 'inherit' });
  if (status !== 0) process.exit(1);
}

/** @returns 1 if a question failed or a goal that is not a time was missed, else 0 */
async function main(): Promise<number> {
  const { names, options } = readOptions();
  if (names.some((name) => !NEED_NO_PACKAGES.includes(name))) installPackages();
  const answers: Answer[] = [];
  let hasBroken = false;
  for (const name of names) {
    try {
      const answer = await QUESTIONS[name]!(options);
      process.stdout.write(`${answer.tables.map(markdown).join('\n')}\n`);
      answers.push(answer);
    } catch (error) {
      hasBroken = true;
      process.stderr.write(`could not measure ${name}: ${(error as Error).stack}\n`);
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
