import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { hash } from 'node:crypto';
import { once } from 'node:events';
import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { Agent } from 'node:https';
import { isBuiltin } from 'node:module';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

import { shelfNames } from '../../lib/options/issuer-shelf';
import { controlAt, describedTenant, sendOverHttps } from 'learning-platform-sandbox/testing';
import { installPackage, releaseFolder, tarball, writeRelease } from '../support/installed-package';
import { newFolder } from '../support/new-folder';
import { requireInstalled } from '../support/require-installed';

const ROOT = join(__dirname, '../..');
const { resolve } = requireInstalled('test/packaging');
jest.setTimeout(180_000);

/** A project with the package installed. */
const folder = newFolder();
let release: string;
let paths: string[];

const installed = (file: string) => readFileSync(join(folder, 'node_modules/latchkey', file), 'utf8');
const released = (file: string) => readFileSync(join(release, file), 'utf8');
const packageDocument = () => JSON.parse(installed('package.json')) as Record<string, unknown>;

beforeAll(() => {
  release = releaseFolder();
  paths = execFileSync('tar', ['-tzf', tarball()], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .map((path) => path.replace('package/', ''))
    .sort();
  installPackage(folder, ['@aws-sdk', '@smithy', '@types', 'aws-cdk-lib', 'constructs', 'undici-types']);
});

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

  it('has a README of its own, whose links lead into the package or to a web site', () => {
    const text = installed('README.md');
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
      const text = installed(path);
      return [ROOT, homedir(), 'sourceMappingURL'].some((sign) => text.includes(sign));
    });

    expect(built.length).toBeGreaterThan(3);
    expect(paths.filter((path) => path.endsWith('.map'))).toEqual([]);
    expect(telling).toEqual([]);
  });

  it('depends only on the clients of the AWS SDK, and on the CDK if an application has it', () => {
    const { dependencies, peerDependencies, peerDependenciesMeta } = packageDocument();

    expect(Object.keys(dependencies!)).toEqual(['@aws-sdk/client-lambda', '@aws-sdk/client-secrets-manager']);
    expect(Object.keys(peerDependencies!)).toEqual(['aws-cdk-lib', 'constructs']);
    expect(peerDependenciesMeta).toEqual({
      'aws-cdk-lib': { optional: true },
      constructs: { optional: true },
    });
  });

  it.each([
    ['client/index', ['@aws-sdk/client-lambda', '@aws-sdk/client-secrets-manager']],
    ['constructs/index', ['aws-cdk-lib', 'constructs']],
    // The SDK looks for the one and debug for the other, but both work without it.
    ['latchkey', ['@aws-sdk/signature-v4-crt', 'supports-color']],
    ['sandbox', []],
    ['conformance', []],
  ])('needs in dist/%s.js no other packages than %j', (name, packages) => {
    const code = installed(`dist/${name}.js`);
    const required = [...code.matchAll(/\brequire\("(@[^/"]+\/[^/"]+|[^@/"]+)[^"]*"\)/g)].map(
      ([, each]) => each!,
    );

    expect([...new Set(required.filter((each) => !isBuiltin(each)))].sort()).toEqual(packages);
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

    const printed = execFileSync(process.execPath, ['both.mjs'], { cwd: folder, encoding: 'utf8' });

    expect(printed).toBe('store_unavailable true true\nstore_unavailable true true\nfalse\n');
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
  const files = ['service.mts', 'service.cts'];
  const examples = join(folder, 'examples');
  beforeAll(() => {
    cpSync(join(ROOT, 'examples'), examples, { recursive: true });
    for (const file of files) writeFileSync(join(examples, file), SERVICE);
    const written = readdirSync(examples, { encoding: 'utf8', recursive: true });
    files.push(...written.filter((path) => /^[^/]+\/[^/]+\.[cm]?ts$/.test(path)));
  });

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
  const command = join(folder, 'node_modules/.bin/latchkey');
  const options = { cwd: folder, env: { PATH: process.env.PATH, HOME: folder } };
  const latchkey = (args: string[], input = '') => {
    const { status, stdout, stderr } = spawnSync(command, args, { ...options, input, encoding: 'utf8' });
    return { status, stdout, stderr };
  };

  it('runs the sandbox and the conformance checks, and leaves nothing behind', async () => {
    const before = readdirSync(folder, { recursive: true });
    const child = spawn(command, ['sandbox', '--json'], { ...options, stdio: ['ignore', 'pipe', 'inherit'] });
    const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
    const { control, caFile } = JSON.parse(line) as { control: string; caFile: string };
    const agent = new Agent({ ca: readFileSync(caFile) });
    const { subject, credential, apiKey } = await describedTenant(
      controlAt(control, (request) => sendOverHttps(request, agent)),
    );
    const target = join(newFolder(), 'tenant.json');
    writeFileSync(target, JSON.stringify(subject));

    const args = ['conformance', '--target', target, '--ca-file', caFile];
    const examined = latchkey(args, JSON.stringify({ ...credential, apiKey }));
    child.kill('SIGINT');
    const [exitCode] = (await once(child, 'exit')) as unknown[];
    agent.destroy();

    expect(examined).toMatchObject({ status: 0, stderr: '' });
    expect(examined.stdout).toMatch(/^\d+ checks: [1-9]\d* passed, 0 failed, 0 broken, \d+ not examined$/m);
    expect(exitCode).toBe(0);
    expect(readdirSync(folder, { recursive: true })).toEqual(before);
  });

  it('prints its help, its version and the profiles that it has', () => {
    const { version } = packageDocument();

    const help = latchkey(['--help']);

    expect(help).toMatchObject({ status: 0, stderr: '' });
    expect(help.stdout).toContain('latchkey credentials put');
    expect(latchkey(['issuer', 'list']).stdout).toContain('auth0');
    expect(latchkey(['--version'])).toEqual({ status: 0, stdout: `${version as string}\n`, stderr: '' });
  });
});

describe('its third-party code', () => {
  interface Sbom {
    bomFormat: string;
    serialNumber: string;
    metadata: { component: object };
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
  const parts = () => installed('dist/THIRD-PARTY-NOTICES.txt').split(`\n\n${'-'.repeat(80)}\n\n`);

  it('contains the license of every bundled package', () => {
    const notices = parts();

    for (const name of ['commander', 'zod', '@clack/prompts', '@aws-sdk/client-lambda', 'hono', 'graphql']) {
      expect(notices.join('\n\n')).toMatch(new RegExp(`^${name} \\d+\\.\\d+`, 'm'));
    }
    expect(notices.join()).not.toMatch(/undefined/);
    expect(notices.filter(({ length }) => length < 500)).toEqual([]);
  });

  it('is listed by the file that contains it', () => {
    const [contents] = parts();
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
        const names = [...installed(file).matchAll(/^ *\/\/ node_modules\/((@[^/\n]+\/)?[^/\n]+)/gm)].map(
          ([, name]) => name!,
        );
        return names.length > 0 ? [[file, [...new Set(names)].sort()]] : [];
      }),
    );

    expect(Object.keys(listed).sort()).toEqual(built.filter((file) => !file.startsWith('dist/client/')));
    expect(listed).toMatchObject(named);
    expect(Object.keys(named)).toContain('dist/constructs/index.js');
    expect(listed['dist/sandbox.js']).toEqual(expect.arrayContaining(['hono', 'graphql']));
  });

  const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { name?: string; version: string; link?: true }>;
  };
  const hasProperty = (component: Sbom['components'][number], name: RegExp) =>
    component.properties.some((property) => name.test(property.name));

  it('is listed with all packages of the lock file in a CycloneDX document', () => {
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
    expect(withoutHash.filter((each) => !hasProperty(each, /^cdx:npm:package:(bundled|private)$/))).toEqual(
      [],
    );
    const known = new Set([...references, `${own as string}@${version as string}`]);
    const named = dependencies.flatMap(({ ref, dependsOn }) => [ref, ...dependsOn]);
    expect(named.filter((ref) => !known.has(ref))).toEqual([]);
  });

  it('is distinguished there from packages that only build and test it', () => {
    const { components } = sbom();
    const inPrograms = components.filter((each) => hasProperty(each, /^latchkey:bundled$/));
    const scopeOf = (name: string) => {
      const reference = `${name}@${packages[`node_modules/${name}`]!.version}`;
      return components.find((each) => each['bom-ref'] === reference)!.scope;
    };

    expect(inPrograms.map((component) => component['bom-ref']).sort()).toEqual(
      [...new Set(packagesOf(parts().join('\n\n')))].sort(),
    );
    expect(new Set(inPrograms.map(({ scope }) => scope))).toEqual(new Set(['required']));
    // A checkout's first `npm start` installs them.
    expect(inPrograms.filter((each) => hasProperty(each, /^cdx:npm:package:development$/))).toEqual([]);
    expect(['aws-cdk', 'jest'].map(scopeOf)).toEqual(['excluded', 'excluded']);
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
    const sumOf = (file: string) => hash('sha256', readFileSync(join(release, file)));
    expect(released('SHA256SUMS')).toBe(files.map((file) => `${sumOf(file)}  ${file}\n`).join(''));
  });

  it('consists of the same bytes if built again', () => {
    const again = newFolder();
    writeRelease(again);

    expect(readFileSync(join(again, 'SHA256SUMS'), 'utf8')).toBe(released('SHA256SUMS'));
  });

  it('is not written into a folder with other files', () => {
    expect(writeRelease(release)).toMatchObject({
      status: 1,
      stderr: `folder: found files in ${release}; allowed: an empty folder\n`,
    });
  });
});
