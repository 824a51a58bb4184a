import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { sha256Hex } from '../../core/secrets/sha256';
import { type Bundle, buildBundles } from './bundles';
import { packageAt } from './notices';
import { INSTALLED } from './package';

const ROOT = join(__dirname, '../..');

interface Property {
  name: string;
  value: string;
}

interface Component {
  'bom-ref': string;
  name: string;
  version: string;
  scope: 'required' | 'optional' | 'excluded';
  properties: Property[];
  externalReferences: { type: string; url: string }[];
}

/** A software bill of materials. @see https://cyclonedx.org/docs/1.5/json/ */
interface Sbom {
  serialNumber: string;
  metadata: { timestamp: string; component: Component };
  components: Component[];
  dependencies: { ref: string; dependsOn: string[] }[];
}

/**
 * Returns the packages of the lock file as a CycloneDX document, the same for the same commit, machine or folder. Those in
 * the built files, and those that npm installs with them, have the scope `required`; all others build and test them or run in a
 * checkout, and have the scope `excluded`.
 * @throws {Error} if npm or git fails
 */
export function sbom(bundles: readonly Bundle[]): Sbom {
  const folders = bundles.flatMap(({ packages }) => packages);
  const bundled = new Set(folders.map(packageAt).map(({ name, version }) => `${name}@${version}`));
  const { metadata, components, ...document } = fromLockFile();
  const installed = installedBy(document.dependencies, metadata.component['bom-ref']);
  const described = {
    ...document,
    // npm makes up a random number.
    serialNumber: '',
    metadata: {
      ...metadata,
      timestamp: commitTime(),
      // npm takes the name of the folder.
      component: { ...metadata.component, name: packageName() },
    },
    components: components.map((component) => withScope(component, bundled, installed)),
  };
  return { ...described, serialNumber: `urn:uuid:${uuidOf(JSON.stringify(described))}` };
}

/** References of the packages that npm installs with the package, and of those that they need. */
function installedBy(dependencies: Sbom['dependencies'], project: string): Set<string> {
  const neededBy = new Map(dependencies.map(({ ref, dependsOn }) => [ref, dependsOn]));
  const installed = new Set(
    neededBy.get(project)!.filter((ref) => INSTALLED.some((name) => ref.startsWith(`${name}@`))),
  );
  // A set also visits what is added meanwhile.
  for (const ref of installed) neededBy.get(ref)?.forEach((each) => installed.add(each));
  return installed;
}

function withScope(component: Component, bundled: Set<string>, installed: Set<string>): Component {
  const isBundled = bundled.has(component['bom-ref']);
  return {
    ...component,
    scope: isBundled || installed.has(component['bom-ref']) ? 'required' : 'excluded',
    properties: [
      ...component.properties,
      ...(isBundled ? [{ name: 'latchkey:bundled', value: 'true' }] : []),
    ],
    // Where it was downloaded from, which can be a mirror.
    externalReferences: component.externalReferences.filter(({ type }) => type !== 'distribution'),
  };
}

/** The lock file has all packages, while `node_modules` lacks those for other platforms. */
function fromLockFile(): Sbom {
  const args = [
    'sbom',
    '--sbom-format=cyclonedx',
    '--package-lock-only',
    '--include=dev',
    '--loglevel=error',
  ];
  const text = execFileSync('npm', args, {
    cwd: ROOT,
    encoding: 'utf8',
    maxBuffer: 1e8,
    shell: process.platform === 'win32',
  });
  return JSON.parse(text) as Sbom;
}

const packageName = (): string =>
  (JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { name: string }).name;

/** @see https://reproducible-builds.org/specs/source-date-epoch/ */
function commitTime(): string {
  const seconds =
    process.env.SOURCE_DATE_EPOCH ??
    execFileSync('git', ['log', '-1', '--format=%ct'], { cwd: ROOT, encoding: 'utf8' });
  return new Date(Number(seconds) * 1000).toISOString();
}

/** A version 8 UUID. @see https://www.rfc-editor.org/rfc/rfc9562#section-5.8 */
function uuidOf(text: string): string {
  const hex = sha256Hex(text);
  const variant = ((Number.parseInt(hex[16]!, 16) & 0b11) | 0b1000).toString(16);
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `${variant}${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-');
}

if (require.main === module) console.log(JSON.stringify(sbom(buildBundles()), null, 2));
