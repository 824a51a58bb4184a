import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import https from 'node:https';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { json, text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';

import { newFolder } from '../support/new-folder';

// Each test starts processes.
jest.setTimeout(30_000);

const CHECKOUT = join(__dirname, '../..');
const LATCHKEY = join(CHECKOUT, 'bin/latchkey.cjs');

interface Ready {
  control: string;
  caFile: string;
  deployments: { environment: string; platformRegion: string; contentTokenBaseUrl: string }[];
  tenants: { environment: string; platformRegion: string; tenantId: string }[];
}

/** The command as a shell runs it, in an empty folder, without a configuration. */
describe('the command latchkey sandbox', () => {
  let dir: string;
  let children: ChildProcess[];
  beforeEach(() => {
    dir = newFolder();
    children = [];
  });
  afterEach(() => {
    for (const child of children) killGroup(child, 'SIGKILL');
  });

  function startProgram(program: string, args: readonly string[], cwd = dir) {
    const child = spawn(program, args, {
      cwd,
      env: { PATH: process.env.PATH, HOME: dir },
      stdio: ['ignore', 'pipe', 'pipe'],
      // A process group, as a terminal makes one for each command.
      detached: true,
    });
    children.push(child);
    return child;
  }

  const start = (...args: string[]) => startProgram(process.execPath, [LATCHKEY, 'sandbox', ...args]);

  async function startReady(child = start('--json')) {
    const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
    return { child, ready: JSON.parse(line) as Ready };
  }

  async function post(url: string, ca: string, body: object): Promise<unknown> {
    const request = https.request(url, {
      method: 'POST',
      ca,
      agent: false,
      headers: { 'content-type': 'application/json' },
    });
    request.end(JSON.stringify(body));
    const [response] = (await once(request, 'response')) as [NodeJS.ReadableStream];
    return json(response);
  }

  it('starts, issues a token, and leaves nothing behind after Ctrl-C', async () => {
    const { child, ready } = await startReady();
    const ca = readFileSync(ready.caFile, 'utf8');
    const { environment, platformRegion, tenantId } = ready.tenants[0]!;
    const deploymentKey = ready.deployments.find(
      (each) => each.environment === environment && each.platformRegion === platformRegion,
    )!;

    const { clientId, clientSecret } = (await post(`${ready.control}/credentials`, ca, {
      environment,
      platformRegion,
      tenantId,
    })) as Record<string, string>;
    const token = await post(`${deploymentKey.contentTokenBaseUrl}/oauth2/token/${tenantId}`, ca, {
      scope: 'api/read',
      grant_type: 'client_credentials',
      client_id: clientId,
      client_secret: clientSecret,
    });
    const again = setInterval(() => child.kill('SIGINT'), 1);
    const [exit, stderr] = await Promise.all([once(child, 'exit') as Promise<unknown[]>, text(child.stderr)]);
    clearInterval(again);

    expect(token).toEqual({
      access_token: expect.any(String) as string,
      expires_in: 3600,
      token_type: 'Bearer',
    });
    expect({ exit, stderr, left: readdirSync(dir) }).toEqual({ exit: [0, null], stderr: '', left: [] });
  });

  it('leaves no sandbox behind when it is killed', async () => {
    const { child, ready } = await startReady();

    child.kill('SIGKILL');
    while (existsSync(ready.caFile)) await sleep(10);

    expect(readdirSync(dir)).toEqual([]);
  });

  const npm = () => startProgram('npm', ['run', '--silent', 'sandbox', '--', '--json'], CHECKOUT);
  const npx = () => {
    mkdirSync(join(dir, 'node_modules/.bin'), { recursive: true });
    symlinkSync(LATCHKEY, join(dir, 'node_modules/.bin/latchkey'));
    return startProgram('npx', ['--offline', '--no', 'latchkey', 'sandbox', '--json']);
  };
  // The stream of the output closes once every process that could write to it has ended.
  it.each([
    ['npm gets SIGTERM', npm, (started: ChildProcess) => started.kill('SIGTERM')],
    ['npm is killed', npm, (started: ChildProcess) => started.kill('SIGKILL')],
    ['the terminal of npm sends Ctrl-C', npm, (started: ChildProcess) => killGroup(started, 'SIGINT')],
    ['the terminal of npm closes', npm, (started: ChildProcess) => killGroup(started, 'SIGHUP')],
    ['npx gets SIGTERM', npx, (started: ChildProcess) => started.kill('SIGTERM')],
    ['npx is killed', npx, (started: ChildProcess) => started.kill('SIGKILL')],
  ])('leaves nothing behind when %s', async (_, begin, stop) => {
    const { child, ready } = await startReady(begin());

    stop(child);
    await once(child, 'close');

    expect(existsSync(ready.caFile)).toBe(false);
  });
});

/** Sends a signal to a process and all that it started in its group. */
function killGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid!, signal);
  } catch {
    // All of them have ended.
  }
}
