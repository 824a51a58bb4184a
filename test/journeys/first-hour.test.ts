import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { type LocalRun } from '../../core/deployment/local-run';
import { printFigures } from '../support/test-size';
import { PROJECT_ROOT } from './support/local-process';
import { blocksOf, textOf } from './support/pages';
import { runShell } from './support/shell';

/**
 * The first hour of somebody who has cloned the project, with nothing but the commands of its pages.
 */
jest.setTimeout(4 * 60_000);
const withAws = spawnSync('aws', ['--version']).status === 0 ? it : it.skip;

let clone: string;
let started: ChildProcess | undefined;
const startedMs = Date.now();

beforeAll(() => {
  // On the disk of the project, so that its packages need no copy.
  mkdirSync(join(PROJECT_ROOT, 'dist'), { recursive: true });
  clone = mkdtempSync(join(PROJECT_ROOT, 'dist/first-hour-'));
  const files = execFileSync('git', ['ls-files', '-z'], { cwd: PROJECT_ROOT, encoding: 'utf8' });
  for (const file of files.split('\0').filter((name) => name !== '')) {
    if (!existsSync(join(PROJECT_ROOT, file))) continue;
    mkdirSync(join(clone, dirname(file)), { recursive: true });
    copyFileSync(join(PROJECT_ROOT, file), join(clone, file));
  }
  execFileSync('cp', ['-al', join(PROJECT_ROOT, 'node_modules'), join(clone, 'node_modules')]);
  // Otherwise the lock file is newer than the installation, and `npm start` installs again.
  utimesSync(join(clone, 'package-lock.json'), 0, 0);
});
afterAll(async () => {
  if (started !== undefined) await stop('SIGINT');
  rmSync(clone, { recursive: true, force: true });
});

/** The block of a page that has this text, without its comments. */
function block(page: string, text: RegExp): string {
  const found = blocksOf(page).filter((each) => each.search(text) !== -1);
  expect(found).toHaveLength(1);
  return found[0]!.replaceAll(/ +#.*$/gm, '');
}

/** Nothing of the machine's own AWS or Latchkey settings. */
function cleanEnvironment(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(
    ([name]) => !/^(AWS_|LATCHKEY_|CDK_|NODE_OPTIONS$|JEST_)/.test(name),
  );
  return { ...Object.fromEntries(kept), HOME: clone };
}

const shell = (commands: string, more: Record<string, string> = {}) =>
  runShell(commands, { ...cleanEnvironment(), ...more }, { cwd: clone });

/** Starts a command as in a terminal of its own, and waits until it is ready. */
async function start(command: string): Promise<void> {
  const child = spawn('bash', ['--norc', '-c', `exec ${command}`], {
    cwd: clone,
    env: cleanEnvironment(),
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  started = child;
  let text = '';
  await new Promise<void>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
        if (/^ready/m.test(text)) resolve();
      });
    }
    child.once('close', () => reject(new Error(`ended before it was ready: ${text}`)));
  });
}

/** Sends the signal, SIGINT to the whole foreground group as Ctrl-C does, and waits until all processes have closed their output. */
async function stop(signal: 'SIGINT' | 'SIGKILL'): Promise<void> {
  const { pid } = started!;
  const closed = once(started!, 'close');
  process.kill(signal === 'SIGINT' ? -pid! : pid!, signal);
  await closed;
  started = undefined;
}

const RUN_FILE = '.latchkey/local.json';
const local = () => JSON.parse(readFileSync(join(clone, RUN_FILE), 'utf8')) as LocalRun;

it('two commands start the system and show its state', async () => {
  const [first, second, ...more] = block('../README.md', /^npm start/).split('\n');
  expect(more).toEqual([]);

  await start(first!);
  for (const lines of [second!, block('get-started.md', /^npx latchkey status --local/)]) {
    const { exitCode, stdout } = await shell(lines);

    expect(stdout).toContain('No action needed');
    expect(exitCode).toBe(0);
  }
});

it('a content is restored, and the history says who did it', async () => {
  const [tenant] = local().deployments[0]!.tenants;
  const contentId = tenant!.archivedContentIds.at(-1)!;

  const { exitCode, stdout, stderr } = await shell(block('get-started.md', /npx latchkey restore "/));

  expect(exitCode).toBe(0);
  expect(`${stdout}\n${stderr}`).toContain(`✓ ${contentId} is published`);
  const [, history = ''] = stdout.split(/^ *time +content/m);
  expect(history).toMatch(new RegExp(`${contentId}.*restored.*${tenant!.authorRefs[0]!}`));
});

withAws('other programs use the system, with the variables that a command prints', async () => {
  const versions = await shell(block('get-started.md', /^aws secretsmanager/m));
  const forms = block('local-aws.md', /local env --json/).replace('| source', '');
  const { stdout } = await shell(`${forms}\nprintf '\\n%s' "$AWS_ENDPOINT_URL"`);

  expect(versions).toMatchObject({ exitCode: 0 });
  expect(Object.values(JSON.parse(versions.stdout) as object)).toContainEqual(['AWSCURRENT']);
  const endpoint = stdout.split('\n').at(-1)!;
  expect(endpoint).toBe(local().aws.endpoint);
  expect(stdout).toContain(`set --global --export AWS_ENDPOINT_URL '${endpoint}'`);
  expect(stdout).toContain(`"AWS_ENDPOINT_URL":"${endpoint}"`);
});

withAws('a disabled schedule raises an alarm, and is enabled again', async () => {
  const advance = block('get-started.md', /^advance\(\)/m);
  const flags = '--local --environment staging --platform-region mea';

  const disabled = await shell(`${advance}\n${block('get-started.md', /^aws scheduler/m)}`);
  const status = await shell(`npx latchkey status ${flags}`);
  const doctor = await shell(`npx latchkey doctor --fix --yes ${flags}`);

  expect([disabled, doctor]).toMatchObject([{ exitCode: 0 }, { exitCode: 0 }]);
  expect(status.stdout).toMatch(/token-sweep is disabled[^]*sweep-silent/);
});

it('credentials are rotated, and Ctrl-C leaves nothing behind', async () => {
  const pair = await shell(block('get-started.md', /new-credentials/));
  const key = await shell(block('get-started.md', /new-session/));
  await stop('SIGINT');

  expect([pair, key]).toMatchObject([{ exitCode: 0 }, { exitCode: 0 }]);
  expect(existsSync(join(clone, RUN_FILE))).toBe(false);
});

it('the main job runs from start to end, also with a fault of the platform and with three issuers', async () => {
  const [, threeIssuers = ''] = /`(npm start -- --config \S+)`/.exec(textOf('issuers.md'))!;

  const { exitCode, stdout, stderr } = await shell(block('get-started.md', /^npm start -- --once/));
  const ofThree = await shell(`${threeIssuers} --once`);

  const output = `${stdout}\n${stderr}`;
  expect(output.match(/restored .*: published, \d+ items/g)).toHaveLength(2);
  expect(output).toContain('usage: npm start');
  expect([exitCode, ofThree.exitCode]).toEqual([0, 0]);
});

it('the system stops and leaves nothing behind when npm is killed', async () => {
  await start('npm start -- --no-job');

  await stop('SIGKILL');

  expect(existsSync(join(clone, RUN_FILE))).toBe(false);
});

it('a configuration for an account is written, and its stacks are synthesized', async () => {
  const init = await shell(block('deploy.md', /latchkey init --environment/));
  // Credentials are no part of the pages' commands, and a synthesis needs none if the account is named.
  const synth = await shell(block('deploy.md', /^npx cdk synth --quiet$/), {
    CDK_DEFAULT_ACCOUNT: '111122223333',
    CDK_DEFAULT_REGION: 'eu-west-1',
  });

  expect([init, synth]).toMatchObject([{ exitCode: 0 }, { exitCode: 0 }]);
  expect(existsSync(join(clone, 'config/latchkey.json'))).toBe(true);
  expect(`${synth.stdout}\n${synth.stderr}`).toMatch(/USD .* a month/);
  expect(existsSync(join(clone, 'cdk.out/latchkey-staging-global.template.json'))).toBe(true);
  printFigures(`first hour: ${Math.round((Date.now() - startedMs) / 1000)} s without npm ci`);
});
