import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startSandbox } from '../../laptop/sandbox-process';
import { newFolder } from '../support/new-folder';

/** Starts a sandbox with `code` as its program. */
const start = (code: string, signal = new AbortController().signal, lines: string[] = []) => {
  const program = join(newFolder(), 'sandbox.js');
  writeFileSync(program, code);
  return startSandbox({
    program,
    port: 1,
    seed: { deployments: [] },
    onLine: (line) => lines.push(line),
    signal,
  });
};
const LISTEN = `process.send({ type: 'listening', origin: 'https://o', caCertificate: 'c' });`;

describe('startSandbox', () => {
  test('sends port and seed, and waits for the address', async () => {
    const lines: string[] = [];

    const sandbox = await start(
      `process.once('message', (m) => { console.error(JSON.stringify(m)); process.stderr.write('', () => { ${LISTEN} }); });`,
      undefined,
      lines,
    );
    await sandbox.end();

    expect(sandbox).toMatchObject({ origin: 'https://o', caCertificate: 'c' });
    expect(lines).toEqual(['{"type":"start","port":1,"seed":{"deployments":[]}}']);
  });

  test('reports why the sandbox cannot start', async () => {
    const code = `process.once('message', () => process.send({ type: 'failed', message: 'port 1 is in use' }));`;

    await expect(start(code)).rejects.toMatchObject({
      code: 'sandbox_failed',
      message: 'the sandbox cannot start: port 1 is in use',
    });
  });

  test('reports that the sandbox has exited, before and after it listens', async () => {
    await expect(start('process.exit(4);')).rejects.toThrow(
      'the sandbox exited unexpectedly (exit status 4)',
    );

    const sandbox = await start(
      `process.once('message', () => { ${LISTEN} setTimeout(() => process.exit(5), 1); });`,
    );
    await expect(sandbox.died).rejects.toThrow('the sandbox exited unexpectedly (exit status 5)');
  });

  test('kills the sandbox if the start is aborted', async () => {
    const stop = new AbortController();
    const starting = start('process.on("message", () => undefined);', stop.signal);

    stop.abort(new Error('stopped'));

    await expect(starting).rejects.toThrow('stopped');
  });
});
