import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import https from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { json, text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';

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
    dir = mkdtempSync(join(tmpdir(), 'latchkey-sandbox-'));
    children = [];
  });
  afterEach(() => {
    for (const child of children) killGroup(child, 'SIGKILL');
    rmSync(dir, { recursive: true });
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

  it('exits with 2 and one JSON document at a wrong option', async () => {
    const child = start('--port', '70000', '--json');

    const [stdout, stderr, [exitCode]] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, 'close') as Promise<unknown[]>,
    ]);

    expect(exitCode).toBe(2);
    expect(JSON.parse(stdout)).toMatchObject({ error: { code: 'usage' } });
    expect(stderr).toMatch(/^sandbox: --port: found 70000; allowed: /);
  });

  it('leaves no sandbox behind when it is killed', async () => {
    const { child, ready } = await startReady();

    child.kill('SIGKILL');
    while (existsSync(ready.caFile)) await sleep(10);

    expect(readdirSync(dir)).toEqual([]);
  });

  // The stream of the output closes once every process that could write to it has ended.
  it.each([
    ['npm gets SIGTERM', (npm: ChildProcess) => npm.kill('SIGTERM')],
    ['npm is killed', (npm: ChildProcess) => npm.kill('SIGKILL')],
    ['the terminal sends Ctrl-C', (npm: ChildProcess) => killGroup(npm, 'SIGINT')],
    ['the terminal closes', (npm: ChildProcess) => killGroup(npm, 'SIGHUP')],
  ])('npm run sandbox leaves nothing behind when %s', async (_, stop) => {
    const run = ['run', '--silent', 'sandbox', '--', '--json'];
    const { child, ready } = await startReady(startProgram('npm', run, CHECKOUT));

    stop(child);
    await once(child, 'close');

    expect(existsSync(ready.caFile)).toBe(false);
  });

  it.each([
    ['npx gets SIGTERM', (npx: ChildProcess) => npx.kill('SIGTERM')],
    ['npx is killed', (npx: ChildProcess) => npx.kill('SIGKILL')],
  ])('npx latchkey leaves no program behind when %s', async (_, stop) => {
    mkdirSync(join(dir, 'node_modules/.bin'), { recursive: true });
    symlinkSync(LATCHKEY, join(dir, 'node_modules/.bin/latchkey'));
    const run = ['--offline', '--no', 'latchkey', 'sandbox', '--json'];
    const { child, ready } = await startReady(startProgram('npx', run));

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
