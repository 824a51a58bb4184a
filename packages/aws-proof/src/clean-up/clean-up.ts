import {
  paginateGetResources,
  ResourceGroupsTaggingAPIClient,
} from '@aws-sdk/client-resource-groups-tagging-api';

import { RUN_TAG } from '../../../../core/deployment/run-tag';
import { clientsWith } from '../clients';
import { type Ports } from '../ports';
import { deletionDate, type Kind, KINDS } from './kinds';
import { isOfRun, RUN_PREFIX, runPrefixIn, type RunRecord, type RunRecords } from './runs';

/** Deleted resources stay in AWS's lists and in its tag index for a while. */
const WAIT_UNTIL_GONE = { withinSec: 120, everySec: 10 };
/** A person must decide about these: anybody who may tag a resource can give it any tag. */
const NOT_OURS = 'it has the tag of the run, but neither its name nor a place in its stacks';
const GONE = /(NotFound|NonExistent|DoesNotExist|NoSuchEntity)/;

export interface CleanUpOptions extends Pick<Ports, 'place' | 'stacks' | 'clientConfig' | 'time'> {
  readonly records: RunRecords;
}

/** A resource of a run that is still there. */
export interface LeftBehind {
  /** Such as `stack` or `secret`; `resource` if only its tag was found. */
  readonly kind: string;
  /** Its name, or its ARN; `*` for all of a kind that could not be listed. */
  readonly name: string;
  readonly reason: string;
  /** When AWS deletes it by itself; undefined if it does not. */
  readonly until?: Date;
}

export interface CleanUpReport {
  readonly prefix: string;
  /** How many were removed, by kind. */
  readonly removed: Readonly<Record<string, number>>;
  readonly left: readonly LeftBehind[];
}

/**
 * Removes the resources of a run: first its stacks, then what they retain and what was created outside them, if
 * {@link isOfRun} accepts it. Repeats this until nothing is left, or time is up. Deletes the run's record unless something is
 * left that AWS will not delete by itself. May be called again at any time.
 */
export const cleanUp = (record: RunRecord, options: CleanUpOptions): Promise<CleanUpReport> =>
  new Removal(record, options).run();

/** Whether something is there that AWS will not delete by itself. */
export const isLeft = ({ left }: Pick<CleanUpReport, 'left'>): boolean =>
  left.some(({ until }) => until === undefined);

/** Changes the records if possible. A full disk or a lost folder must not stop a removal. */
function ignoreFileErrors(change: () => void): void {
  try {
    change();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
  }
}

/** Lists what {@link cleanUp} would remove: each ARN, or kind and name if AWS's tag index has no ARN. Changes nothing. */
export const listRun = (record: RunRecord, options: CleanUpOptions): Promise<string[]> =>
  new Removal(record, options).list();

/** A run that is found in an account. */
export interface FoundRun extends RunRecord {
  /** Whether this machine has its record. Other people's runs have none here. */
  readonly isRecorded: boolean;
}

/** The runs of an account: those with a record, and those with resources that still have a run's prefix. */
export async function findRuns(options: CleanUpOptions): Promise<FoundRun[]> {
  const { place, records, stacks, clientConfig } = options;
  const found: FoundRun[] = records.list(place).map((record) => ({ ...record, isRecorded: true }));
  const deployed = await stacks.list(RUN_PREFIX);
  const names = deployed.map(({ name }) => name);
  const aws = clientsWith(clientConfig());
  for (const kind of KINDS) {
    for await (const name of kind.list?.(aws, RUN_PREFIX) ?? []) names.push(name);
  }
  for (const prefix of names.map(runPrefixIn)) {
    if (prefix === undefined || found.some((run) => run.prefix === prefix)) continue;
    // The first stack is the oldest.
    const first = deployed.find(({ name }) => runPrefixIn(name) === prefix);
    const createdAt = first?.createdAt?.toISOString() ?? '';
    found.push({ ...place, prefix, createdAt, keyIds: [], isRecorded: false });
  }
  return found;
}

/** One removal of one run. */
class Removal {
  readonly #options: CleanUpOptions;
  /** The kind of each removed resource, by kind and name. */
  readonly #removed = new Map<string, string>();
  /** What the latest pass found and could not remove. */
  #left: LeftBehind[] = [];
  #record: RunRecord;

  constructor(record: RunRecord, options: CleanUpOptions) {
    this.#record = record;
    this.#options = options;
  }

  async run(): Promise<CleanUpReport> {
    const { time, records } = this.#options;
    await this.#rememberKeys();
    // If this fails, only a repeated removal misses these keys.
    ignoreFileErrors(() => records.save(this.#record));
    await time.until(async () => (await this.#removeOnce()) || undefined, WAIT_UNTIL_GONE);
    const removed: Record<string, number> = {};
    for (const kind of this.#removed.values()) removed[kind] = (removed[kind] ?? 0) + 1;
    const { prefix } = this.#record;
    if (!isLeft({ left: this.#left })) ignoreFileErrors(() => records.remove(prefix));
    return { prefix, removed, left: this.#left };
  }

  async list(): Promise<string[]> {
    await this.#rememberKeys();
    const listed: string[] = [];
    for await (const { kind, name, arn } of this.#resources()) listed.push(arn ?? `${kind.name} ${name}`);
    return [...listed, ...this.#left.map(({ kind, reason }) => `${kind}: cannot be listed: ${reason}`)];
  }

  /** Makes one pass: removes what it finds, and reports what stays and why. @returns whether there was nothing to remove */
  async #removeOnce(): Promise<boolean> {
    this.#left = [];
    const removedBefore = this.#removed.size;
    for await (const { kind, name } of this.#resources()) await this.#remove(kind, name);
    await this.#reportOtherTagged();
    return !isLeft({ left: this.#left }) && this.#removed.size === removedBefore;
  }

  /**
   * The run's resources in the order of removal: its stacks, the latest first; then those found by its tag or name. The latter
   * are listed only after the caller has handled the stacks.
   */
  async *#resources(): AsyncGenerator<{
    kind: Pick<Kind, 'name' | 'remove'>;
    name: string;
    arn?: string | undefined;
  }> {
    const { stacks } = this.#options;
    const stack = { name: 'stack', remove: (_: unknown, name: string) => stacks.delete(name) };
    for (const name of (await this.#stackNames()).reverse()) yield { kind: stack, name };
    const tagged = await this.#taggedArns();
    for (const kind of KINDS)
      for (const name of await this.#namesOf(kind, tagged))
        yield { kind, name, arn: tagged.find((arn) => kind.inArn?.(arn) === name) };
  }

  /** Adds the keys of the run's stacks to its record: once the stacks are gone, nothing else tells whose keys they were. */
  async #rememberKeys(): Promise<void> {
    const { stacks } = this.#options;
    const names = await this.#stackNames();
    const keys = (await Promise.all(names.map((name) => stacks.keys(name)))).flat();
    this.#record = { ...this.#record, keyIds: [...new Set([...this.#record.keyIds, ...keys])] };
  }

  async #stackNames(): Promise<string[]> {
    const found = await this.#options.stacks.list(this.#record.prefix);
    return found.map(({ name }) => name).filter((name) => isOfRun(name, this.#record));
  }

  /** The names of the run's resources of a kind, found by tag or by name. */
  async #namesOf(kind: Kind, tagged: readonly string[]): Promise<Set<string>> {
    const isOurs = (name: string) => isOfRun(name, this.#record);
    const names = new Set(tagged.flatMap((arn) => kind.inArn?.(arn) ?? []).filter(isOurs));
    try {
      for await (const name of kind.list?.(this.#aws(), this.#record.prefix) ?? [])
        if (isOurs(name)) names.add(name);
    } catch (error) {
      this.#reportLeft(kind.name, '*', error);
    }
    return names;
  }

  /** Removes one resource. A failure does not stop the others: the next pass may find the obstacle removed. */
  async #remove(kind: Pick<Kind, 'name' | 'remove'>, name: string): Promise<void> {
    try {
      const until = await kind.remove(this.#aws(), name);
      if (until instanceof Date)
        this.#left.push({ kind: kind.name, name, reason: 'AWS deletes it later', until });
      else this.#removed.set(`${kind.name} ${name}`, kind.name);
    } catch (error) {
      if (!GONE.test((error as Error).name)) this.#reportLeft(kind.name, name, error);
    }
  }

  /**
   * Reports the other resources with the run's tag: those of a stack that could not be deleted, those of a kind that is not
   * removed here, and those whose names are not the run's. Skips keys in deletion, which keep their tags.
   */
  async #reportOtherTagged(): Promise<void> {
    for (const arn of await this.#taggedArns()) {
      const name = KINDS.flatMap(({ inArn }) => inArn?.(arn) ?? [])[0];
      if (name !== undefined && isOfRun(name, this.#record)) continue;
      if (arn.includes(':key/') && (await this.#isInDeletion(name!))) continue;
      const reason = name === undefined ? 'it still has the tag of the run' : NOT_OURS;
      this.#left.push({ kind: 'resource', name: arn, reason });
    }
  }

  #isInDeletion(keyId: string): Promise<boolean> {
    return deletionDate(this.#aws(), keyId).then(
      (date) => date !== undefined,
      ({ name }: Error) => GONE.test(name),
    );
  }

  /** The ARNs of the resources with the run's tag. Reports a failure to list them. */
  async #taggedArns(): Promise<string[]> {
    const client = new ResourceGroupsTaggingAPIClient(this.#options.clientConfig());
    const TagFilters = [{ Key: RUN_TAG, Values: [this.#record.prefix] }];
    const arns: string[] = [];
    try {
      for await (const { ResourceTagMappingList = [] } of paginateGetResources({ client }, { TagFilters }))
        arns.push(...ResourceTagMappingList.map(({ ResourceARN }) => ResourceARN!));
    } catch (error) {
      this.#reportLeft('tag', '*', error);
    }
    return arns;
  }

  #reportLeft(kind: string, name: string, error: unknown): void {
    const { name: code, message } = error as Error;
    this.#left.push({ kind, name, reason: `${code}: ${message}` });
  }

  #aws = () => clientsWith(this.#options.clientConfig());
}
