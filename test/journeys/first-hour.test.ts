import { execFileSync, type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { type LocalRun } from '../../core/deployment/local-run';
import { printFigures } from '../support/test-size';
import { PROJECT_ROOT } from './support/local-process';
import { blocksOf } from './support/runbook';

/**
 * The first hour of somebody who has cloned the project, with nothing but the commands of its pages.
 */
const LIMIT_MS = 4 * 60_000;
const withAws = spawnSync('aws', ['--version']).status === 0 ? it : it.skip;

let clone: string;
let started: ChildProcess | undefined;
const startedMs = Date.now();

beforeAll(() => {
  // On the disk of the project, so that its packages need no copy.
  mkdirSync(join(PROJECT_ROOT, 'dist'), { recursive: true });
  clone = mkdtempSync(join(PROJECT_ROOT, 'dist/first-hour-'));
  const files = execFileSync('git', ['ls-files', '-z'], { cwd: PROJECT_ROOT, encoding: 'utf8' });
  for (const file of files
    .split('\0')
    .filter((name) => existsSync(join(PROJECT_ROOT, name)) && name !== '')) {
    mkdirSync(join(clone, dirname(file)), { recursive: true });
    copyFileSync(join(PROJECT_ROOT, file), join(clone, file));
  }
  execFileSync('cp', ['-al', join(PROJECT_ROOT, 'node_modules'), join(clone, 'node_modules')]);
  // Otherwise the lock file is newer than the installation, and `npm start` installs again.
  utimesSync(join(clone, 'package-lock.json'), 0, 0);
}, LIMIT_MS);
afterAll(async () => {
  if (started !== undefined) interrupt(started);
  await ended(started);
  rmSync(clone, { recursive: true, force: true });
}, LIMIT_MS);

/** The block of a page that has this text, without its comments. */
function block(page: string, text: RegExp): string {
  const file = join(clone, page);
  const found = blocksOf({ file, text: readFileSync(file, 'utf8') }, 'sh').filter(
    (each) => each.search(text) !== -1,
  );
  expect(found).toHaveLength(1);
  return found[0]!.replaceAll(/ +#.*$/gm, '');
}

/** Nothing of the machine's own AWS or Latchkey settings. */
function cleanEnvironment(more: Record<string, string> = {}): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(
    ([name]) => !/^(AWS_|LATCHKEY_|CDK_|NODE_OPTIONS$|JEST_)/.test(name),
  );
  return { ...Object.fromEntries(kept), HOME: clone, ...more };
}

function shell(commands: string, more?: Record<string, string>) {
  const args = ['--norc', '-eu', '-o', 'pipefail', '-c', commands];
  const options = { cwd: clone, encoding: 'utf8', env: cleanEnvironment(more), timeout: LIMIT_MS } as const;
  const { status, stdout, stderr } = spawnSync('bash', args, options);
  return { status, stdout, output: `${stdout}\n${stderr}` };
}

/** Starts a command as in a terminal of its own, and waits for a line of its output. */
async function start(command: string, line: RegExp): Promise<string> {
  const child = spawn('bash', ['--norc', '-c', `exec ${command}`], {
    cwd: clone,
    env: cleanEnvironment(),
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  started = child;
  let text = '';
  return new Promise((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
        if (line.test(text)) resolve(text);
      });
    }
    child.once('close', () => reject(new Error(`ended before it was ready: ${text}`)));
  });
}

/** As Ctrl-C does, to the whole foreground group. */
function interrupt({ pid }: ChildProcess): void {
  process.kill(-pid!, 'SIGINT');
}

function ended(child: ChildProcess | undefined): Promise<number | null> {
  if (child === undefined || child.exitCode !== null) return Promise.resolve(child?.exitCode ?? null);
  return new Promise((resolve) => child.once('close', resolve));
}

const local = () => JSON.parse(readFileSync(join(clone, '.latchkey/local.json'), 'utf8')) as LocalRun;

describe('the first hour, by the commands of the pages', () => {
  it(
    'two commands start the system and show its state',
    async () => {
      const [first, second, ...more] = block('README.md', /^npm start/).split('\n');
      expect(more).toEqual([]);

      await start(first!, /^ready/m);
      const shown = [second!, block('docs/get-started.md', /^npx latchkey status --local/)].map((lines) =>
        shell(lines),
      );

      for (const { output, status } of shown) {
        expect(output).toContain('No action needed');
        expect(status).toBe(0);
      }
    },
    LIMIT_MS,
  );

  it(
    'a content is restored, and the history says who did it',
    () => {
      const [tenant] = local().deployments[0]!.tenants;
      const contentId = tenant!.archivedContentIds.at(-1)!;

      const restored = shell(block('docs/get-started.md', /npx latchkey restore "/));

      expect(restored).toMatchObject({ status: 0 });
      expect(restored.output).toContain(`✓ ${contentId} is published`);
      const [, history = ''] = restored.output.split(/^ *time +content/m);
      expect(history).toMatch(new RegExp(`${contentId}.*restored.*${tenant!.authorRefs[0]!}`));
    },
    LIMIT_MS,
  );

  withAws(
    'other programs use the system, with the variables that a command prints',
    () => {
      const versions = shell(block('docs/get-started.md', /^aws secretsmanager/m));
      const forms = block('docs/local-aws.md', /local env --json/).replace('| source', '');
      const printed = shell(`${forms}\nprintf '\\n%s' "$AWS_ENDPOINT_URL"`);

      expect(versions).toMatchObject({ status: 0 });
      expect(Object.values(JSON.parse(versions.stdout) as object)).toContainEqual(['AWSCURRENT']);
      const endpoint = printed.stdout.split('\n').at(-1)!;
      expect(endpoint).toBe(local().aws.endpoint);
      expect(printed.stdout).toContain(`set --global --export AWS_ENDPOINT_URL '${endpoint}'`);
      expect(printed.stdout).toContain(`"AWS_ENDPOINT_URL":"${endpoint}"`);
    },
    LIMIT_MS,
  );

  withAws(
    'a disabled schedule raises an alarm, and is enabled again',
    () => {
      const advance = block('docs/get-started.md', /^advance\(\)/m);

      const disabled = shell(`${advance}\n${block('docs/get-started.md', /^aws scheduler/m)}`);
      const [found, fixed] = ['status --local', 'doctor --fix --yes --local'].map((command) =>
        shell(`npx latchkey ${command} --environment staging --platform-region mea`),
      );

      expect(disabled).toMatchObject({ status: 0 });
      expect(found!.output).toMatch(/token-sweep is disabled[^]*sweep-silent/);
      expect(fixed).toMatchObject({ status: 0 });
    },
    LIMIT_MS,
  );

  it(
    'a credential is rotated, and Ctrl-C leaves nothing behind',
    async () => {
      const rotated = [/new-credentials/, /new-session/].map((text) =>
        shell(block('docs/get-started.md', text)),
      );
      interrupt(started!);
      await ended(started);
      started = undefined;

      expect(rotated).toMatchObject([{ status: 0 }, { status: 0 }]);
      expect(existsSync(join(clone, '.latchkey/local.json'))).toBe(false);
    },
    LIMIT_MS,
  );

  it(
    'the main job runs from start to end, also with a fault of the platform and with three issuers',
    () => {
      const { status, output } = shell(block('docs/get-started.md', /^npm start -- --once/));
      const page = readFileSync(join(clone, 'docs/issuers.md'), 'utf8');
      const [, threeIssuers = ''] = /`(npm start -- --config \S+)`/.exec(page)!;
      const ofThree = shell(`${threeIssuers} --once`);

      expect(output.match(/restored .*: published, \d+ items/g)).toHaveLength(2);
      expect(output).toContain('usage: npm start');
      expect([status, ofThree.status]).toEqual([0, 0]);
    },
    LIMIT_MS,
  );

  it(
    'the system stops and leaves nothing behind when npm is killed',
    async () => {
      await start('npm start -- --no-job', /^ready/m);

      started!.kill('SIGKILL');
      // Once every process that the system started has closed its output.
      await ended(started);
      started = undefined;

      expect(existsSync(join(clone, '.latchkey/local.json'))).toBe(false);
    },
    LIMIT_MS,
  );

  it(
    'a configuration for an account is written, and its stacks are synthesized',
    () => {
      const init = shell(block('docs/deploy.md', /latchkey init --environment/));
      // Credentials are no part of the pages' commands, and a synthesis needs none if the account is named.
      const file = join(clone, 'config/latchkey.json');
      const synth = shell(block('docs/deploy.md', /^npx cdk synth --quiet$/), {
        CDK_DEFAULT_ACCOUNT: '111122223333',
        CDK_DEFAULT_REGION: 'eu-west-1',
      });

      expect(init).toMatchObject({ status: 0 });
      expect(existsSync(file)).toBe(true);
      expect(synth.output).toMatch(/USD .* a month/);
      expect(synth).toMatchObject({ status: 0 });
      expect(existsSync(join(clone, 'cdk.out/latchkey-staging-global.template.json'))).toBe(true);
      printFigures(`first hour: ${Math.round((Date.now() - startedMs) / 1000)} s without npm ci`);
    },
    LIMIT_MS,
  );
});
