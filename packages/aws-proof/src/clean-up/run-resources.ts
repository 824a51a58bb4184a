import {
  paginateGetResources,
  ResourceGroupsTaggingAPIClient,
} from '@aws-sdk/client-resource-groups-tagging-api';

import { RUN_TAG } from '../../../../core/deployment/run-tag';
import { clientsWith } from '../clients';
import { type Ports } from '../ports';
import { isKeyGone, type Kind, KINDS } from './kinds';
import { isOfRun, type RunRecord } from './runs';

type Account = Pick<Ports, 'stacks' | 'clientConfig'>;
/** Called for each kind of resource, or `tag` for the tag index, that could not be listed. */
type OnUnlisted = (kind: string, error: unknown) => void;

export type RemovableKind = Pick<Kind, 'name' | 'remove'>;

interface RunResource {
  readonly kind: RemovableKind;
  readonly name: string;
  /** Undefined if AWS's tag index does not have it. */
  readonly arn?: string | undefined;
}

/** Adds the keys of the run's stacks to its record: once the stacks are gone, nothing else tells whose keys they were. */
export async function withKeyIds(run: RunRecord, stacks: Ports['stacks']): Promise<RunRecord> {
  const names = await stackNamesOf(run, stacks);
  const keyIds = (await Promise.all(names.map((name) => stacks.keys(name)))).flat();
  return { ...run, keyIds: [...new Set([...run.keyIds, ...keyIds])] };
}

/**
 * The run's resources in the order of removal: its stacks, the latest first; then those found by its tag or name. The latter
 * are listed only after the caller has handled the stacks.
 */
export async function* resourcesOf(
  run: RunRecord,
  account: Account,
  onUnlisted: OnUnlisted,
): AsyncGenerator<RunResource> {
  const { stacks } = account;
  const stack: RemovableKind = { name: 'stack', remove: async (_, name) => void (await stacks.delete(name)) };
  for (const name of (await stackNamesOf(run, stacks)).reverse()) yield { kind: stack, name };
  const taggedArns = await listTaggedArns(run, account, onUnlisted);
  for (const kind of KINDS) {
    const taggedNames = taggedArns.flatMap((arn) => kind.nameFromArn?.(arn) ?? []);
    const names = new Set([...taggedNames, ...(await listNames(kind, run, account, onUnlisted))]);
    for (const name of names)
      if (isOfRun(name, run))
        yield { kind, name, arn: taggedArns.find((arn) => kind.nameFromArn?.(arn) === name) };
  }
}

/**
 * The other resources with the run's tag, which are not removed: those of a stack that could not be deleted, those of an unknown
 * kind, and those whose names are not the run's. Skips keys in deletion, which keep their tags.
 */
export async function otherTaggedArns(
  run: RunRecord,
  account: Account,
  onUnlisted: OnUnlisted,
): Promise<{ arn: string; reason: string }[]> {
  const others: { arn: string; reason: string }[] = [];
  for (const arn of await listTaggedArns(run, account, onUnlisted)) {
    const name = KINDS.flatMap(({ nameFromArn }) => nameFromArn?.(arn) ?? [])[0];
    if (name === undefined) others.push({ arn, reason: 'it still has the tag of the run' });
    else if (!isOfRun(name, run) && !(arn.includes(':key/') && (await isKeyGone(clientsOf(account), name))))
      // A person must decide about these: anybody who may tag a resource can give it any tag.
      others.push({
        arn,
        reason: 'it has the tag of the run, but neither its name nor a place in its stacks',
      });
  }
  return others;
}

async function stackNamesOf(run: RunRecord, stacks: Ports['stacks']): Promise<string[]> {
  const listed = await stacks.list(run.prefix);
  return listed.map(({ name }) => name).filter((name) => isOfRun(name, run));
}

async function listNames(kind: Kind, run: RunRecord, account: Account, onUnlisted: OnUnlisted) {
  const names: string[] = [];
  try {
    for await (const name of kind.list?.(clientsOf(account), run.prefix) ?? []) names.push(name);
  } catch (error) {
    onUnlisted(kind.name, error);
  }
  return names;
}

async function listTaggedArns({ prefix }: RunRecord, { clientConfig }: Account, onUnlisted: OnUnlisted) {
  const client = new ResourceGroupsTaggingAPIClient(clientConfig());
  const TagFilters = [{ Key: RUN_TAG, Values: [prefix] }];
  const arns: string[] = [];
  try {
    for await (const { ResourceTagMappingList = [] } of paginateGetResources({ client }, { TagFilters }))
      arns.push(...ResourceTagMappingList.map(({ ResourceARN }) => ResourceARN!));
  } catch (error) {
    onUnlisted('tag', error);
  }
  return arns;
}

const clientsOf = ({ clientConfig }: Account) => clientsWith(clientConfig());
