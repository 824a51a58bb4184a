import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import https from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { json, text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';

// Each test starts processes.
jest.setTimeout(30_000);

const LATCHKEY = join(__dirname, '../../bin/latchkey.cjs');

interface Ready {
  control: string;
  caFile: string;
  cells: { environment: string; platformRegion: string; contentTokenBaseUrl: string }[];
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
    for (const child of children) child.kill('SIGKILL');
    rmSync(dir, { recursive: true });
  });

  function start(...args: string[]) {
    const child = spawn(process.execPath, [LATCHKEY, 'sandbox', ...args], {
      cwd: dir,
      env: { PATH: process.env.PATH, HOME: dir },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    children.push(child);
    return child;
  }

  async function startReady() {
    const child = start('--json');
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
    const deploymentKey = ready.cells.find(
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
});
