import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { type IssuerProfile } from '../../core/issuers/issuer-profile';

/**
 * The folder of the shipped profiles, at the same path in a checkout and in the package. This code is two folders below the
 * root as a source, in the constructs and in the CDK app of a checkout, and one folder below it in the command.
 */
const SHELF = ['../..', '..']
  .map((root) => join(__dirname, root, 'core/issuers/shelf'))
  .find((folder) => existsSync(folder));
const EXTENSION = '.json';

/** The names of the shipped profiles, in order. */
export function shelfNames(): string[] {
  if (SHELF === undefined) return [];
  return readdirSync(SHELF)
    .filter((file) => file.endsWith(EXTENSION))
    .map((file) => file.slice(0, -EXTENSION.length))
    .sort();
}

/** A shipped profile by its name, with its sources. It is not checked against the schema. */
export function readShelfProfile(name: string): IssuerProfile | undefined {
  if (SHELF === undefined || !shelfNames().includes(name)) return undefined;
  return JSON.parse(readFileSync(join(SHELF, `${name}${EXTENSION}`), 'utf8')) as IssuerProfile;
}
