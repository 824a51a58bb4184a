import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { type Bundle } from './bundles';

const ROOT = join(__dirname, '../..');

interface NpmPackage {
  readonly name: string;
  readonly version: string;
  readonly license: string;
}

/** The package in a folder of `node_modules`. */
export function packageAt(folder: string): NpmPackage {
  return JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8')) as NpmPackage;
}

/**
 * What must be distributed with the built files: the npm packages in each, then the licenses of all. Each text appears once.
 * @throws {Error} if a package has no text of its license
 */
export function noticesOf(bundles: readonly Bundle[]): string {
  const contents = bundles
    .filter(({ packages }) => packages.length > 0)
    .map(({ file, packages }) => [file, ...packages.map((folder) => `  ${titleOf(folder)}`)].join('\n'));
  const titlesOf = new Map<string, string[]>();
  for (const folder of [...new Set(bundles.flatMap(({ packages }) => packages))].sort()) {
    const text = licenseText(folder);
    titlesOf.set(text, [...(titlesOf.get(text) ?? []), `${titleOf(folder)} (${packageAt(folder).license})`]);
  }
  const notices = [...titlesOf].map(([text, titles]) => `${titles.join('\n')}\n\n${text}`);
  return [contents.join('\n\n'), ...notices].join(`\n\n${'-'.repeat(80)}\n\n`);
}

function titleOf(folder: string): string {
  const { name, version } = packageAt(folder);
  return `${name} ${version}`;
}

/** Packages that contain no text of their license, and where one of the same authors has it. */
const LICENSED_AS: Readonly<Record<string, string>> = {
  '@hono/zod-openapi': 'node_modules/hono',
  '@hono/zod-validator': 'node_modules/hono',
};

/** The texts that a package wants distributed. Some packages of the AWS SDK contain none: our own has the same license. */
function licenseText(folder: string): string {
  const files = readdirSync(join(ROOT, folder)).filter((each) => /^(licen[cs]e|notice|copying)/i.test(each));
  if (files.length > 0) {
    return files.map((file) => readFileSync(join(ROOT, folder, file), 'utf8').trim()).join('\n\n');
  }
  const { name, license } = packageAt(folder);
  const sameAuthors = LICENSED_AS[name];
  if (sameAuthors !== undefined) return licenseText(sameAuthors);
  if (license !== 'Apache-2.0') throw new Error(`${folder} has no text of its license, ${license}`);
  return readFileSync(join(ROOT, 'LICENSE'), 'utf8').trim();
}
