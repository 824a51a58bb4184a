import {
  paginateGetResources,
  ResourceGroupsTaggingAPIClient,
} from '@aws-sdk/client-resource-groups-tagging-api';

import { RUN_TAG } from '../../../../core/deployment/run-tag';
import { clientsWith } from '../clients';
import { type Ports } from '../ports';
import { deletionDate, type Kind, KINDS } from './kinds';
import { isOfRun, RUN_PREFIX, runPrefixIn, type RunRecord, type RunRecords } from './runs';

/** Deleted resources stay in AWS's lists and in its index of tags for a while. */
const SEEN_AFTER_DELETION = { withinSec: 120, everySec: 10 };
/** What a person must decide: anybody who may tag a resource can give it any tag. */
const NOT_OURS = 'it has the tag of the run, but neither its name nor a place in its stacks';
const GONE = /(NotFound|NonExistent|DoesNotExist|NoSuchEntity)/;

export interface CleanUpOptions extends Pick<Ports, 'place' | 'stacks' | 'clientConfig' | 'time'> {
  readonly records: RunRecords;
}

/** What is still there of a run. */
export interface LeftBehind {
  /** Such as `stack`, `secret`; `resource` for one that only its tag tells. */
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
 * Removes everything of a run: its stacks, then what they retain and what was created outside them, as far as {@link isOfRun}
 * says that it is the run's; looks again whether anything is left; and forgets the run if AWS will delete the rest by itself. May
 * be repeated at any time.
 */
export const cleanUp = (record: RunRecord, options: CleanUpOptions): Promise<CleanUpReport> =>
  new Removal(record, options).run();

/** Whether something is there that AWS will not delete by itself. */
export const isLeft = ({ left }: Pick<CleanUpReport, 'left'>): boolean =>
  left.some(({ until }) => until === undefined);

/** Changes the records if that is possible. A full disk or a lost folder must not stop a removal. */
function despiteFiles(change: () => void): void {
  try {
    change();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
  }
}

/** What a removal of a run would remove: stacks, then ARNs, and names where AWS's index of tags has no ARN. Changes nothing. */
export const listRun = (record: RunRecord, options: CleanUpOptions): Promise<string[]> =>
  new Removal(record, options).list();

/** A run that is found in an account. */
export interface FoundRun extends RunRecord {
  /** Whether this machine has its record: somebody else's has none here. */
  readonly isRecorded: boolean;
}

/** The runs of an account: those with a record, and those of which a name is still there. */
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
  /** The kind of each that was removed, by kind and name. */
  readonly #removed = new Map<string, string>();
  /** What the latest look found and could not remove at once. */
  #left: LeftBehind[] = [];
  #record: RunRecord;

  constructor(record: RunRecord, options: CleanUpOptions) {
    this.#record = record;
    this.#options = options;
  }

  async run(): Promise<CleanUpReport> {
    const { time, records } = this.#options;
    await this.#rememberKeys();
    // Only a removal that has to be repeated would miss these keys.
    despiteFiles(() => records.save(this.#record));
    await time.until(async () => (await this.#look()) || undefined, SEEN_AFTER_DELETION);
    const removed: Record<string, number> = {};
    for (const kind of this.#removed.values()) removed[kind] = (removed[kind] ?? 0) + 1;
    const { prefix } = this.#record;
    if (!isLeft({ left: this.#left })) despiteFiles(() => records.remove(prefix));
    return { prefix, removed, left: this.#left };
  }

  async list(): Promise<string[]> {
    await this.#rememberKeys();
    const listed: string[] = [];
    for await (const { kind, name, arn } of this.#found()) listed.push(arn ?? `${kind.name} ${name}`);
    return [...listed, ...this.#left.map(({ kind, reason }) => `${kind}: cannot be listed: ${reason}`)];
  }

  /** Removes what there is, and keeps why something stays. @returns whether nothing was found */
  async #look(): Promise<boolean> {
    this.#left = [];
    const before = this.#removed.size;
    for await (const { kind, name } of this.#found()) await this.#remove(kind, name);
    await this.#findOthers();
    return !isLeft({ left: this.#left }) && this.#removed.size === before;
  }

  /**
   * What is the run's, in the order of its removal: its stacks, the latest first; then what its tag or its name leads to, looked for
   * once the caller has dealt with the stacks.
   */
  async *#found(): AsyncGenerator<{
    kind: Pick<Kind, 'name' | 'remove'>;
    name: string;
    arn?: string | undefined;
  }> {
    const { stacks } = this.#options;
    const stack = { name: 'stack', remove: (_: unknown, name: string) => stacks.delete(name) };
    for (const name of (await this.#stackNames()).reverse()) yield { kind: stack, name };
    const tagged = await this.#tagged();
    for (const kind of KINDS)
      for (const name of await this.#namesOf(kind, tagged))
        yield { kind, name, arn: tagged.find((arn) => kind.inArn?.(arn) === name) };
  }

  /** Which keys were the run's is known no longer once its stacks are gone. */
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

  /** Those of a kind that are the run's, whether its tag or their names lead to them. */
  async #namesOf(kind: Kind, tagged: readonly string[]): Promise<Set<string>> {
    const isOurs = (name: string) => isOfRun(name, this.#record);
    const names = new Set(tagged.flatMap((arn) => kind.inArn?.(arn) ?? []).filter(isOurs));
    try {
      for await (const name of kind.list?.(this.#aws(), this.#record.prefix) ?? [])
        if (isOurs(name)) names.add(name);
    } catch (error) {
      this.#stays(kind.name, '*', error);
    }
    return names;
  }

  /** One that fails does not keep the others; what blocks it may be removed until the next look. */
  async #remove(kind: Pick<Kind, 'name' | 'remove'>, name: string): Promise<void> {
    try {
      const until = await kind.remove(this.#aws(), name);
      if (until instanceof Date)
        this.#left.push({ kind: kind.name, name, reason: 'AWS deletes it later', until });
      else this.#removed.set(`${kind.name} ${name}`, kind.name);
    } catch (error) {
      if (!GONE.test((error as Error).name)) this.#stays(kind.name, name, error);
    }
  }

  /**
   * Whatever else has the run's tag: of a stack that could not be deleted, of a kind that is not removed here, or not the run's
   * by its name. Keys in deletion keep their tags.
   */
  async #findOthers(): Promise<void> {
    for (const arn of await this.#tagged()) {
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

  /** ARNs of the resources that have the run's tag, as far as they can be listed. */
  async #tagged(): Promise<string[]> {
    const client = new ResourceGroupsTaggingAPIClient(this.#options.clientConfig());
    const TagFilters = [{ Key: RUN_TAG, Values: [this.#record.prefix] }];
    const arns: string[] = [];
    try {
      for await (const { ResourceTagMappingList = [] } of paginateGetResources({ client }, { TagFilters }))
        arns.push(...ResourceTagMappingList.map(({ ResourceARN }) => ResourceARN!));
    } catch (error) {
      this.#stays('tag', '*', error);
    }
    return arns;
  }

  #stays(kind: string, name: string, error: unknown): void {
    const { name: code, message } = error as Error;
    this.#left.push({ kind, name, reason: `${code}: ${message}` });
  }

  #aws = () => clientsWith(this.#options.clientConfig());
}
