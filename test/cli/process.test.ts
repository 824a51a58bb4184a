import { spawn } from 'node:child_process';
import { closeSync, openSync, writeFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

import { newFolder } from '../support/new-folder';
import { CONFIGURATION } from './support/configuration';

const LATCHKEY = join(__dirname, '../../bin/latchkey.cjs');

/** The environment of a process that uses this server as AWS. */
function awsAt(server: Server): Record<string, string> {
  return {
    AWS_ENDPOINT_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    AWS_REGION: 'eu-west-1',
    AWS_ACCESS_KEY_ID: 'nobody',
    AWS_SECRET_ACCESS_KEY: 'nobody',
  };
}

/** The command as a shell runs it, in an empty folder. */
describe('the command latchkey', () => {
  const dir = newFolder();
  const config = join(dir, 'latchkey.json');
  writeFileSync(config, JSON.stringify(CONFIGURATION));

  function start(args: string[], env: Record<string, string> = {}) {
    return spawn(process.execPath, [LATCHKEY, ...args], {
      cwd: dir,
      env: { PATH: process.env.PATH, HOME: dir, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  }

  async function outcomeOf(child: ReturnType<typeof start>) {
    const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
    const stdout = child.stdout.destroyed ? '' : text(child.stdout);
    const [out, stderr, exitCode] = await Promise.all([stdout, text(child.stderr), ended]);
    return { exitCode, stdout: out, stderr };
  }

  it('exits with 64 at a secret in the arguments, and does not print it', async () => {
    const args = ['credentials', 'put', '--json', '--client-secret', 'canary-1'];
    const { exitCode, stdout, stderr } = await outcomeOf(start(args));

    expect(exitCode).toBe(64);
    expect(JSON.parse(stdout)).toMatchObject({ error: { code: 'secret_in_arguments' } });
    expect(`${stdout}${stderr}`).not.toContain('canary');
  });

  it('is silent if its reader closes the pipe', async () => {
    const child = start(['--help']);
    child.stdout.destroy();

    const { exitCode, stderr } = await outcomeOf(child);

    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  });

  it('exits with 1 if its answer cannot be written', async () => {
    const full = openSync('/dev/full', 'w');
    const child = spawn(process.execPath, [LATCHKEY, '--help'], { stdio: ['ignore', full, 'pipe'] });

    const exitCode = await new Promise((resolve) => child.once('close', resolve));

    closeSync(full);
    expect(exitCode).toBe(1);
  });

  it('continues if nobody reads its messages anymore', async () => {
    const denying = createHttpServer((_, response) => {
      response.statusCode = 400;
      response.end(JSON.stringify({ __type: 'AccessDeniedException' }));
    });
    await new Promise<void>((resolve) => denying.listen(0, '127.0.0.1', resolve));
    const child = start(['doctor', '--config', config], awsAt(denying));
    child.stderr.destroy();

    const exitCode = await new Promise((resolve) => child.once('close', resolve));
    await new Promise((resolve) => denying.close(resolve));

    expect(exitCode).toBe(77);
  });

  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 1],
    ['SIGHUP', 1],
  ] as const)('exits at once after %s while AWS does not answer, with %d', async (signal, expected) => {
    const silent = createServer();
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const sockets: Socket[] = [];
    silent.on('connection', (socket) => sockets.push(socket));
    const connected = new Promise((resolve) => silent.once('connection', resolve));
    const child = start(['status', '--config', config], awsAt(silent));
    await connected;

    child.kill(signal);
    const ended = await outcomeOf(child);
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => silent.close(resolve));

    expect(ended).toEqual({ exitCode: expected, stdout: '', stderr: 'latchkey: interrupted\n' });
  });
});
