import { sandbox, type SandboxFlags } from '../../cli/sandbox-command';

async function runWith(flags: SandboxFlags, status = 0) {
  const runProgram = jest.fn(async () => status);
  const exitCode = await sandbox({ runProgram }, flags);
  return { exitCode, calls: runProgram.mock.calls };
}

describe('latchkey sandbox', () => {
  it('starts the program without options by default', async () => {
    const { calls } = await runWith({});

    expect(calls).toEqual([['sandbox', []]]);
  });

  it('passes its options on, each value joined to its name', async () => {
    const { calls } = await runWith({
      port: '-1',
      seed: 'my seed.json',
      caFile: '',
      separatePorts: true,
      json: true,
    });

    expect(calls).toEqual([
      ['sandbox', ['--port=-1', '--seed=my seed.json', '--ca-file=', '--separate-ports', '--json']],
    ]);
  });

  it.each([
    [0, 0],
    [1, 1],
    [2, 2],
    [137, 1],
  ])('exits with the program’s status: %d', async (status, expected) => {
    const { exitCode } = await runWith({}, status);

    expect(exitCode).toBe(expected);
  });
});
