import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { isJsonObject } from '../contract/json-object';
import { type Place } from '../probes/system';

/** Begins the prefix of every run. */
export const RUN_PREFIX = 'prove-';
/** Random digits end it, so that no other name in an account begins with it. */
const PREFIX = new RegExp(`^${RUN_PREFIX}[0-9a-f]{8}$`);

/** What the removal of a run needs to know. It has no secret. */
export interface RunRecord {
  readonly prefix: string;
  readonly accountId: string;
  readonly region: string;
  /** ISO 8601, UTC. */
  readonly createdAt: string;
  /** REST APIs of the run's stacks: their execution logs have the names of the APIs' ids, not the run's prefix. */
  readonly restApiIds: readonly string[];
  /** KMS keys of the run's stacks, which outlive them. */
  readonly keyIds: readonly string[];
  /** ARN of who began it. */
  readonly owner?: string;
  /** The process that works on it. */
  readonly pid?: number;
}

/** Whether a text can be the prefix of a run, so that what begins with it is the run's. */
export function isRunPrefix(text: string): boolean {
  return PREFIX.test(text);
}

/** The records of runs that are not cleaned up, one file each: `PREFIX.json`. */
export class RunRecords {
  readonly #dir: string;

  /** @param dir made when it is needed */
  constructor(dir: string) {
    this.#dir = dir;
  }

  /** Writes a record whole or not at all. Call it before anything is created. */
  save(record: RunRecord): void {
    if (!isRunPrefix(record.prefix)) throw new TypeError('not the prefix of a run');
    mkdirSync(this.#dir, { recursive: true, mode: 0o700 });
    const file = this.#file(record.prefix);
    const written = `${file}.${process.pid}`;
    try {
      writeFileSync(written, `${JSON.stringify(record, null, 2)}\n`, { mode: 0o600 });
      renameSync(written, file);
    } finally {
      rmSync(written, { force: true });
    }
  }

  /** The records of an account and region, the latest last. Other files are ignored. */
  list({ accountId, region }: Pick<Place, 'accountId' | 'region'>): RunRecord[] {
    return this.#names()
      .map((name) => this.#read(name))
      .filter((record) => record !== undefined)
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
    let record: unknown;
    try {
      record = JSON.parse(readFileSync(join(this.#dir, name), 'utf8'));
    } catch {
      return undefined;
    }
    if (!isJsonObject(record)) return undefined;
    const { prefix, accountId, region, createdAt, owner, pid, restApiIds = [], keyIds = [] } = record;
    const texts = [prefix, accountId, region, createdAt];
    const isWhole =
      texts.every((text) => typeof text === 'string') && [restApiIds, keyIds].every(Array.isArray);
    if (!isWhole || !isRunPrefix(prefix as string) || name !== `${prefix as string}.json`) return undefined;
    return {
      prefix,
      accountId,
      region,
      createdAt,
      restApiIds,
      keyIds,
      ...(typeof owner === 'string' && { owner }),
      ...(typeof pid === 'number' && { pid }),
    } as RunRecord;
  }
}
