import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { isBuiltin } from 'node:module';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

import { buildSync } from 'esbuild';

const ROOT = join(__dirname, '../..');
jest.setTimeout(60_000);

let folder: string;
let packed: { files: { path: string }[]; size: number };

/** Runs Node in a project with the package installed. */
const node = (...args: string[]) => execFileSync(process.execPath, args, { cwd: folder, encoding: 'utf8' });

const paths = () => packed.files.map(({ path }) => path);

const packageDocument = () =>
  JSON.parse(readFileSync(join(folder, 'node_modules/latchkey/package.json'), 'utf8')) as Record<
    string,
    unknown
  >;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'latchkey-package-'));
  const output = execFileSync('npm', ['pack', '--json', '--pack-destination', folder], {
    cwd: ROOT,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [description] = JSON.parse(output.slice(output.indexOf('[\n'))) as [
    typeof packed & { filename: string },
  ];
  packed = description;
  // Installed as `npm install` does it, but without a registry.
  const installed = join(folder, 'node_modules/latchkey');
  mkdirSync(installed, { recursive: true });
  execFileSync('tar', ['-xzf', join(folder, description.filename), '--strip-components=1', '-C', installed]);
  for (const scope of ['@aws-sdk', '@smithy', '@types']) {
    symlinkSync(join(ROOT, 'node_modules', scope), join(folder, 'node_modules', scope));
  }
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the published package', () => {
  it('contains the built client and command, and no internals of the project', () => {
    expect(paths().filter((path) => !path.startsWith('dist/client/'))).toEqual([
      'LICENSE',
      'README.md',
      'bin/latchkey.cjs',
      'dist/latchkey.js',
      'dist/sandbox.js',
      'dist/THIRD-PARTY-NOTICES.txt',
      'docs/client.md',
      'package.json',
    ]);
  });

  it('contains no source map and no path of the build machine', () => {
    const built = paths().filter((path) => path.startsWith('dist/'));
    const telling = built.filter((path) => {
      const text = readFileSync(join(folder, 'node_modules/latchkey', path), 'utf8');
      return [ROOT, homedir(), 'sourceMappingURL'].some((sign) => text.includes(sign));
    });

    expect(built.length).toBeGreaterThan(3);
    expect(paths().filter((path) => path.endsWith('.map'))).toEqual([]);
    expect(telling).toEqual([]);
  });

  it('depends only on the clients of the AWS SDK', () => {
    const { dependencies, peerDependencies } = packageDocument();
    const code = readFileSync(join(folder, 'node_modules/latchkey/dist/client/index.js'), 'utf8');
    const required = [...code.matchAll(/\brequire\("([^"]+)"\)/g)].map(([, name]) => name!);

    expect(Object.keys(dependencies!)).toEqual(['@aws-sdk/client-lambda', '@aws-sdk/client-secrets-manager']);
    expect(peerDependencies).toBeUndefined();
    expect(new Set(required.filter((name) => !name.startsWith('node:')))).toEqual(
      new Set(Object.keys(dependencies!)),
    );
  });

  it('loads by require and by import, with error classes shared between both', () => {
    writeFileSync(
      join(folder, 'both.mjs'),
      `import { createRequire } from 'node:module';
       import { createTokenSource, TokenUnavailableError } from 'latchkey/client';
       const required = createRequire(import.meta.url)('latchkey/client');
       const secretsManager = { send: async () => { throw new Error('down'); } };
       const key = { environment: 'staging', platformRegion: 'mea', tenantId: 't', interface: 'content', scope: 'api/read' };
       for (const make of [createTokenSource, required.createTokenSource]) {
         const failure = await make({ secretsManager }).getToken(key).catch((error) => error);
         console.log(failure.code, failure instanceof TokenUnavailableError, failure instanceof required.TokenUnavailableError);
       }
       console.log(new Error('other') instanceof TokenUnavailableError);`,
    );

    expect(node('both.mjs')).toBe('store_unavailable true true\nstore_unavailable true true\nfalse\n');
  });

  it('bundles in ES format without the SDK, as for a Lambda function', () => {
    writeFileSync(
      join(folder, 'service.js'),
      `export { createTokenSource as handler } from 'latchkey/client';`,
    );
    buildSync({
      entryPoints: [join(folder, 'service.js')],
      outfile: join(folder, 'bundled.mjs'),
      bundle: true,
      platform: 'node',
      format: 'esm',
      external: ['@aws-sdk/*'],
      logLevel: 'error',
    });

    expect(
      node('--eval', `import('./bundled.mjs').then(({ handler }) => console.log(typeof handler({})))`),
    ).toBe('object\n');
  });

  it('type-checks in strict projects, compiled as ES modules or as CommonJS', () => {
    const service = `
      import { createTokenSource, TokenUnavailableError, type TokenSource } from 'latchkey/client';
      const key = { environment: 'staging', platformRegion: 'mea', tenantId: 't', interface: 'content' } as const;
      const source: TokenSource = createTokenSource({ tokenRefresh: 'token-refresh' });
      export async function use(): Promise<string> {
        try {
          const { accessToken } = await source.getToken({ ...key, scope: 'api/read' });
          return accessToken;
        } catch (error) {
          return error instanceof TokenUnavailableError ? error.code : 'other';
        }
      }
      // @ts-expect-error a scope of the other interface
      void source.getToken({ ...key, scope: 'api/webhooks' });`;
    for (const file of ['service.mts', 'service.cts']) writeFileSync(join(folder, file), service);

    const tsc = [require.resolve('typescript/bin/tsc'), '--noEmit', '--strict', '--module', 'nodenext'];

    expect(node(...tsc, '--target', 'es2022', '--types', 'node', 'service.mts', 'service.cts')).toBe('');
  });
});

describe('its command', () => {
  /** Linked into a project as npm does it, with all code from the built file. */
  const latchkey = (...args: string[]) => {
    const command = join(folder, 'node_modules/.bin/latchkey');
    const env = { PATH: process.env.PATH, HOME: folder };
    const { status, stdout, stderr } = spawnSync(command, args, { cwd: folder, env, encoding: 'utf8' });
    return { status, stdout, stderr };
  };

  beforeAll(() => {
    const { bin } = packageDocument() as { bin: Record<string, string> };
    mkdirSync(join(folder, 'node_modules/.bin'));
    for (const [name, file] of Object.entries(bin)) {
      symlinkSync(join('../latchkey', file), join(folder, 'node_modules/.bin', name));
    }
  });

  it('runs without other packages', () => {
    const code = readFileSync(join(folder, 'node_modules/latchkey/dist/latchkey.js'), 'utf8');
    const required = [...code.matchAll(/\brequire\("([^"]+)"\)/g)].map(([, name]) => name!);

    // The SDK looks for this package, but works without it.
    expect(new Set(required.filter((name) => !isBuiltin(name)))).toEqual(
      new Set(['@aws-sdk/signature-v4-crt']),
    );
  });

  it('runs the sandbox without other packages, and leaves nothing behind', async () => {
    const before = readdirSync(folder, { recursive: true });
    const code = readFileSync(join(folder, 'node_modules/latchkey/dist/sandbox.js'), 'utf8');
    const required = [...code.matchAll(/\brequire\("([^"]+)"\)/g)].map(([, name]) => name!);
    const child = spawn(join(folder, 'node_modules/.bin/latchkey'), ['sandbox'], {
      cwd: folder,
      env: { PATH: process.env.PATH, HOME: folder },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const lines = createInterface({ input: child.stdout });
    for await (const line of lines) if (line.startsWith('ready')) break;

    child.kill('SIGINT');
    const [exitCode] = (await once(child, 'exit')) as unknown[];

    expect(required.filter((name) => !isBuiltin(name))).toEqual([]);
    expect(exitCode).toBe(0);
    expect(readdirSync(folder, { recursive: true })).toEqual(before);
  });

  it('prints its help and its version', () => {
    const { version } = packageDocument();

    const [help, told] = [latchkey('--help'), latchkey('--version')];

    expect(help).toMatchObject({ status: 0, stderr: '' });
    expect(help.stdout).toContain('latchkey credentials put');
    expect(told).toEqual({ status: 0, stdout: `${version as string}\n`, stderr: '' });
  });

  it('explains what to do without a configuration, and builds or writes nothing', () => {
    const before = readdirSync(folder, { recursive: true });

    const status = latchkey('status', '--json');

    expect(status.status).toBe(2);
    expect(JSON.parse(status.stdout)).toMatchObject({ error: { code: 'usage' } });
    expect(status.stderr).toContain('latchkey init');
    expect(readdirSync(folder, { recursive: true })).toEqual(before);
  });

  it('contains the license of every bundled package', () => {
    const notices = readFileSync(join(folder, 'node_modules/latchkey/dist/THIRD-PARTY-NOTICES.txt'), 'utf8');

    for (const name of ['commander', 'zod', '@clack/prompts', '@aws-sdk/client-lambda', 'hono', 'graphql']) {
      expect(notices).toMatch(new RegExp(`^${name} \\d+\\.\\d+`, 'm'));
    }
    expect(notices).not.toMatch(/undefined/);
    const withoutText = notices.split(`\n\n${'-'.repeat(80)}\n\n`).filter((notice) => notice.length < 500);
    expect(withoutText).toEqual([]);
  });
});
