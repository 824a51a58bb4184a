import { z } from 'zod';

import { type ConfigurationIssue } from './configuration-issue';

/** A JSON object of a configuration file. */
export type JsonObject = Readonly<Record<string, unknown>>;

/**
 * Turns a file of one version into one of the next. Pure, and leaves what it does not know as it is: the file may have
 * faults, which are reported afterwards.
 */
export type Migration = (configuration: JsonObject) => JsonObject;

/**
 * The migration from version n to n + 1, at index n. A field that is renamed or moved gets a new one at the end; a new field
 * needs none. Files of version 0, which named no version, have the fields of version 1.
 */
const MIGRATIONS: readonly Migration[] = [(configuration) => configuration];

/** The version of the file that `latchkey init` writes. */
export const CONFIGURATION_VERSION = MIGRATIONS.length;

const VERSION_RULE = `a whole number from 0 to ${CONFIGURATION_VERSION}`;

export const version = z
  .int({ error: VERSION_RULE })
  .min(0, { error: VERSION_RULE })
  .max(CONFIGURATION_VERSION, { error: VERSION_RULE })
  .optional()
  .describe(
    `Version of the file’s form. Older ones are accepted: latchkey init --upgrade writes version ${CONFIGURATION_VERSION}. Default: 0, the form before versions.`,
  );

/** A configuration in the form of the newest version. */
export interface MigratedConfiguration {
  readonly value: unknown;
  /** The version of the file; that of the newest if the field is malformed, which the schema reports. */
  readonly from: number;
  readonly to: number;
}

/** The configuration in the form of the newest version, which it names. */
export function migrated(value: unknown, migrations = MIGRATIONS): MigratedConfiguration {
  const to = migrations.length;
  const from = versionOf(value);
  if (from === undefined || from >= to) return { value, from: from ?? to, to };
  const configuration = migrations.slice(from).reduce((each, migrate) => migrate(each), value as JsonObject);
  return { value: versioned(configuration, to), from, to };
}

/** Names the version in the first field, or in the one after `$schema`. */
function versioned(configuration: JsonObject, to: number): JsonObject {
  const fields = Object.entries(configuration).filter(([name]) => name !== 'version');
  const first = fields[0]?.[0] === '$schema' ? 1 : 0;
  return Object.fromEntries([...fields.slice(0, first), ['version', to], ...fields.slice(first)]);
}

/** What is wrong if a newer Latchkey wrote the file: no other fault says anything then. */
export function newerVersionIssue(value: unknown): ConfigurationIssue | undefined {
  const found = versionOf(value) ?? 0;
  if (found <= CONFIGURATION_VERSION) return undefined;
  const allowed = `${VERSION_RULE}. A newer Latchkey wrote this file: update Latchkey`;
  return { path: ['version'], found, allowed };
}

function versionOf(value: unknown): number | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const { version: found = 0 } = value as { version?: unknown };
  return Number.isInteger(found) && (found as number) >= 0 ? (found as number) : undefined;
}
