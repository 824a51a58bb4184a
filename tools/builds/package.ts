/**
 * `npm run build:package`: writes what is published into `dist/package/`, which `npm run pack` packs. It is a folder of its
 * own because npm packs the README of a folder, and the project's README is not for those who install the package.
 */
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { type Bundle, buildBundles } from './bundles';
import { noticesOf } from './notices';
import { publicTypes } from './public-types';

const ROOT = join(__dirname, '../..');
/** What `exports` in `package.json` offers to programs, and its sources. */
export const ENTRIES = {
  client: 'client/index',
  constructs: 'lib/index',
  sandbox: 'packages/learning-platform-sandbox/src/index',
};
/** Files and folders that are packed as they are. */
const OWN_FILES = ['CHANGELOG.md', 'LICENSE', 'bin/latchkey.cjs', 'core/issuers/shelf'];
/** What the built host finds beside itself. */
const BESIDE_HOST = ['dist/laptop/bootstrap.cjs', 'dist/laptop/page'];
/** Packages that npm installs with the package. Its built files contain the project's other dependencies. */
export const INSTALLED = ['@aws-sdk/client-lambda', '@aws-sdk/client-secrets-manager'];
/** Fields of `package.json` that only the project itself uses. */
const OWN_FIELDS = ['private', 'workspaces', 'scripts', 'devDependencies', 'allowScripts', 'overrides'];

interface PackageDocument {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly peerDependencies: Readonly<Record<string, string>>;
}

/**
 * Writes the package into a folder. Returns the built files in it.
 * @throws {Error} if a build fails
 */
export function buildPackage(folder: string): Bundle[] {
  const write = (file: string, contents: string | Uint8Array) => {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), contents);
  };
  const document = projectDocument();
  const dependencies = Object.fromEntries(INSTALLED.map((name) => [name, document.dependencies[name]!]));
  const published = Object.entries({ ...document, dependencies }).filter(
    ([field]) => !OWN_FIELDS.includes(field),
  );
  write('package.json', `${JSON.stringify(Object.fromEntries(published), null, 2)}\n`);
  write('README.md', readFileSync(join(__dirname, 'package-readme.md')));
  for (const file of OWN_FILES) cpSync(join(ROOT, file), join(folder, file), { recursive: true });

  const bundles = buildBundles();
  for (const { file, contents } of bundles) write(file, contents);
  for (const file of BESIDE_HOST) cpSync(join(ROOT, file), join(folder, file), { recursive: true });
  write('dist/THIRD-PARTY-NOTICES.txt', noticesOf(bundles));

  for (const [file, text] of packageTypes()) write(join('dist/types', file), text);
  for (const [name, entry] of Object.entries(ENTRIES)) {
    write(`dist/${name}/index.d.ts`, `export * from '../types/${entry}';\n`);
  }
  write('dist/client/index.d.mts', `export * from './index.js';\n`);
  return bundles;
}

/** The declarations that users of the package get, by path from the project's root. @throws {Error} as {@link publicTypes} does */
export function packageTypes(): Map<string, string> {
  const packages = [...INSTALLED, ...Object.keys(projectDocument().peerDependencies)];
  return publicTypes(Object.values(ENTRIES), packages);
}

const projectDocument = (): PackageDocument =>
  JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as PackageDocument;

if (require.main === module) {
  const folder = join(ROOT, 'dist/package');
  rmSync(folder, { recursive: true, force: true });
  buildPackage(folder);
}
