import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
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

/** The records of runs that are not cleaned up, one file each: `PREFIX.json`. */
export class RunRecords {
  readonly #dir: string;

  /** @param dir made when it is needed */
  constructor(dir: string) {
    this.#dir = dir;
  }

  /** Call it before anything is created. */
  save(record: RunRecord): void {
    if (!isRunPrefix(record.prefix)) throw new TypeError('not the prefix of a run');
    mkdirSync(this.#dir, { recursive: true, mode: 0o700 });
    writeFileSync(this.#file(record.prefix), `${JSON.stringify(record, null, 2)}\n`, { mode: 0o600 });
  }

  /** The records of an account and region, the latest last. Other files are ignored. */
  list({ accountId, region }: Pick<Place, 'accountId' | 'region'>): RunRecord[] {
    return this.#names()
      .flatMap((name) => this.#read(name) ?? [])
      .filter((record) => record.accountId === accountId && record.region === region)
      .sort((a, b) => (a.createdAt < b.createdAt ? -1 : 1));
  }

  remove(prefix: string): void {
    rmSync(this.#file(prefix), { force: true });
  }

  #file(prefix: string): string {
    return join(this.#dir, `${prefix}.json`);
  }

  #names(): string[] {
    try {
      return readdirSync(this.#dir).filter((name) => name.endsWith('.json'));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
      throw error;
    }
  }

  #read(name: string): RunRecord | undefined {
    try {
      const record = recordSchema.parse(JSON.parse(readFileSync(join(this.#dir, name), 'utf8')));
      return name === `${record.prefix}.json` ? record : undefined;
    } catch {
      return undefined;
    }
  }
}

/** What AWS puts before the name that a run has chosen. */
const BEFORE = /^(?:\/aws\/lambda\/|alias\/|\/)/;

/**
 * Whether a name is the run's: the prefix as a whole, alone or before a separator; or one of its keys. A tag does not decide:
 * anybody who may tag a resource could have it deleted.
 */
export function isOfRun(name: string, { prefix, keyIds }: Pick<RunRecord, 'prefix' | 'keyIds'>): boolean {
  if (keyIds.includes(name)) return true;
  const chosen = name.replace(BEFORE, '');
  return chosen.startsWith(prefix) && /^(?:$|[-/_.])/.test(chosen.slice(prefix.length));
}

/** The prefix of the run that a name is of, if it is of one. */
export function runPrefixIn(name: string): string | undefined {
  const prefix = /^prove-[a-z0-9]+/.exec(name.replace(BEFORE, ''))?.[0];
  return prefix !== undefined && isRunPrefix(prefix) && isOfRun(name, { prefix, keyIds: [] })
    ? prefix
    : undefined;
}

/** A run that is found in an account. */
export interface FoundRun extends RunRecord {
  /** Whether this machine has its record: somebody else's has none here. */
  readonly isRecorded: boolean;
}

/** Why a run is removed only if it is named; undefined if it is not. @param isAlive whether a process runs */
export function mustBeNamed(
  { isRecorded, pid }: Pick<FoundRun, 'isRecorded' | 'pid'>,
  isAlive: (pid: number) => boolean,
): string | undefined {
  if (!isRecorded) return 'it has no record here, so it may be somebody else’s';
  return pid !== undefined && isAlive(pid) ? `its process ${pid} is still running` : undefined;
}
