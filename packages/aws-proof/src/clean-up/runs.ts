import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { z } from 'zod';

import { type Place } from '../ports';

/** Begins the prefix of every run. Random digits end it, so that no other name in an account begins with it. */
export const RUN_PREFIX = 'prove-';
const PREFIX = new RegExp(`^${RUN_PREFIX}[0-9a-f]{8}$`);

/** Whether a text can be the prefix of a run, so that what begins with it is the run's. */
export const isRunPrefix = (text: string): boolean => PREFIX.test(text);

const recordSchema = z.object({
  prefix: z.string().regex(PREFIX),
  accountId: z.string(),
  region: z.string(),
  /** ISO 8601, UTC. */
  createdAt: z.string(),
  /** KMS keys of the run's stacks, which outlive them. AWS gives keys no names. */
  keyIds: z.array(z.string()).default([]),
  /** ARN of who began it. */
  owner: z.string().optional(),
  /** The process that works on it. */
  pid: z.number().optional(),
});

/** What the removal of a run needs to know. It has no secret. */
export type RunRecord = Readonly<z.output<typeof recordSchema>>;

export type RunRecords = ReturnType<typeof runRecords>;

/** The records of runs that are not cleaned up, one file each: `PREFIX.json`. @param dir made when it is needed */
export function runRecords(dir: string) {
  const fileOf = (prefix: string) => join(dir, `${prefix}.json`);
  const read = (name: string) => {
    try {
      const record = recordSchema.parse(JSON.parse(readFileSync(join(dir, name), 'utf8')));
      return name === `${record.prefix}.json` ? [record] : [];
    } catch {
      return [];
    }
  };
  return {
    /** Call it before anything is created. */
    save: (record: RunRecord): void => {
      mkdirSync(dir, { recursive: true, mode: 0o700 });
      writeFileSync(fileOf(record.prefix), `${JSON.stringify(record, null, 2)}\n`, { mode: 0o600 });
    },
    /** The records of an account and region, the latest last. Other files are ignored. */
    list: ({ accountId, region }: Pick<Place, 'accountId' | 'region'>): RunRecord[] =>
      (existsSync(dir) ? readdirSync(dir) : [])
        .flatMap(read)
        .filter((record) => record.accountId === accountId && record.region === region)
        .sort((a, b) => (a.createdAt < b.createdAt ? -1 : 1)),
    remove: (prefix: string): void => rmSync(fileOf(prefix), { force: true }),
  };
}

/** What AWS puts before the name that a run has chosen. */
const BEFORE = /^(?:\/aws\/lambda\/|alias\/|\/)/;

/** The prefix of the run that a name is of: alone or before a separator. */
export const runPrefixIn = (name: string): string | undefined =>
  new RegExp(`^(${RUN_PREFIX}[0-9a-f]{8})(?:$|[-/_.])`).exec(name.replace(BEFORE, ''))?.[1];

/**
 * Whether something is the run's: by its name, or as one of its keys. A tag does not decide: anybody who may tag a resource could
 * have it deleted.
 */
export const isOfRun = (name: string, { prefix, keyIds }: Pick<RunRecord, 'prefix' | 'keyIds'>): boolean =>
  keyIds.includes(name) || runPrefixIn(name) === prefix;
