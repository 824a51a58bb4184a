import {
  paginateGetResources,
  ResourceGroupsTaggingAPIClient,
} from '@aws-sdk/client-resource-groups-tagging-api';

import { CommandError, interruption } from '../../../../cli/command-error';
import { EXIT } from '../../../../cli/exit-codes';
import { RUN_TAG } from '../../../../core/deployment/run-tag';
import { clientsWith } from '../clients';
import { type Ports } from '../ports';
import { isInDeletion, type Kind, KINDS } from './kinds';
import {
  type FoundRun,
  isOfRun,
  isRunPrefix,
  RUN_PREFIX,
  type RunRecord,
  type RunRecords,
  runPrefixIn,
} from './runs';

/** Deleted resources stay in AWS's lists and in its index of tags for a while. */
const SEEN_AFTER_DELETION = { withinSec: 120, everySec: 10 };
/** What a person must decide: anybody who may tag a resource can give it any tag. */
const NOT_OURS = 'it has the tag of the run, but neither its name nor a place in its stacks';
const GONE = /(NotFound|NonExistent|DoesNotExist|NoSuchEntity)/;

export interface CleanUpOptions extends Pick<Ports, 'place' | 'stacks' | 'clientConfig' | 'time'> {
  readonly records: RunRecords;
  /** Aborted to stop before the next step. The next clean-up goes on there. */
  readonly signal: AbortSignal;
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
 * @throws {CommandError} `other_account`; `interrupted`
 */
export async function cleanUp(record: RunRecord, options: CleanUpOptions): Promise<CleanUpReport> {
  const { place, records } = options;
  if (!isRunPrefix(record.prefix)) throw new TypeError('not the prefix of a run');
  if (record.accountId !== place.accountId || record.region !== place.region) {
    const message = `the run ${record.prefix} was made in another account or region`;
    const advice = `Sign in to ${record.accountId} with --region ${record.region}`;
    throw new CommandError(EXIT.refused, 'other_account', message, { advice });
  }
  const report = await new Removal(record, options).run();
  if (report.left.every(({ until }) => until !== undefined))
    despiteFiles(() => records.remove(record.prefix));
  return report;
}

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

/** The runs of an account: those with a record, and those of which a name is still there. */
export async function findRuns(options: CleanUpOptions): Promise<FoundRun[]> {
  const { place, records, stacks, clientConfig } = options;
  const recorded = records.list(place).map((record) => ({ ...record, isRecorded: true }));
  const deployed = await stacks.list(RUN_PREFIX);
  const names = deployed.map(({ name }) => name);
  const aws = clientsWith(clientConfig());
  for (const kind of KINDS) {
    for await (const name of kind.list?.(aws, RUN_PREFIX) ?? []) names.push(name);
  }
  const isUnknown = (prefix: string) => !recorded.some((record) => record.prefix === prefix);
  const others = [...new Set(names.flatMap((name) => runPrefixIn(name) ?? []))].filter(isUnknown);
  const { accountId, region } = place;
  return [
    ...recorded,
    ...others.map((prefix) => {
      // The first stack is the oldest.
      const first = deployed.find(({ name }) => runPrefixIn(name) === prefix);
      const createdAt = first?.createdAt?.toISOString() ?? '';
      return { prefix, accountId, region, createdAt, keyIds: [], isRecorded: false };
    }),
  ];
}

/** One removal of one run. */
class Removal {
  readonly #options: CleanUpOptions;
  /** The kind of each that was removed, by kind and name. */
  readonly #removed = new Map<string, string>();
  /** What AWS deletes later, by name. */
  readonly #waiting = new Map<string, LeftBehind>();
  /** What the latest look found and could not remove. */
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
    const kinds = [...this.#removed.values()];
    const removed = kinds.map((kind) => [kind, kinds.filter((each) => each === kind).length]);
    return {
      prefix: this.#record.prefix,
      removed: Object.fromEntries(removed) as Record<string, number>,
      left: [...this.#left, ...this.#waiting.values()],
    };
  }

  async list(): Promise<string[]> {
    await this.#rememberKeys();
    const listed = (await this.#stackNames()).map((name) => `stack ${name}`);
    const tagged = await this.#tagged();
    for (const kind of KINDS)
      for (const name of await this.#namesOf(kind, tagged))
        listed.push(tagged.find((arn) => kind.inArn?.(arn) === name) ?? `${kind.name} ${name}`);
    const left = this.#left.map(({ kind, reason }) => `${kind}: cannot be listed: ${reason}`);
    return [...listed, ...left];
  }

  /** Removes what there is, and keeps why something stays. @returns whether nothing was found */
  async #look(): Promise<boolean> {
    this.#left = [];
    const before = this.#removed.size;
    await this.#deleteStacks();
    const tagged = await this.#tagged();
    for (const kind of KINDS) {
      this.#goOn();
      for (const name of await this.#namesOf(kind, tagged)) {
        this.#goOn();
        await this.#remove(kind, name);
      }
    }
    await this.#findOthers();
    return this.#left.length === 0 && this.#removed.size === before;
  }

  /** Which keys were the run's is known no longer once its stacks are gone. */
  async #rememberKeys(): Promise<void> {
    const { stacks } = this.#options;
    const names = await this.#stackNames();
    const resources = (await Promise.all(names.map((name) => stacks.resources(name)))).flat();
    const keys = resources.filter(({ type }) => type === 'AWS::KMS::Key').map(({ id }) => id);
    this.#record = { ...this.#record, keyIds: [...new Set([...this.#record.keyIds, ...keys])] };
  }

  /** One that fails does not keep the others; what blocks it may be removed until the next look. */
  async #deleteStacks(): Promise<void> {
    for (const name of (await this.#stackNames()).reverse()) {
      this.#goOn();
      try {
        await this.#options.stacks.delete(name);
        this.#removed.set(`stack ${name}`, 'stack');
      } catch (error) {
        this.#stays('stack', name, error);
      }
    }
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

  async #remove(kind: Kind, name: string): Promise<void> {
    try {
      const until = await kind.remove(this.#aws(), name);
      if (until === undefined) this.#removed.set(`${kind.name} ${name}`, kind.name);
      else this.#waiting.set(name, { kind: kind.name, name, reason: 'AWS deletes it later', until });
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
      if (await isInDeletion(this.#aws(), arn).catch(() => false)) continue;
      const reason = name === undefined ? 'it still has the tag of the run' : NOT_OURS;
      this.#left.push({ kind: 'resource', name: arn, reason });
    }
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
    if (error instanceof CommandError && error.code === 'interrupted') throw error;
    const { name: code, message } = error as Error;
    this.#left.push({ kind, name, reason: `${code}: ${message}` });
  }

  #aws() {
    return clientsWith(this.#options.clientConfig());
  }

  /** @throws {CommandError} `interrupted` */
  #goOn(): void {
    if (this.#options.signal.aborted) throw interruption();
  }
}
