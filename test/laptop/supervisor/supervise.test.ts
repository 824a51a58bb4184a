import { existsSync } from 'node:fs';

import { LocalProcess } from '../../journeys/support/local-process';
import { descendants, startedWith } from '../../journeys/support/processes';
import { sharedApp } from '../../journeys/support/synthesized-app';
import { gone } from '../../support/laptop/processes';

jest.setTimeout(120_000);

afterAll(() => LocalProcess.disposeAll());

/** Runs the main job once with a fault of the token endpoint. */
async function startWithFault(fault: object): Promise<LocalProcess> {
  const args = ['--assembly', await sharedApp(), '--once'];
  return new LocalProcess([...args, '--fault', JSON.stringify({ target: 'token', ...fault })]);
}

it('fails within 30 s and gives the reason when the token endpoint is down', async () => {
  const startedAtMs = performance.now();
  const start = await startWithFault({ status: 503 });

  expect(await start.exited).toBe(1);
  expect(performance.now() - startedAtMs).toBeLessThan(30_000);
  expect(start.output).toMatch(/latchkey: could not fetch 11 tokens:/);
  expect(start.output).toContain('platform_unavailable the token endpoint answered 503');
});

it('ends with a clear message and no process left when the host is killed midway', async () => {
  const start = await startWithFault({ delayMs: 4000 });
  await start.printed(/injected fault/);
  const started = descendants(start.pid);

  const host = started.find((pid) =>
    startedWith(pid).args.some((argument) => argument.endsWith('laptop/host.js')),
  );
  process.kill(host!, 'SIGKILL');

  expect(await start.exited).toBe(1);
  expect(start.output).toMatch(/latchkey: (the local system stopped unexpectedly|\S+ does not answer)/);
  await Promise.all(started.map(gone));
  expect(existsSync(start.stateDir)).toBe(false);
});

it('ends cleanly on Ctrl-C during start-up', async () => {
  const start = new LocalProcess([]);
  await start.printed(/sandbox listens/);
  const started = descendants(start.pid);

  expect(await start.interrupt()).toBe(130);

  await Promise.all(started.map(gone));
  expect(existsSync(start.stateDir)).toBe(false);
});
