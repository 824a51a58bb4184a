import {
  prove,
  type ProveFlags,
  type LocalStartFlags,
  sandbox,
  type SandboxFlags,
  startLocalSystem,
} from '../../cli/program-commands';

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

describe('latchkey local start', () => {
  const start = async (flags: LocalStartFlags, env: Record<string, string> = {}) => {
    const runProgram = jest.fn(async () => 0);
    await startLocalSystem({ runProgram, env }, flags);
    return runProgram.mock.calls;
  };

  it('passes its options on to the program', async () => {
    const calls = await start({ assembly: 'cdk.out', once: true, job: true, sandboxPort: '8443' });

    expect(calls).toEqual([['start', ['--assembly=cdk.out', '--once', '--sandbox-port=8443']]]);
  });

  it.each([
    [{ job: false }, {}, ['--no-job']],
    [{}, { LATCHKEY_STATE_DIR: '' }, []],
    [{}, { LATCHKEY_STATE_DIR: '/tmp/run' }, ['--state-dir=/tmp/run']],
    [{ stateDir: 'mine' }, { LATCHKEY_STATE_DIR: '/tmp/run' }, ['--state-dir=mine']],
  ])('passes %j with the environment %j', async (flags, env, args) => {
    expect(await start(flags, env)).toEqual([['start', args]]);
  });
});

describe('latchkey prove', () => {
  const start = async (flags: ProveFlags) => {
    const runProgram = jest.fn(async () => 0);
    await prove({ runProgram }, flags);
    return runProgram.mock.calls;
  };

  it('passes its options on to the program', async () => {
    const flags = { profile: 'x', region: 'eu-west-1', only: 'token,restore', slow: true, results: 'out' };

    const calls = await start({ ...flags, yes: true, color: true });

    const args = [
      '--profile=x',
      '--region=eu-west-1',
      '--only=token,restore',
      '--slow',
      '--results=out',
      '--yes',
    ];
    expect(calls).toEqual([['prove', args]]);
  });

  it('passes on where and without what', async () => {
    const calls = await start({ local: true, stateDir: 'mine', clean: true, json: true, color: false });
    const named = await start({ clean: true, run: 'prove-3f9a2c41' });

    expect(calls).toEqual([['prove', ['--local', '--state-dir=mine', '--clean', '--json', '--no-color']]]);
    expect(named).toEqual([['prove', ['--clean', '--run=prove-3f9a2c41']]]);
  });
});
