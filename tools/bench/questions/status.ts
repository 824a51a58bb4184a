import { COMMANDS, runNode } from '../latchkey-command';
import { count, median, milliseconds } from '../figures';
import { manyTenants, tenantCount } from '../many-tenants';
import { OwnLocalSystem } from '../own-local-system';
import { type BenchOptions, type Answer, roundsOf } from '../question';

const TENANTS = tenantCount(100);
const LIMIT_MS = TENANTS > 100 ? 3_000 : 2_000;

/** Measures how long `latchkey status` takes for a deployment with many tenants, with a running laptop system. */
export async function status(options: BenchOptions): Promise<Answer> {
  options.progress(`status: starting a laptop system with ${TENANTS} tenants`);
  const own = await OwnLocalSystem.start(manyTenants(TENANTS));
  try {
    const names = Object.keys(COMMANDS) as (keyof typeof COMMANDS)[];
    // Builds the checkout if it changed, so that the build is not measured.
    await runNode(COMMANDS.checkout, '--version');
    const coldMs = await timeStatus(own, COMMANDS.checkout);
    const warmMs = new Map<string, number[]>(names.map((name) => [name, []]));
    const rounds = roundsOf(options, 5, 1);
    for (let round = 1; round <= rounds; round += 1) {
      options.progress(`status: round ${round} of ${rounds}`);
      for (const name of names) warmMs.get(name)!.push(await timeStatus(own, COMMANDS[name]));
    }
    return answerOf(coldMs, new Map([...warmMs].map(([name, each]) => [name, median(each)])));
  } finally {
    await own.stop();
  }
}

/** Runs the command once. @throws {Error} if it does not report every tenant, or reports a problem */
async function timeStatus({ stateDir }: OwnLocalSystem, command: string): Promise<number> {
  const args = ['status', '--local', '--state-dir', stateDir, '--json'];
  const { wallMs, stdout } = await runNode(command, ...args);
  const { deployments } = JSON.parse(stdout) as { deployments: { tenants: unknown[] }[] };
  const seen = deployments.reduce((sum, { tenants }) => sum + tenants.length, 0);
  if (seen !== TENANTS) throw new Error(`status saw ${seen} of ${TENANTS} tenants`);
  return wallMs;
}

function answerOf(coldMs: number, warmMs: Map<string, number>): Answer {
  return {
    tables: [
      {
        title: `Status: \`latchkey status --local --json\` of ${count(TENANTS)} tenants with three tokens each`,
        columns: ['command', 'time'],
        rows: [
          ['checkout, first run, with a cold start of credential-watch', milliseconds(coldMs)],
          ...[...warmMs].map(([name, ms]) => [name, milliseconds(ms)]),
        ],
      },
    ],
    goals: [...warmMs].map(([name, ms]) => ({
      number: 12,
      subject: `\`latchkey status\` of ${count(TENANTS)} tenants, ${name}`,
      wanted: `< ${milliseconds(LIMIT_MS)}`,
      measured: milliseconds(ms),
      isMet: ms < LIMIT_MS,
      isTimed: true,
    })),
  };
}
