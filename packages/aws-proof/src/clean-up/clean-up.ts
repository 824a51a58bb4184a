import { clientsWith } from '../clients';
import { type Ports } from '../ports';
import { isMissing } from './kinds';
import { otherTaggedArns, type RemovableKind, resourcesOf, withKeyIds } from './run-resources';
import { type RunRecord, type RunRecords } from './runs';

/** Deleted resources stay in AWS's lists and in its tag index for a while. */
const WAIT_UNTIL_GONE = { withinSec: 120, everySec: 10 };

export interface CleanUpOptions extends Pick<Ports, 'location' | 'stacks' | 'clientConfig' | 'time'> {
  readonly records: RunRecords;
}

/** A resource of a run that is still there. */
export interface LeftBehind {
  /** Such as `stack` or `secret`; `resource` if only its tag was found, `tag` if the tag index could not be read. */
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

/** Whether something is there that AWS will not delete by itself. */
export const hasLeftovers = ({ left }: Pick<CleanUpReport, 'left'>): boolean =>
  left.some(({ until }) => until === undefined);

/**
 * Removes the resources of a run: first its stacks, then what they retain and what was created outside them. Repeats this until
 * nothing is left, or time is up. Deletes the run's record unless something is left that AWS will not delete by itself. May be
 * called again at any time.
 */
export async function cleanUp(record: RunRecord, options: CleanUpOptions): Promise<CleanUpReport> {
  const { records, stacks, time } = options;
  const run = await withKeyIds(record, stacks);
  // If the file cannot be written, this removal still knows the keys; only a repeated one does not.
  ignoreFileErrors(() => records.save(run));
  const kindsOfRemoved = new Map<string, string>();
  let left: readonly LeftBehind[] = [];
  const removeAgain = async () => {
    const countBefore = kindsOfRemoved.size;
    left = await removeOnce(run, options, (kind, name) => kindsOfRemoved.set(`${kind} ${name}`, kind));
    return (!hasLeftovers({ left }) && kindsOfRemoved.size === countBefore) || undefined;
  };
  await time.until(removeAgain, WAIT_UNTIL_GONE);
  if (!hasLeftovers({ left })) ignoreFileErrors(() => records.remove(run.prefix));
  const removed: Record<string, number> = {};
  for (const kind of kindsOfRemoved.values()) removed[kind] = (removed[kind] ?? 0) + 1;
  return { prefix: run.prefix, removed, left };
}

/** Lists what {@link cleanUp} would remove: each ARN, or kind and name if AWS's tag index has no ARN. Changes nothing. */
export async function listRun(record: RunRecord, options: CleanUpOptions): Promise<string[]> {
  const run = await withKeyIds(record, options.stacks);
  const listed: string[] = [];
  const unlisted: string[] = [];
  const onUnlisted = (kind: string, error: unknown) =>
    unlisted.push(`${kind}: cannot be listed: ${textOf(error)}`);
  for await (const { kind, name, arn } of resourcesOf(run, options, onUnlisted))
    listed.push(arn ?? `${kind.name} ${name}`);
  return [...listed, ...unlisted];
}

/** Makes one pass over the run's resources. @returns what is left, also what could not be listed */
async function removeOnce(
  run: RunRecord,
  options: CleanUpOptions,
  onRemoved: (kind: string, name: string) => void,
): Promise<LeftBehind[]> {
  // By kind and name: the tag index is read twice, and its failure counts once.
  const left = new Map<string, LeftBehind>();
  const addLeft = (entry: LeftBehind) => left.set(`${entry.kind} ${entry.name}`, entry);
  const onUnlisted = (kind: string, error: unknown) => addLeft({ kind, name: '*', reason: textOf(error) });
  for await (const { kind, name } of resourcesOf(run, options, onUnlisted)) {
    const outcome = await remove(kind, name, options);
    if (outcome === 'removed') onRemoved(kind.name, name);
    else if (outcome !== 'missing') addLeft({ kind: kind.name, name, ...outcome });
  }
  for (const { arn, reason } of await otherTaggedArns(run, options, onUnlisted))
    addLeft({ kind: 'resource', name: arn, reason });
  return [...left.values()];
}

/** Removes one resource. A failure does not stop the others: the next pass may find the obstacle removed. */
async function remove(
  kind: RemovableKind,
  name: string,
  { clientConfig }: CleanUpOptions,
): Promise<'removed' | 'missing' | Pick<LeftBehind, 'reason' | 'until'>> {
  try {
    const until = await kind.remove(clientsWith(clientConfig()), name);
    return until === undefined ? 'removed' : { reason: 'AWS deletes it later', until };
  } catch (error) {
    return isMissing(error) ? 'missing' : { reason: textOf(error) };
  }
}

/** Changes the records if possible. A full disk or a lost folder must not stop a removal. */
function ignoreFileErrors(change: () => void): void {
  try {
    change();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
  }
}

function textOf(error: unknown): string {
  const { name, message } = error as Error;
  return `${name}: ${message}`;
}
