import { buildProgram } from '../../cli/program';

/** What a command line starts. */
async function start(line: string[], { env = {}, status = 0 }: { env?: object; status?: number } = {}) {
  const runProgram = jest.fn(async () => status);
  let exitCode: number | undefined;
  const program = buildProgram(
    async (run, flags) => {
      exitCode = await run({ runProgram, env } as unknown as Parameters<typeof run>[0], flags);
    },
    () => undefined,
  );
  await program.parseAsync(line, { from: 'user' });
  return { exitCode, calls: runProgram.mock.calls };
}

describe('latchkey sandbox', () => {
  it('passes its options on, each value joined to its name', async () => {
    const options = ['--port', '-1', '--seed', 'my seed.json', '--ca-file', '', '--separate-ports', '--json'];

    const { calls } = await start(['sandbox', ...options]);

    expect(calls).toEqual([
      ['sandbox', ['--port=-1', '--separate-ports', '--seed=my seed.json', '--ca-file=', '--json']],
    ]);
  });

  it('starts the program without options by default, and exits with its status, or with 1 for another', async () => {
    const ended = await Promise.all([0, 1, 2, 137].map((status) => start(['sandbox'], { status })));

    expect(ended.map(({ exitCode }) => exitCode)).toEqual([0, 1, 2, 1]);
    expect(ended[0]!.calls).toEqual([['sandbox', []]]);
  });
});

describe('latchkey local start', () => {
  it('passes its options on to the program', async () => {
    const line = ['local', 'start', '--assembly', 'cdk.out', '--once', '--port=4566', '--sandbox-port=8443'];

    const { calls } = await start(line);

    const args = ['--assembly=cdk.out', '--once', '--port=4566', '--sandbox-port=8443'];
    expect(calls).toEqual([['start', args]]);
  });

  it.each([
    [['--no-job'], {}, ['--no-job']],
    [[], { LATCHKEY_STATE_DIR: '' }, []],
    [[], { LATCHKEY_STATE_DIR: '/tmp/run' }, ['--state-dir=/tmp/run']],
    [['--state-dir=mine'], { LATCHKEY_STATE_DIR: '/tmp/run' }, ['--state-dir=mine']],
  ])('passes %j with the environment %j', async (options, env, args) => {
    const { calls } = await start(['local', 'start', ...options], { env });

    expect(calls).toEqual([['start', args]]);
  });
});

it.each([
  '--profile=x --region=eu-west-1 --only=token,restore --slow --results=out --yes',
  '--local --state-dir=mine --clean --json --no-color',
  '--clean --run=prove-3f9a2c41',
])('latchkey prove passes on %s', async (options) => {
  const { calls } = await start(['prove', ...options.split(' ')]);

  const [[program, args]] = calls as unknown as [[string, string[]]];
  expect(program).toBe('prove');
  expect(args.sort()).toEqual(options.split(' ').sort());
});
