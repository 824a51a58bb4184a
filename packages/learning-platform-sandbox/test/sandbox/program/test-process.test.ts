import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { installLibraries } from '../support/installed-library';

// Each test starts a process. One that does not exit by itself is killed after this time.
const TIMEOUT_MS = 30_000;
jest.setTimeout(2 * TIMEOUT_MS);

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'sandbox-process-'));
  installLibraries(folder);
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Runs a script that has a sandbox, until it exits by itself. */
function run(script: string) {
  const file = join(folder, 'script.mjs');
  writeFileSync(file, `import { createSandbox } from 'latchkey/sandbox';\n${script}`);
  const { status, signal, stdout, stderr } = spawnSync(process.execPath, [file], {
    cwd: folder,
    env: { PATH: process.env.PATH },
    encoding: 'utf8',
    timeout: TIMEOUT_MS,
  });
  rmSync(file);
  return { status, signal, stdout, stderr };
}
const QUIET_EXIT = { status: 0, signal: null, stdout: '', stderr: '' };

/** Leaves an idle connection, a delayed request that its client has given up, and a body that is still being sent. */
const BUSY = `
import https from 'node:https';
const sandbox = await createSandbox({ separatePorts: true });
const { contentBaseUrl, contentTokenBaseUrl, webhooksBaseUrl } = sandbox.addresses(sandbox.tenants[0]);
const agent = new https.Agent({ ca: sandbox.caCertificate, keepAlive: true });
await new Promise((resolve) => https.get(contentBaseUrl, { agent }, (answer) => answer.resume().on('end', resolve)));
sandbox.faults.add({ target: 'token', delayMs: 600_000, times: 1 });
sandbox.faults.add({ target: 'webhooks', slowBodyMs: 600_000, times: 1 });
const leaving = new AbortController();
const given = sandbox.fetch(contentTokenBaseUrl + '/oauth2/token/a', { method: 'POST', signal: leaving.signal });
while (sandbox.faults.all().length > 1) await new Promise(setImmediate);
const slow = https.get(webhooksBaseUrl, { ca: sandbox.caCertificate, agent: false });
await new Promise((resolve) => slow.on('response', resolve));
slow.on('error', () => undefined).destroy();
leaving.abort();
await given.catch(() => undefined);
`;

test('a process exits by itself once its sandbox has stopped', () => {
  expect(run(`${BUSY}\nawait sandbox.stop();`)).toEqual(QUIET_EXIT);
});

test('a process exits by itself even if it forgets to stop its sandboxes', () => {
  expect(run(`await createSandbox();\n${BUSY}`)).toEqual(QUIET_EXIT);
});

test('a sandbox with a delayed request of another process does not keep its own process alive', () => {
  const script = `
    import { spawn } from 'node:child_process';
    const sandbox = await createSandbox();
    sandbox.faults.add({ target: 'content', delayMs: 600_000, times: 1 });
    const { contentBaseUrl } = sandbox.addresses(sandbox.tenants[0]);
    const code = "require('node:https').get(process.argv[1], { rejectUnauthorized: false }).on('error', () => process.exit())";
    const client = spawn(process.execPath, ['-e', code, contentBaseUrl], { stdio: 'ignore' });
    while (sandbox.faults.all().length > 0) await new Promise((resolve) => setTimeout(resolve, 1));
    client.unref();`;

  expect(run(script)).toEqual(QUIET_EXIT);
});

test('the rest of the process stays as it was', () => {
  const before = readdirSync(folder, { recursive: true });
  const { stdout, ...ended } = run(`
    const own = (owner) => Object.getOwnPropertyNames(owner).map((name) => [name, owner[name]]);
    const state = () => new Map([
      ...own(globalThis), ...own(process.env),
      ...process.eventNames().map((name) => ['process ' + String(name), process.listenerCount(name)]),
      ['work directory', process.cwd()],
    ]);
    const before = state();
    const sandbox = await createSandbox({ separatePorts: true });
    await sandbox.fetch(sandbox.controlUrl + '/tenants');
    const during = state();
    await sandbox.stop();
    const names = [...new Set([...before.keys(), ...during.keys()])];
    console.log(JSON.stringify({ compared: names.length > 50, changed: names.filter((name) => !Object.is(before.get(name), during.get(name))) }));`);

  expect(ended).toEqual({ status: 0, signal: null, stderr: '' });
  expect(JSON.parse(stdout)).toEqual({ compared: true, changed: [] });
  expect(readdirSync(folder, { recursive: true })).toEqual(before);
});
