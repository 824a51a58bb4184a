import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';

import { type LocalRun } from '../../core/deployment/local-run';
import { loadConfiguration } from '../../lib/options/load';
import {
  type CommandOptions,
  type CommandResult,
  documentOf,
  runLatchkey,
} from '../journeys/support/command';
import { NEWEST_COMPILER, synthesizeInitApp, writeInitApp } from '../support/init-app';
import { installPackage } from '../support/installed-package';
import { newFolder } from '../support/new-folder';

jest.setTimeout(180_000);

const GUIDE = join(__dirname, '../../docs/constructs.md');
const APP = ['.gitignore', 'app.ts', 'cdk.json', 'config', 'package.json', 'tsconfig.json'];
const FLAGS = [
  ...['--environment', 'staging', '--tenants', 'eu-west-2_AbcdEfghI', '--content-scopes', 'api/read'],
  ...['--account', '111122223333', '--region', 'eu-west-1'],
  ...['--content-base-url', 'https://api.staging.platform.example/rest/v1'],
  ...['--content-token-base-url', 'https://auth.staging.platform.example'],
];
const OF_NPM = `{ "dependencies": { "latchkey": "file:latchkey.tgz" } }`;

describe('latchkey init --app', () => {
  const folder = newFolder();
  let program: string;
  const init = (args: string[], options: CommandOptions = {}): Promise<CommandResult> =>
    runLatchkey(['init', ...FLAGS, ...args], { program, workingDir: folder, ...options });
  const present = () =>
    readdirSync(folder)
      .filter((name) => name !== 'node_modules')
      .sort();
  const text = (name: string) => readFileSync(join(folder, name), 'utf8');
  const node = (...args: string[]) =>
    spawnSync(process.execPath, args, {
      cwd: folder,
      encoding: 'utf8',
      env: { PATH: process.env.PATH, HOME: folder, CDK_OUTDIR: join(folder, 'cdk.out') },
    });

  beforeAll(() => {
    const packages = ['@aws-sdk', '@smithy', '@types', 'aws-cdk-lib', 'constructs', 'tsx', 'typescript'];
    program = join(installPackage(folder, packages), 'bin/latchkey.cjs');
  });
  afterEach(() => {
    for (const name of present()) rmSync(join(folder, name), { recursive: true });
  });

  it('writes an app that compiles and synthesizes the deployments of its configuration', async () => {
    writeFileSync(join(folder, 'package.json'), OF_NPM);

    const answer = await init(['--app', '--json']);
    const compiled = node('node_modules/typescript/bin/tsc');
    const { app } = JSON.parse(text('cdk.json')) as { app: string };
    const synthesized = node(...app.split(' ').slice(1));

    expect(answer).toMatchObject({ exitCode: 0, stderr: '' });
    const { files, next } = documentOf<{ files: string[]; next: string[] }>(answer);
    expect(files.map((path) => path.slice(folder.length + 1)).sort()).toEqual([
      ...['.gitignore', 'app.ts', 'cdk.json', 'config/latchkey.json', 'config/latchkey.schema.json'],
      ...['package.json', 'tsconfig.json'],
    ]);
    expect(next).toEqual([
      'npm install',
      'npx cdk bootstrap',
      'npx cdk deploy --all',
      'npx latchkey credentials put --environment staging --platform-region global --tenant eu-west-2_AbcdEfghI',
    ]);
    expect(readFileSync(GUIDE, 'utf8')).toContain(
      ['npx latchkey init --app', ...next.slice(0, 3)].join('\n'),
    );
    expect(compiled).toMatchObject({ status: 0, stdout: '' });
    expect(synthesized).toMatchObject({
      status: 0,
      stderr: expect.stringMatching(/about USD [\d.]+ a month/) as string,
    });
    expect(readdirSync(join(folder, 'cdk.out'))).toEqual(
      expect.arrayContaining([expect.stringMatching(/^latchkey-staging-global.*\.template\.json$/)]),
    );
    expect(JSON.parse(text('package.json'))).toMatchObject({
      dependencies: { latchkey: 'file:latchkey.tgz' },
    });
  });

  it('names the files in the way, and changes none', async () => {
    writeFileSync(join(folder, 'package.json'), '{ "name": "mine" }');
    writeFileSync(join(folder, 'app.ts'), 'mine');

    const { exitCode, stderr } = await init(['--app', '--yes']);

    expect(exitCode).toBe(2);
    expect(stderr).toContain(
      '--app: found existing app.ts, package.json; allowed: a folder without these files',
    );
    expect(present()).toEqual(['app.ts', 'package.json']);
    expect(text('app.ts')).toBe('mine');
  });

  it('lets one of two win that run at once, and the other says so', async () => {
    const both = await Promise.all([init(['--app']), init(['--app'])]);

    const [won, lost] = both.sort((one, other) => one.exitCode! - other.exitCode!);
    expect(won.exitCode).toBe(0);
    expect(lost.exitCode).toBeGreaterThan(0);
    expect(lost.stderr).toMatch(/has changed while this command ran|found existing/);
    expect(present()).toEqual(APP);
    expect(loadConfiguration(join(folder, 'config/latchkey.json')).deployments).toHaveLength(1);
  });

  it('leaves nothing of an app behind if one of its files cannot be written', async () => {
    symlinkSync('nowhere', join(folder, 'tsconfig.json'));

    const { exitCode, stderr } = await init(['--app']);

    expect(exitCode).toBe(1);
    expect(stderr).toContain('tsconfig.json has changed while this command ran');
    expect(present()).toEqual(['config', 'tsconfig.json']);
    expect(readdirSync(join(folder, 'config'))).toEqual([]);
  });

  it('asks for an app in a folder that has none, and writes nothing after Ctrl-C', async () => {
    const { exitCode, stdout } = await init([], {
      answers: [
        { after: /Write a CDK app here/, type: 'y' },
        { after: /Platform region/, type: '\u0003' },
      ],
    });

    expect(stdout).toContain('Platform region');
    expect(exitCode).toBe(130);
    expect(present()).toEqual([]);
  });

  it('writes the configuration only with --no-app, and without a terminal', async () => {
    const { exitCode } = await init(['--no-app']);
    const again = await init(['--yes']);

    expect([exitCode, again.exitCode]).toEqual([0, 0]);
    expect(present()).toEqual(['config']);
  });
});

describe('an app of `cdk init` with network, key, topic, domain and function of its own', () => {
  const folder = join(newFolder(), 'learning');
  let program: string;
  beforeAll(() => {
    writeInitApp(folder);
    const packages = ['@aws-sdk', '@smithy', '@types', 'aws-cdk-lib', 'constructs', 'undici-types'];
    program = join(installPackage(folder, packages), 'bin/latchkey.cjs');
    synthesizeInitApp(folder);
  });

  it('compiles with the TypeScript that it comes with', () => {
    const compiled = spawnSync(process.execPath, [NEWEST_COMPILER], { cwd: folder, encoding: 'utf8' });

    expect(compiled).toMatchObject({ status: 0, stdout: '' });
  });

  it('does the main job on the laptop, and names what has no effect there or is left out', async () => {
    const run = await runLatchkey(['local', 'start', '--assembly', 'cdk.out', '--once'], {
      program,
      workingDir: folder,
    });

    expect(run).toMatchObject({ exitCode: 0, stderr: '' });
    expect(run.stdout).toMatch(/restored .+: published, \d+ items/);
    const warnings = run.stdout.split('\n').filter((line) => line.includes('warning'));
    expect(warnings.map((line) => line.replace(/^.*warning: (left out.*: )?stack /, '$1'))).toEqual([
      'LearningStack: AWS::ApiGateway::DomainName has no effect here',
      'LearningStack: AWS::ApiGateway::BasePathMapping has no effect here',
      expect.stringMatching(/^left out, .*InPython\w+: has properties .*only Node\.js functions run here/),
      expect.stringMatching(/^LearningStack: no effect here: .*AWS::EC2::VPC, .*AWS::EC2::NatGateway, /),
    ]);
  });

  it('runs its function there, which reads a token, and serves commands in other folders', async () => {
    const child = spawn(process.execPath, [program, 'local', 'start', '--assembly', 'cdk.out'], {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const exited = once(child, 'exit');
    for await (const line of createInterface({ input: child.stdout })) if (line.startsWith('ready')) break;
    const { aws } = JSON.parse(readFileSync(join(folder, '.latchkey/local.json'), 'utf8')) as LocalRun;
    const { endpoint, region, ...credentials } = aws;
    const lambda = new LambdaClient({ endpoint, region, credentials });

    const answer = await lambda.send(new InvokeCommand({ FunctionName: 'learning-service' }));
    const status = await runLatchkey(
      ['status', '--local', '--state-dir', join(folder, '.latchkey'), '--json'],
      { program, workingDir: tmpdir() },
    );
    child.kill('SIGINT');

    expect(answer.FunctionError).toBeUndefined();
    expect(Date.parse(JSON.parse(answer.Payload!.transformToString()) as string)).toBeGreaterThan(Date.now());
    expect(status).toMatchObject({ exitCode: 0 });
    expect(documentOf(status)).toMatchObject({ deployments: [{ environment: 'staging' }] });
    expect(await exited).toEqual([0, null]);
    expect(readdirSync(folder)).not.toContain('.latchkey');
  });
});
