import { COMMANDS, runNode } from '../latchkey-command';
import { median, milliseconds } from '../figures';
import { type BenchOptions, type Answer, roundsOf } from '../question';

const LIMIT_MS = 150;

/** Measures how long `latchkey --help` takes, without the start of Node itself. */
export async function help(options: BenchOptions): Promise<Answer> {
  const names = Object.keys(COMMANDS) as (keyof typeof COMMANDS)[];
  const nodeMs: number[] = [];
  const beyondMs = new Map<string, number[]>(names.map((name) => [name, []]));
  const rounds = roundsOf(options, 15, 2);
  // Round 0 does not count, because it may build the checkout and reads files for the first time.
  for (let round = 0; round <= rounds; round += 1) {
    options.progress(`help: round ${round} of ${rounds}`);
    const bare = await runNode('-e', '0');
    if (round > 0) nodeMs.push(bare.wallMs);
    for (const name of names) {
      const { wallMs } = await runNode(COMMANDS[name], '--help');
      if (round > 0) beyondMs.get(name)!.push(wallMs - bare.wallMs);
    }
  }
  const figures = [...beyondMs].map(([name, each]) => ({ name, ms: median(each) }));
  return {
    tables: [
      {
        title: 'Help: `latchkey --help`, beyond `node -e 0`',
        columns: ['command', 'time'],
        rows: [
          ['`node -e 0`', milliseconds(median(nodeMs))],
          ...figures.map(({ name, ms }) => [name, `+ ${milliseconds(ms)}`]),
        ],
      },
    ],
    goals: figures.map(({ name, ms }) => ({
      number: 13,
      subject: `\`latchkey --help\`, ${name}`,
      wanted: `<= ${milliseconds(LIMIT_MS)} beyond \`node -e 0\``,
      measured: milliseconds(ms),
      isMet: ms <= LIMIT_MS,
      isTimed: true,
    })),
  };
}
