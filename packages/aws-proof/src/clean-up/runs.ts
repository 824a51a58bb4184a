import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { z } from 'zod';

import { type AwsLocation } from '../ports';

/** What the prefix of every run begins with. Eight random digits follow. */
export const RUN_PREFIX = 'prove-';
const PREFIX = `${RUN_PREFIX}[0-9a-f]{8}`;
const WHOLE_PREFIX = new RegExp(`^${PREFIX}$`);
const BEFORE_SEPARATOR = new RegExp(`^(${PREFIX})(?:$|[-/_.])`);

/** Whether a text has the form of a run's prefix. */
export const isRunPrefix = (text: string): boolean => WHOLE_PREFIX.test(text);

/** The prefix of a new run. All prefixes have the same length, so none is the beginning of another. */
export const newPrefix = (): string => `${RUN_PREFIX}${randomBytes(4).toString('hex')}`;

const recordSchema = z.object({
  prefix: z.string().regex(WHOLE_PREFIX),
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
    list: ({ accountId, region }: Pick<AwsLocation, 'accountId' | 'region'>): RunRecord[] =>
      (existsSync(dir) ? readdirSync(dir) : [])
        .flatMap(read)
        .filter((record) => record.accountId === accountId && record.region === region)
        .sort((a, b) => (a.createdAt < b.createdAt ? -1 : 1)),
    remove: (prefix: string): void => rmSync(fileOf(prefix), { force: true }),
  };
}

/** What AWS puts in front of a name. */
const AWS_PREFIX = /^(?:\/aws\/lambda\/|alias\/|\/)/;

/** The run's prefix that a name consists of or begins with; undefined if it has none. */
export const runPrefixIn = (name: string): string | undefined =>
  BEFORE_SEPARATOR.exec(name.replace(AWS_PREFIX, ''))?.[1];

/**
 * Whether something is the run's: by its name, or as one of its keys. A tag does not decide: anybody who may tag a resource could
 * have it deleted.
 */
export const isOfRun = (name: string, { prefix, keyIds }: Pick<RunRecord, 'prefix' | 'keyIds'>): boolean =>
  keyIds.includes(name) || runPrefixIn(name) === prefix;
