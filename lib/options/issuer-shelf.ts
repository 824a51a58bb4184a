import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { type IssuerProfile } from '../../core/issuers/issuer-profile';

/**
 * The folder of the shipped profiles, which has the same path below the root of a checkout and of the package. This code is one
 * folder below that root in the command, and two folders below it everywhere else.
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
