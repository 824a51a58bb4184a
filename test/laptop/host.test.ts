import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type FromHost } from '../../laptop/host-messages';
import { HostProgram, PROJECT_ROOT } from '../support/laptop/host-program';
import { gone } from '../support/laptop/processes';
import { newFolder } from '../support/new-folder';

jest.setTimeout(60_000);

const hosts: HostProgram[] = [];
const start = (...given: ConstructorParameters<typeof HostProgram>): HostProgram => {
  const host = new HostProgram(...given);
  hosts.push(host);
  return host;
};
afterEach(async () => {
  await Promise.all(hosts.splice(0).map((host) => host.end()));
});
const isFailed = (message: FromHost): message is FromHost & { type: 'failed' } => message.type === 'failed';
const step =
  (text: string) =>
  (message: FromHost): message is FromHost & { type: 'step' } =>
    message.type === 'step' && message.text.includes(text);

/** Resolves once nothing listens at the address. */
const refused = async (url: string): Promise<void> => {
  for (let code = '', tries = 0; code !== 'ECONNREFUSED'; tries += 1) {
    if (tries > 1000) throw new Error(`${url} is still served`);
    code = await fetch(url).then(
      () => '',
      (error: Error) => (error.cause as NodeJS.ErrnoException).code ?? '',
    );
  }
};

/** Writes the assembly of the small project, whose deployment has an address of an account. */
const synthesized = (folder: string): string => {
  const configuration = join(folder, 'platform.json');
  const outDir = join(folder, 'cdk.out');
  writeFileSync(
    configuration,
    JSON.stringify({ contentBaseUrl: 'https://api.staging.platform.example/rest/v1' }),
  );
  execFileSync(process.execPath, ['--require', 'tsx/cjs', join(PROJECT_ROOT, 'bin/app.ts')], {
    env: { ...process.env, LATCHKEY_CONFIG: configuration, CDK_OUTDIR: outDir },
  });
  return outDir;
};
const textsIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'utf8'))
    .sort();

describe('the host program', () => {
  test('provisions the stacks, describes them in local.json, and leaves nothing behind when stopped', async () => {
    const host = start();
    await host.up();
    const { pid } = await host.sweep();

    const file = join(host.stateDir, 'local.json');
    const mode = statSync(file).mode & 0o777;
    const run = host.localRun();
    host.process.send({ type: 'stop' });
    const exitCode = await host.exitCode;
    await gone(pid);

    expect(run).toMatchObject({
      aws: { region: 'eu-west-1', accountId: '111111111111' },
      deployments: [{ stack: 'latchkey-staging-mea', tenants: [{ tenantId: 'tenant-1' }] }],
    });
    const [deployment] = run.deployments;
    expect(deployment?.functions.tokenSweep).toMatch(
      /^arn:aws:lambda:.*:function:latchkey-staging-mea-Sweep-/,
    );
    expect(deployment?.tenants[0]?.archivedContentIds.length).toBeGreaterThanOrEqual(5);
    expect(run.sandboxControl).toBe(`${new URL(deployment!.platform.contentBaseUrl!).origin}/_sandbox`);
    expect(mode).toBe(0o600);
    expect(exitCode).toBe(0);
    expect(existsSync(file)).toBe(false);
    expect(readdirSync(host.dir)).toEqual(['config.json']);
  });

  test('refuses to run next to another run, and names its process', async () => {
    const first = start();
    await first.message(step('sandbox'));

    const second = start({}, { stateDir: first.stateDir });
    const { message } = await second.message(isFailed);

    expect(message).toBe(
      `a local run is up already: process ${first.process.pid} holds ${join(first.stateDir, 'lock')}; stop it, or choose another --state-dir`,
    );
    expect(await second.exitCode).toBe(1);
    expect(existsSync(join(first.stateDir, 'lock'))).toBe(true);
  });

  test('shows why the app cannot be synthesized, and leaves nothing behind', async () => {
    const host = start({ fail: 'deployments.0.tenants: missing' });

    const { message } = await host.message(isFailed);

    expect(message).toBe('cannot synthesize the app:\ndeployments.0.tenants: missing');
    expect(await host.exitCode).toBe(1);
    expect(readdirSync(host.dir)).toEqual(['config.json']);
  });

  test.each(['port', 'sandboxPort'])('says which port is in use: %s', async (option) => {
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
    const { port } = taken.address() as AddressInfo;

    const { message } = await start({}, { [option]: port }).message(isFailed);

    taken.close();
    expect(message).toContain(`port ${port}`);
    expect(message).toContain('in use');
  });

  test.each<[string, (host: HostProgram) => void]>([
    ['a stop', (host) => host.process.send({ type: 'stop' })],
    ['SIGTERM', (host) => host.process.kill('SIGTERM')],
    ['SIGINT', (host) => host.process.kill('SIGINT')],
    ['the exit of its parent', (host) => host.process.disconnect()],
  ])('stops during start-up on %s, and leaves nothing behind', async (_, stop) => {
    const host = start({ hang: true });
    const { pid } = await host.sweep();
    const stoppedAtMs = Date.now();

    stop(host);

    expect(await host.exitCode).toBe(0);
    // The sweep would hang until its function times out after 30 s.
    expect(Date.now() - stoppedAtMs).toBeLessThan(10_000);
    await gone(pid);
    expect(readdirSync(host.dir)).toEqual(['config.json']);
  });

  test('stops before its first step is done, and leaves nothing behind', async () => {
    const host = start();

    host.process.send({ type: 'stop' });

    expect(await host.exitCode).toBe(0);
    expect(host.messages).toEqual([]);
    expect(readdirSync(host.dir)).toEqual(['config.json']);
  });

  test('its functions and the sandbox exit when it is killed, and the next run cleans up', async () => {
    const host = start({ hang: true });
    const { pid } = await host.sweep();
    const sandbox = /https:\/\/[^"]+/.exec((await host.message(step('sandbox'))).text)![0];

    host.process.kill('SIGKILL');
    await gone(pid);
    await refused(sandbox);

    const next = start({}, { stateDir: host.stateDir });
    await next.up();
    next.process.send({ type: 'stop' });
    expect(await next.exitCode).toBe(0);
    expect(existsSync(host.stateDir)).toBe(false);
  });
});

describe('the host program with an assembly', () => {
  test('learns the deployments from it, and has them call the sandbox only', async () => {
    const folder = newFolder();
    const assemblyDir = synthesized(folder);
    const before = textsIn(folder);

    const host = start({}, { assemblyDir, configFile: undefined });
    await host.up();
    const { line } = await host.message(
      (message): message is FromHost & { type: 'log' } =>
        message.type === 'log' && message.line.includes('calls https'),
    );
    const { deployments, sandboxControl } = host.localRun();

    const platform = `${new URL(sandboxControl).origin}/staging/mea`;
    expect(deployments).toMatchObject([
      { stack: 'latchkey-staging-mea', tenants: [{ tenantId: 'tenant-1' }] },
    ]);
    expect(deployments[0]!.platform).toEqual({
      contentBaseUrl: `${platform}/rest/v1`,
      contentTokenBaseUrl: `${platform}/auth`,
    });
    expect(line).toContain(`calls ${platform}/rest/v1 ${platform}/rest/v1/contents`);
    expect(textsIn(folder)).toEqual(before);
  });
});
