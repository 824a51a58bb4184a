import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { type LocalRun } from '../../core/deployment/local-run';
import { gone } from '../support/laptop/processes';
import { LocalProcess, PROJECT_ROOT } from './support/local-process';
import { descendants, startedWith } from './support/processes';
import { argumentsToRun, sharedApp } from './support/synthesized-app';

/** Resolves once all processes have ended. */
const allGone = (pids: number[]) => Promise.all(pids.map(gone));

it('runs the main job once: up, credentials, tokens, a restored record, down', async () => {
  const start = new LocalProcess(['--once']);

  const code = await start.exited;

  expect(start.output).toContain('loaded credentials for 5 tenants');
  expect(start.output.match(/valid for \d+ s/g)).toHaveLength(11);
  expect(start.output).toMatch(/restored .+: published, \d+ items/);
  expect(start.output).toContain('restoring it again: 409 not_archived');
  expect(code).toBe(0);
  expect(existsSync(start.stateDir)).toBe(false);
});

it('succeeds even if the token endpoint answers 500 once', async () => {
  const start = new LocalProcess([
    ...argumentsToRun(await sharedApp()),
    ...['--once', '--fault', '{"target":"token","status":500,"times":1}'],
  ]);

  expect(await start.exited).toBe(0);
  expect(start.output).toContain('injected fault');
});

it('fails within 30 s and gives the reason when the token endpoint is down', async () => {
  const app = argumentsToRun(await sharedApp());
  const startedAtMs = performance.now();
  const start = new LocalProcess([...app, '--once', '--fault', '{"target":"token","status":503}']);

  expect(await start.exited).toBe(1);
  expect(performance.now() - startedAtMs).toBeLessThan(30_000);
  expect(start.output).toMatch(/latchkey: could not fetch 11 tokens:/);
  expect(start.output).toContain('platform_unavailable the token endpoint answered 503');
});

it('ends with a clear message and no process left when the host is killed midway', async () => {
  const app = argumentsToRun(await sharedApp());
  const start = new LocalProcess([...app, '--once', '--fault', '{"target":"token","delayMs":4000}']);
  await start.printed(/injected fault/);
  const started = descendants(start.pid);

  const host = started.find((pid) =>
    startedWith(pid).args.some((argument) => argument.endsWith('laptop/host.js')),
  );
  process.kill(host!, 'SIGKILL');

  expect(await start.exited).toBe(1);
  expect(start.output).toMatch(/latchkey: (the local system stopped unexpectedly|\S+ does not answer)/);
  await allGone(started);
  expect(existsSync(start.stateDir)).toBe(false);
});

it('ends cleanly on Ctrl-C during start-up', async () => {
  const start = new LocalProcess([]);
  await start.printed(/sandbox listens/);
  const started = descendants(start.pid);

  expect(await start.interrupt()).toBe(130);

  await allGone(started);
  expect(existsSync(start.stateDir)).toBe(false);
});

it('runs until Ctrl-C with a local.json that only its owner can read, and then leaves nothing behind', async () => {
  const start = new LocalProcess(argumentsToRun(await sharedApp()));
  await start.printed(/^ready/m);
  const started = descendants(start.pid);
  const file = join(start.stateDir, 'local.json');
  const mode = execFileSync('stat', ['-c', '%a', file], { encoding: 'utf8' }).trim();
  const run = JSON.parse(readFileSync(file, 'utf8')) as LocalRun;

  expect(await start.interrupt()).toBe(0);

  expect(mode).toBe('600');
  expect(run.deployments.map(({ stack }) => stack).sort()).toEqual([
    'latchkey-production-global',
    'latchkey-production-mea',
    'latchkey-staging-global',
    'latchkey-staging-mea',
  ]);
  await allGone(started);
  expect(existsSync(start.stateDir)).toBe(false);
});

describe('an impossible start fails with one clear line and exit code 1', () => {
  let folder: string;

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'latchkey-start-'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('for an invalid configuration: every error with its place in the file', async () => {
    const text = readFileSync(join(PROJECT_ROOT, 'config/local.json'), 'utf8');
    const file = join(folder, 'broken.json');
    writeFileSync(file, text.replace('"api/webhooks"', '"api/read"').replace('"staging"', '"test"'));

    const start = new LocalProcess(['--config', file]);

    expect(await start.exited).toBe(1);
    expect(start.output).toContain(`${file} cannot be used:`);
    expect(start.output).toContain('tokens[2].scope: found "api/read"; allowed: on the webhooks interface');
  });
});
