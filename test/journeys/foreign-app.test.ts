import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

import { bundlingOncePerRun } from '../support/bundling-once-per-run';
import { type CommandOptions, type CommandResult, documentOf, runLatchkey } from './support/command';
import { installCommand } from './support/installed-command';
import { PROJECT_ROOT } from './support/local-process';

let folder: string;
let program: string;
/** Runs the installed command in a folder outside of the repository. */
const latchkey = (args: string[], options: CommandOptions = {}): Promise<CommandResult> =>
  runLatchkey(args, { program, workingDir: folder, ...options });
const synthesize = (kind: string): string => {
  const outdir = join(folder, `${kind}.out`);
  const app = join(PROJECT_ROOT, 'test/journeys/support/foreign-app.ts');
  execFileSync(process.execPath, ['--require', 'tsx/cjs', app, outdir, kind], {
    cwd: PROJECT_ROOT,
    env: { ...process.env, ...bundlingOncePerRun(), CDK_VALIDATION: 'false' },
  });
  return outdir;
};

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'latchkey-foreign-'));
  program = installCommand(folder);
  synthesize('stacks');
  synthesize('stages');
  synthesize('construct');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('does the main job on the assembly of an app with real addresses', async () => {
  const { exitCode, stdout, stderr } = await latchkey([
    ...['local', 'start', '--assembly', 'stacks.out', '--once'],
  ]);

  expect(stderr).toBe('');
  expect(exitCode).toBe(0);
  expect(stdout).toMatch(/warning: stack service: no effect here: AWS::S3::Bucket, /);
  expect(stdout.match(/warning: left out.*/g)).toEqual([
    expect.stringMatching(
      /: stack service, Service\w+: has properties .* only Node\.js functions run here .*\(AWS::Lambda::Function\)$/,
    ),
  ]);
  expect(stdout).toContain('loaded credentials for 1 tenant\n');
  expect(stdout).toMatch(/restored .+: published, \d+ items/);
  expect(existsSync(join(folder, '.latchkey'))).toBe(false);
});

it('does the main job on one stack of somebody else with the construct in it', async () => {
  const { exitCode, stdout, stderr } = await latchkey([
    ...['local', 'start', '--assembly', 'construct.out', '--once'],
  ]);

  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  expect(stdout).toContain('loaded credentials for 2 tenants');
  expect(stdout.match(/\S+ content api\/(read|write): valid for \d+ s/g)).toHaveLength(4);
  expect(stdout).toMatch(/restored .+: published, \d+ items/);
});

it('serves an assembly to commands in other folders, and leaves nothing behind', async () => {
  const other = mkdtempSync(join(tmpdir(), 'latchkey-other-'));
  const stateDir = join(folder, '.latchkey');
  const child = spawn(
    process.execPath,
    [program, 'local', 'start', '--assembly', 'stages.out/assembly-Staging'],
    {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  const exited = once(child, 'exit');
  for await (const line of createInterface({ input: child.stdout })) if (line.startsWith('ready')) break;

  const run = readFileSync(join(stateDir, 'local.json'), 'utf8');
  const byFlag = await latchkey(['status', '--local', '--state-dir', stateDir, '--json'], {
    workingDir: other,
  });
  const byVariable = await latchkey(['token', 'show', '--scope', 'api/read', '--local', '--json'], {
    workingDir: other,
    env: { LATCHKEY_STATE_DIR: stateDir },
  });
  const nowhere = await latchkey(['status', '--local', '--json'], { workingDir: other });
  child.kill('SIGINT');

  expect(run).not.toContain('platform.example');
  expect(byFlag.exitCode).toBe(0);
  expect(documentOf(byFlag)).toMatchObject({ deployments: [{ environment: 'staging' }] });
  expect(documentOf(byVariable)).toMatchObject({ tenantId: 'eu-west-2_StagingAb', scope: 'api/read' });
  expect(documentOf(nowhere)).toMatchObject({ error: { code: 'not_running' } });
  expect(await exited).toEqual([0, null]);
  expect(readdirSync(folder)).not.toContain('.latchkey');
  rmSync(other, { recursive: true });
});

it('runs one stage of an app with stages, and otherwise names them', async () => {
  const stage = await latchkey(['local', 'start', '--assembly', 'stages.out/assembly-Staging', '--once']);
  const all = await latchkey(['local', 'start', '--assembly', 'stages.out']);

  expect(stage).toMatchObject({ exitCode: 0, stderr: '' });
  expect(all).toMatchObject({ exitCode: 1 });
  expect(all.stderr).toContain(`choose one: --assembly ${join(folder, 'stages.out/assembly-Staging')}`);
});
