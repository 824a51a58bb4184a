import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  closeSync,
  constants,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { IN_PATH } from '../issuers/profiles';
import { SEED } from '../platform-under-test';
import { buildSandbox } from '../support/built-sandbox';
import { documentAt, sendOverTls } from '../support/https-client';

// Each test starts processes.
jest.setTimeout(30_000);

interface Ready {
  readonly control: string;
  readonly caFile: string;
}

let folder: string;
let program: string;
const children: ChildProcess[] = [];

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'sandbox-program-'));
  program = buildSandbox(folder);
});
afterAll(() => rmSync(folder, { recursive: true }));
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});

/** A new working directory, with a seed file if there is a seed. */
function newDirectory(seed?: object): string {
  const cwd = mkdtempSync(join(folder, 'cwd-'));
  if (seed) writeFileSync(join(cwd, 'seed.json'), JSON.stringify(seed));
  return cwd;
}

function start(cwd: string, ...options: string[]) {
  const child = spawn(process.execPath, [program, ...options], { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
  children.push(child);
  return child;
}

/** Starts a sandbox with --json and waits until it is ready. */
async function startReady(cwd: string, ...options: string[]) {
  const child = start(cwd, '--json', ...options);
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  return { child, ready: JSON.parse(line) as Ready };
}

/** What it prints without --json until it is ready. */
async function linesUntilReady(cwd: string, ...options: string[]): Promise<string[]> {
  const lines: string[] = [];
  for await (const line of createInterface({ input: start(cwd, ...options).stdout })) {
    lines.push(line);
    if (line.startsWith('ready')) break;
  }
  return lines;
}

async function outcomeOf(child: ReturnType<typeof start>) {
  const [stdout, stderr, [exitCode]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close') as Promise<unknown[]>,
  ]);
  return { exitCode, stdout, stderr };
}

/** The status of a `GET` to control. */
function askControl({ control, caFile }: Ready, path: string) {
  return sendOverTls('GET', `${control}/${path}`, { ca: readFileSync(caFile, 'utf8') });
}

/** Opens a pipe for writing once a reader has opened it. */
async function whenRead(pipe: string): Promise<number> {
  for (;;) {
    try {
      return openSync(pipe, constants.O_WRONLY | constants.O_NONBLOCK);
    } catch {
      await sleep(5);
    }
  }
}

async function takenPort() {
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  return { taken, port: (taken.address() as AddressInfo).port };
}

describe('when it is ready', () => {
  test('it prints the addresses of each deployment, its tenants with their contents, control and CA', async () => {
    const cwd = newDirectory(SEED);

    const lines = await linesUntilReady(cwd, '--seed', 'seed.json');

    const port = /:(\d+)\/_sandbox$/m.exec(lines.join('\n'))![1];
    const caFile = `.latchkey/sandbox-${port}-ca.pem`;
    const origin = `https://127.0.0.1:${port}`;
    expect(lines.slice(0, 7)).toEqual([
      'staging/mea',
      `  content           ${origin}/staging/mea/rest/v1`,
      `  content tokens    ${origin}/staging/mea/auth`,
      `  webhooks          ${origin}/staging/mea/webhooks/v1`,
      `  webhooks tokens   ${origin}/staging/mea/webhooks-auth`,
      '  tenant            me-south-1_Staging (8 contents: 5 archived, 1 draft, 1 published, 1 ready)',
      '  tenant            me-south-1_Neighbor (8 contents: 5 archived, 1 draft, 1 published, 1 ready)',
    ]);
    expect(lines).toContain(`  live              ${origin}/tenant-service/live`);
    expect(lines).toContain(`  CA to trust       ${caFile}`);
    expect(lines.at(-1)).toBe(`ready: curl --cacert ${caFile} ${origin}/_sandbox/tenants; stop with Ctrl-C`);
    expect(await askControl({ control: `${origin}/_sandbox`, caFile: join(cwd, caFile) }, 'audit')).toBe(200);
  });

  test('it prints issuers, also without a deployment of the platform', async () => {
    const cwd = newDirectory({ issuers: [{ profile: IN_PATH, tenants: [{ tenantId: 'acme' }] }] });

    const lines = await linesUntilReady(cwd, '--seed', 'seed.json');

    const [control] = lines.filter((line) => line.startsWith('  control'));
    const origin = new URL(control!.split(/ +/)[2]!).origin;
    expect(lines.slice(3, 7)).toEqual([
      'issuer in-path',
      `  tokens            ${origin}/issuers/in-path`,
      `  resource          ${origin}/issuers/in-path/whoami`,
      '  tenant            acme',
    ]);
  });

  test('it prints a command that hands a token to a test', async () => {
    const cwd = newDirectory();
    const lines = await linesUntilReady(cwd);
    const command = lines.find((line) => line.endsWith('/_sandbox/tokens'))!;

    const issued: unknown = JSON.parse(
      execFileSync('bash', ['-c', command], { cwd, encoding: 'utf8', stdio: 'pipe' }),
    );

    expect(issued).toEqual({
      accessToken: expect.any(String) as string,
      expiresAt: expect.any(String) as string,
    });
  });

  test.each([[[]], [['--separate-ports']]])(
    '--json prints the addresses and tenants that control returns (%j)',
    async (options) => {
      const { ready } = await startReady(newDirectory(), ...options);

      const { caFile, tenants, ...addresses } = ready as Ready & { tenants: unknown };
      const ca = readFileSync(caFile, 'utf8');
      expect(addresses).toEqual(await documentAt(`${ready.control}/addresses`, ca));
      expect({ tenants }).toEqual(await documentAt(`${ready.control}/tenants`, ca));
    },
  );

  test('two sandboxes in one directory do not interfere', async () => {
    const cwd = newDirectory();
    const [first, second] = await Promise.all([startReady(cwd), startReady(cwd)]);

    first.child.kill('SIGTERM');
    await once(first.child, 'exit');

    expect(existsSync(first.ready.caFile)).toBe(false);
    expect(await askControl(second.ready, 'tenants')).toBe(200);
  });

  test('it keeps serving when nobody reads its output', async () => {
    const cwd = newDirectory();
    const child = start(cwd);
    child.stdout.destroy();
    let status: unknown;
    while (status !== 200) {
      await sleep(5);
      const port = /sandbox-(\d+)-ca/.exec(readdirSync(cwd, { recursive: true }).join())?.[1];
      if (port === undefined) continue;
      const caFile = join(cwd, `.latchkey/sandbox-${port}-ca.pem`);
      status = await askControl({ control: `https://127.0.0.1:${port}/_sandbox`, caFile }, 'tenants');
    }

    child.kill('SIGTERM');
    const ended = once(child, 'close') as Promise<unknown[]>;
    const [stderr, [exitCode]] = await Promise.all([text(child.stderr), ended]);

    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  });
});

describe('when it is stopped', () => {
  test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    '%s ends it with 0, removes its CA file and ends delayed requests; further signals do no harm',
    async (signal) => {
      const cwd = newDirectory();
      const { child, ready } = await startReady(cwd);
      const ca = readFileSync(ready.caFile, 'utf8');
      const fault = { target: 'tenants', delayMs: 600_000, times: 1 };
      await sendOverTls('POST', `${ready.control}/faults`, { ca, body: fault });
      const waiting = sendOverTls('POST', ready.control.replace('_sandbox', 'tenant-service/live/tenants'), {
        ca,
      });
      // Once the fault is used up, the request is being delayed.
      while (JSON.stringify(await documentAt(`${ready.control}/faults`, ca)) !== '{"faults":[]}');

      const again = setInterval(() => child.kill(signal), 1);
      const exit = (await once(child, 'exit')) as unknown[];
      clearInterval(again);

      expect(exit).toEqual([0, null]);
      expect(await waiting).toMatch(/^ECONN/);
      expect(readdirSync(cwd)).toEqual([]);
    },
  );

  test('a CA file at a given path stays, with the directory created for it', async () => {
    const cwd = newDirectory();
    const { child, ready } = await startReady(cwd, '--ca-file', 'made/for/it.pem');

    child.kill('SIGTERM');
    await once(child, 'exit');

    expect(ready.caFile).toBe(join(cwd, 'made/for/it.pem'));
    expect(readFileSync(ready.caFile, 'utf8')).toMatch(/^-----BEGIN CERTIFICATE-----/);
  });

  test('it leaves something else at the path of the CA file alone, and still exits with 0', async () => {
    const { child, ready } = await startReady(newDirectory());
    rmSync(ready.caFile);
    mkdirSync(ready.caFile);

    child.kill('SIGTERM');

    expect(await outcomeOf(child)).toEqual({ exitCode: 0, stdout: '', stderr: '' });
    expect(readdirSync(ready.caFile)).toEqual([]);
  });

  test('it can be stopped while it waits for a seed from a pipe', async () => {
    const pipe = join(newDirectory(), 'seed.json');
    execFileSync('mkfifo', [pipe]);
    const child = start(newDirectory(), '--seed', pipe);
    const writing = await whenRead(pipe);

    child.kill('SIGINT');

    expect(await once(child, 'exit')).toEqual([null, 'SIGINT']);
    closeSync(writing);
  });

  test('it keeps other files beside the CA file', async () => {
    const cwd = newDirectory();
    mkdirSync(join(cwd, '.latchkey'));
    writeFileSync(join(cwd, '.latchkey/local.json'), '{}');
    const { child } = await startReady(cwd);

    child.kill('SIGTERM');
    await once(child, 'exit');

    expect(readdirSync(join(cwd, '.latchkey'))).toEqual(['local.json']);
  });
});

describe('when it cannot start', () => {
  test('it reports all faults of options and seed with one line each, and exits with 2', async () => {
    const deployments = [{ environment: 'live', platformRegion: 'mea', tenants: {} }];
    const cwd = newDirectory({ deployments, keyLagSec: -1 });

    const outcome = await outcomeOf(start(cwd, '--port', '70000', '--seed', 'seed.json', '--json'));

    const lines = outcome.stderr.trimEnd().split('\n');
    expect(outcome.exitCode).toBe(2);
    expect(lines).toEqual([
      expect.stringMatching(/^sandbox: --port: found 70000; allowed: /),
      expect.stringMatching(/^sandbox: --seed: deployments\[0\]\.environment: found "live"; /),
      expect.stringMatching(/^sandbox: --seed: deployments\[0\]\.tenants: found \{\}; /),
      expect.stringMatching(/^sandbox: --seed: keyLagSec: found -1; /),
    ]);
    expect(JSON.parse(outcome.stdout)).toEqual({
      error: { code: 'usage', message: lines.map((line) => line.replace('sandbox: ', '')).join('; ') },
    });
  });

  test('it reports a port in use with one line, and exits with 1', async () => {
    const { taken, port } = await takenPort();
    const cwd = newDirectory();

    const { exitCode, stdout, stderr } = await outcomeOf(start(cwd, '--port', String(port), '--json'));

    taken.close();
    const message = `port ${port} on 127.0.0.1 is in use`;
    expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: `sandbox: ${message}\n` });
    expect(JSON.parse(stdout)).toEqual({ error: { code: 'port_unavailable', message } });
    expect(readdirSync(cwd)).toEqual([]);
  });

  test.each([
    [['--separate-ports', '--port', '65530'], /^sandbox: --port: found 65530; allowed: 0–65517 with /],
    [['--ca-file', '.'], /^sandbox: --ca-file: found a path that is not writable \(EISDIR\); /],
    [['--seed', '.'], /^sandbox: --seed: found a directory; /],
  ])('%j prints one line and exits with 2', async (options, line) => {
    const { exitCode, stdout, stderr } = await outcomeOf(start(newDirectory(), ...options));

    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(stderr).toMatch(line);
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
  });

  test('--help lists every option', async () => {
    const { exitCode, stdout, stderr } = await outcomeOf(start(newDirectory(), '--help'));

    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    for (const flag of ['--port', '--separate-ports', '--seed', '--ca-file', '--json', '--help']) {
      expect(stdout).toContain(`${flag} `);
    }
  });
});
