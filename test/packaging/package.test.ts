import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { Agent } from 'node:https';
import { isBuiltin } from 'node:module';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

import { buildSync } from 'esbuild';

import { shelfNames } from '../../lib/options/issuer-shelf';
import { controlAt, describedTenant, sendOverHttps } from 'learning-platform-sandbox/testing';
import { installPackage, releaseFolder, tarball, writeRelease } from '../support/installed-package';
import { requireInstalled } from '../support/require-installed';

const ROOT = join(__dirname, '../..');
const { resolve } = requireInstalled('test/packaging');
jest.setTimeout(180_000);

let folder: string;
let release: string;
let paths: string[];

/** Runs Node in a project with the package installed. */
const node = (...args: string[]) => execFileSync(process.execPath, args, { cwd: folder, encoding: 'utf8' });

const packageDocument = () =>
  JSON.parse(readFileSync(join(folder, 'node_modules/latchkey/package.json'), 'utf8')) as Record<
    string,
    unknown
  >;

const released = (file: string) => readFileSync(join(release, file), 'utf8');

beforeAll(() => {
  release = releaseFolder();
  paths = execFileSync('tar', ['-tzf', tarball()], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .map((path) => path.replace('package/', ''))
    .sort();
  folder = mkdtempSync(join(tmpdir(), 'latchkey-package-'));
  installPackage(folder, ['@aws-sdk', '@smithy', '@types']);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the published package', () => {
  it('contains the built libraries and programs, and no internals of the project', () => {
    const inFolders = /^dist\/(types|laptop\/page)\//;
    expect(paths).toContain('dist/laptop/page/index.html');
    expect(paths.filter((path) => !inFolders.test(path))).toEqual([
      'CHANGELOG.md',
      'LICENSE',
      'README.md',
      'bin/latchkey.cjs',
      ...shelfNames().map((name) => `core/issuers/shelf/${name}.json`),
      'dist/THIRD-PARTY-NOTICES.txt',
      'dist/client/index.d.mts',
      'dist/client/index.d.ts',
      'dist/client/index.js',
      'dist/client/index.mjs',
      'dist/conformance.js',
      ...[
        'authorizer/handler',
        'credential-watch/handler',
        'optional/announce',
        'optional/change-events',
        'optional/network',
        'restore/handler',
        'rotate-credentials/handler',
        'sandbox/handler',
        'token-refresh/handler',
        'token-sweep/handler',
      ].map((name) => `dist/constructs/functions/${name}.js`),
      'dist/constructs/index.d.ts',
      'dist/constructs/index.js',
      'dist/constructs/prove-app.js',
      'dist/laptop/bootstrap.cjs',
      'dist/laptop/host.js',
      'dist/latchkey.js',
      'dist/prove.js',
      'dist/sandbox.js',
      'dist/sandbox/index.d.ts',
      'dist/sandbox/index.js',
      'dist/start.js',
      'package.json',
    ]);
    expect(paths.filter((path) => path.startsWith('dist/types/') && !path.endsWith('.d.ts'))).toEqual([]);
    expect(Object.keys(packageDocument())).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/^(scripts|devDependencies|private)$/)]),
    );
  });

  it('says what its version changes', () => {
    const text = readFileSync(join(folder, 'node_modules/latchkey/CHANGELOG.md'), 'utf8');
    const versions = [...text.matchAll(/^## \[(\d.*?)\] - \d{4}-\d\d-\d\d$/gm)].map(([, version]) => version);

    expect(versions[0]).toBe(packageDocument().version);
  });

  it('has a README of its own, whose links lead into the package or to a web site', () => {
    const text = readFileSync(join(folder, 'node_modules/latchkey/README.md'), 'utf8');
    const links = [...text.matchAll(/\](?:\(|: )([^)\s]+)/g)].map(([, link]) => link!);

    expect(text).not.toBe(readFileSync(join(ROOT, 'README.md'), 'utf8'));
    expect(text).toContain("from 'latchkey/constructs'");
    expect(links.length).toBeGreaterThan(3);
    expect(links.filter((link) => !link.startsWith('https://') && !paths.includes(link))).toEqual([]);
  });

  it.each([
    ['publint', [join(resolve('publint'), '../cli.js'), 'run', '--strict']],
    [
      'Are the types wrong?',
      [join(resolve('@arethetypeswrong/cli/package.json'), '../dist/index.js'), '--no-definitely-typed'],
    ],
  ])('has no fault that %s finds, without a network', (_, [program, ...options]) => {
    writeFileSync(
      join(folder, 'offline.cjs'),
      `require('node:net').Socket.prototype.connect = () => { console.error('network'); process.exit(9); };`,
    );
    const args = ['--require', './offline.cjs', program!, ...options, tarball()];

    const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' });

    expect({ status, stderr, stdout }).toMatchObject({ status: 0, stderr: '' });
  });

  it('is packed by npm run pack alone, which runs the same script before', () => {
    const npm = (...args: string[]) => spawnSync('npm', args, { cwd: ROOT, encoding: 'utf8' });

    expect(npm('run', 'prepack')).toMatchObject({ status: 0 });
    expect(npm('pack', '--dry-run').stderr).toContain('run: npm run pack');
  });

  it('contains no source map and no path of the build machine', () => {
    const built = paths.filter((path) => path.startsWith('dist/'));
    const telling = built.filter((path) => {
      const text = readFileSync(join(folder, 'node_modules/latchkey', path), 'utf8');
      return [ROOT, homedir(), 'sourceMappingURL'].some((sign) => text.includes(sign));
    });

    expect(built.length).toBeGreaterThan(3);
    expect(paths.filter((path) => path.endsWith('.map'))).toEqual([]);
    expect(telling).toEqual([]);
  });

  it('depends only on the clients of the AWS SDK, and on the CDK if an application has it', () => {
    const { dependencies, peerDependencies, peerDependenciesMeta } = packageDocument();
    const code = readFileSync(join(folder, 'node_modules/latchkey/dist/client/index.js'), 'utf8');
    const required = [...code.matchAll(/\brequire\("([^"]+)"\)/g)].map(([, name]) => name!);

    expect(Object.keys(dependencies!)).toEqual(['@aws-sdk/client-lambda', '@aws-sdk/client-secrets-manager']);
    expect(Object.keys(peerDependencies!)).toEqual(['aws-cdk-lib', 'constructs']);
    expect(peerDependenciesMeta).toEqual({
      'aws-cdk-lib': { optional: true },
      constructs: { optional: true },
    });
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
});

describe('its types', () => {
  const SERVICE = `
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
  const ofAuth0 = { issuer: 'auth0', environment: 'production', tenantId: 't', interface: 'api' };
  void source.getToken({ ...ofAuth0, scope: 'read:users' });
  // @ts-expect-error a scope of the other interface
  void source.getToken({ ...key, scope: 'api/webhooks' });`;
  /** The TypeScript files of all examples, which have the same compiler options, and a service as ES module and as CommonJS. */
  const files: string[] = [];
  let examples: string;
  beforeAll(() => {
    examples = mkdtempSync(join(tmpdir(), 'latchkey-examples-'));
    installPackage(examples, ['@aws-sdk', '@smithy', '@types', 'aws-cdk-lib', 'constructs', 'undici-types']);
    cpSync(join(ROOT, 'examples'), examples, { recursive: true });
    const paths = readdirSync(examples, { encoding: 'utf8' }).flatMap((name) =>
      readdirSync(join(examples, name), { encoding: 'utf8' }).map((file) => join(name, file)),
    );
    files.push(...paths.filter((path) => /\.[cm]?ts$/.test(path)), 'service.mts', 'service.cts');
    for (const file of files.slice(-2)) writeFileSync(join(examples, file), SERVICE);
  });
  afterAll(() => rmSync(examples, { recursive: true }));

  it.each([
    ['TypeScript 5.9', require.resolve('typescript/bin/tsc')],
    ['the newest TypeScript', join(resolve('typescript-newest/package.json'), '../bin/tsc')],
  ])(
    'compile with %s in every example and service, though their declarations are checked too',
    (_, compiler) => {
      const options = ['--noEmit', '--strict', '--skipLibCheck', 'false', '--module', 'nodenext'];
      const args = [compiler, ...options, '--target', 'es2023', '--types', 'node', ...files];

      const { status, stdout } = spawnSync(process.execPath, args, { cwd: examples, encoding: 'utf8' });

      expect(files.length).toBeGreaterThan(8);
      expect({ status, stdout }).toEqual({ status: 0, stdout: '' });
    },
  );
});

describe('its command', () => {
  /** Linked into a project as npm does it, with all code from the built file. */
  const latchkey = (...args: string[]) => {
    const command = join(folder, 'node_modules/.bin/latchkey');
    const env = { PATH: process.env.PATH, HOME: folder };
    const { status, stdout, stderr } = spawnSync(command, args, { cwd: folder, env, encoding: 'utf8' });
    return { status, stdout, stderr };
  };

  it('runs without other packages', () => {
    const code = readFileSync(join(folder, 'node_modules/latchkey/dist/latchkey.js'), 'utf8');
    const required = [...code.matchAll(/\brequire\("([^"]+)"\)/g)].map(([, name]) => name!);

    // The SDK looks for the one and debug for the other, but both work without it.
    expect(new Set(required.filter((name) => !isBuiltin(name)))).toEqual(
      new Set(['@aws-sdk/signature-v4-crt', 'supports-color']),
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

  it('runs the conformance checks, without other packages', async () => {
    const options = { cwd: folder, env: { PATH: process.env.PATH, HOME: folder } };
    const command = join(folder, 'node_modules/.bin/latchkey');
    const code = readFileSync(join(folder, 'node_modules/latchkey/dist/conformance.js'), 'utf8');
    const required = [...code.matchAll(/\brequire\("([^"]+)"\)/g)].map(([, name]) => name!);
    const child = spawn(command, ['sandbox', '--json'], { ...options, stdio: ['ignore', 'pipe', 'inherit'] });
    const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
    const { control, caFile } = JSON.parse(line) as { control: string; caFile: string };
    const agent = new Agent({ ca: readFileSync(caFile) });
    const { subject, credential, apiKey } = await describedTenant(
      controlAt(control, (request) => sendOverHttps(request, agent)),
    );
    writeFileSync(join(folder, 'tenant.json'), JSON.stringify(subject));
    const input = JSON.stringify({ ...credential, apiKey });
    const run = (...args: string[]) =>
      spawnSync(command, ['conformance', ...args], { ...options, encoding: 'utf8', input });

    const examined = run('--target', 'tenant.json', '--ca-file', caFile);
    const untrusted = run('--target', 'tenant.json');
    const noTarget = run();
    child.kill('SIGINT');
    await once(child, 'exit');
    agent.destroy();

    expect(required.filter((name) => !isBuiltin(name))).toEqual([]);
    expect(examined).toMatchObject({ status: 0, stderr: '' });
    expect(examined.stdout).toMatch(/^\d+ checks: [1-9]\d* passed, 0 failed, 0 broken, \d+ not examined$/m);
    expect(untrusted).toMatchObject({ status: 69, stdout: '' });
    expect(noTarget.status).toBe(2);
    expect(noTarget.stderr).toContain('--target: found nothing');
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
});

describe('its third-party code', () => {
  interface Sbom {
    bomFormat: string;
    serialNumber: string;
    metadata: { timestamp: string; component: { name: string; version: string } };
    components: {
      'bom-ref': string;
      purl: string;
      scope: string;
      licenses: object[];
      hashes?: object[];
      properties: { name: string }[];
    }[];
    dependencies: { ref: string; dependsOn: string[] }[];
  }
  const sbomText = () => released(readdirSync(release).find((file) => file.endsWith('.cdx.json'))!);
  const sbom = () => JSON.parse(sbomText()) as Sbom;
  const packagesOf = (texts: string) =>
    [...texts.matchAll(/^(@?[\w./-]+) (\d+\.\d+\.\S+) \([\w.-]+\)$/gm)].map(
      ([, name, version]) => `${name}@${version}`,
    );
  const notices = () =>
    readFileSync(join(folder, 'node_modules/latchkey/dist/THIRD-PARTY-NOTICES.txt'), 'utf8');

  it('contains the license of every bundled package', () => {
    for (const name of ['commander', 'zod', '@clack/prompts', '@aws-sdk/client-lambda', 'hono', 'graphql']) {
      expect(notices()).toMatch(new RegExp(`^${name} \\d+\\.\\d+`, 'm'));
    }
    expect(notices()).not.toMatch(/undefined/);
    const withoutText = notices()
      .split(`\n\n${'-'.repeat(80)}\n\n`)
      .filter((notice) => notice.length < 500);
    expect(withoutText).toEqual([]);
  });

  it('is listed by the file that contains it', () => {
    const [contents] = notices().split(`\n\n${'-'.repeat(80)}\n\n`);
    const listed = Object.fromEntries(
      contents!.split('\n\n').map((part) => {
        const [file, ...packages] = part.split('\n');
        return [file!, [...new Set(packages.map((line) => line.trim().split(' ')[0]!))]];
      }),
    );
    const own = ['dist/constructs/functions/optional/announce.js'];
    const built = paths.filter(
      (path) => /^dist\/(?!laptop\/page\/).*\.m?js$/.test(path) && !own.includes(path),
    );
    // Bundles that are not minified name the file of each part.
    const named = Object.fromEntries(
      built.flatMap((file) => {
        const code = readFileSync(join(folder, 'node_modules/latchkey', file), 'utf8');
        const names = [...code.matchAll(/^ *\/\/ node_modules\/((@[^/\n]+\/)?[^/\n]+)/gm)].map(
          ([, name]) => name!,
        );
        return names.length > 0 ? [[file, [...new Set(names)].sort()]] : [];
      }),
    );

    expect(Object.keys(listed).sort()).toEqual(built.filter((file) => !file.startsWith('dist/client/')));
    expect(listed).toMatchObject(named);
    expect(Object.keys(named)).toContain('dist/constructs/index.js');
    expect(listed['dist/latchkey.js']).toEqual(
      expect.arrayContaining(['commander', '@aws-sdk/client-lambda']),
    );
    expect(listed['dist/sandbox.js']).toEqual(expect.arrayContaining(['hono', 'graphql']));
    expect(listed['dist/constructs/functions/restore/handler.js']).toContain(
      '@aws-sdk/client-secrets-manager',
    );
  });

  it('is listed with all packages of the lock file in a CycloneDX document', () => {
    const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
      packages: Record<string, { name?: string; version: string; link?: true }>;
    };
    const locked = Object.entries(packages)
      .filter(([path, { link }]) => path !== '' && !link)
      .map(
        ([path, { name, version }]) =>
          `${name ?? path.replace(/^.*(node_modules|packages)\//, '')}@${version}`,
      );
    const { bomFormat, serialNumber, metadata, components, dependencies } = sbom();
    const references = components.map((component) => component['bom-ref']);
    const { name: own, version } = packageDocument();

    expect(bomFormat).toBe('CycloneDX');
    expect(serialNumber).toMatch(/^urn:uuid:[\da-f]{8}-[\da-f]{4}-8[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
    expect(metadata.component).toMatchObject({ name: own, version });
    expect(references.sort()).toEqual([...new Set(locked)].sort());
    expect(components.filter(({ purl, licenses }) => !purl || !licenses[0])).toEqual([]);
    // Only what is inside another package, and this project's own packages, has no checksum.
    const withoutHash = components.filter(({ hashes }) => hashes === undefined);
    expect(
      withoutHash.filter(
        ({ properties }) => !properties.some(({ name }) => /^cdx:npm:package:(bundled|private)$/.test(name)),
      ),
    ).toEqual([]);
    const known = new Set([...references, `${own as string}@${version as string}`]);
    expect(
      dependencies.flatMap(({ ref, dependsOn }) => [ref, ...dependsOn]).filter((ref) => !known.has(ref)),
    ).toEqual([]);
  });

  it('is distinguished there from packages that only build and test it', () => {
    const { components } = sbom();
    const inPrograms = components.filter(({ properties }) =>
      properties.some(({ name }) => name === 'latchkey:bundled'),
    );
    const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
      packages: Record<string, { version: string }>;
    };
    const scopeOf = (name: string) => {
      const reference = `${name}@${packages[`node_modules/${name}`]!.version}`;
      return components.find((each) => each['bom-ref'] === reference)!.scope;
    };

    expect(inPrograms.map((component) => component['bom-ref']).sort()).toEqual(
      [...new Set(packagesOf(notices()))].sort(),
    );
    expect(new Set(inPrograms.map(({ scope }) => scope))).toEqual(new Set(['required']));
    // A checkout's first `npm start` installs them.
    expect(
      inPrograms.filter(({ properties }) =>
        properties.some(({ name }) => name === 'cdx:npm:package:development'),
      ),
    ).toEqual([]);
    expect(['@aws-sdk/client-lambda', 'tslib', 'commander', 'aws-cdk', 'jest'].map(scopeOf)).toEqual([
      'required',
      'required',
      'required',
      'excluded',
      'excluded',
    ]);
  });

  it('is listed without a path of the build machine, or the address that a package came from', () => {
    expect(
      [ROOT, homedir(), tmpdir(), 'distribution', '.tgz'].filter((sign) => sbomText().includes(sign)),
    ).toEqual([]);
  });
});

describe('its release', () => {
  it('has the checksum of each file', () => {
    const files = readdirSync(release).filter((file) => file !== 'SHA256SUMS');

    const { version } = packageDocument();

    expect(files.sort()).toEqual(
      ['.cdx.json', '.tgz'].map((ending) => `latchkey-${version as string}${ending}`),
    );
    expect(released('SHA256SUMS')).toBe(
      files
        .map(
          (file) =>
            `${createHash('sha256')
              .update(readFileSync(join(release, file)))
              .digest('hex')}  ${file}\n`,
        )
        .join(''),
    );
  });

  it('consists of the same bytes if built again', () => {
    const again = mkdtempSync(join(tmpdir(), 'latchkey-release-'));
    writeRelease(again);
    const sums = readFileSync(join(again, 'SHA256SUMS'), 'utf8');
    rmSync(again, { recursive: true });

    expect(sums).toBe(released('SHA256SUMS'));
  });

  it('is not written into a folder with other files', () => {
    expect(writeRelease(release)).toMatchObject({
      status: 1,
      stderr: `folder: found files in ${release}; allowed: an empty folder\n`,
    });
  });
});
