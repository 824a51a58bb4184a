import { clientsWith } from '../clients';
import { type CleanUpOptions } from './clean-up';
import { KINDS } from './kinds';
import { RUN_PREFIX, runPrefixIn, type RunRecord } from './runs';

/** A run that is found in an account. */
export interface FoundRun extends RunRecord {
  /** Whether this machine has its record. Other people's runs have none here. */
  readonly isRecorded: boolean;
}

/** The runs of an account: those with a record, and those with resources that still have a run's prefix. */
export async function findRuns(options: CleanUpOptions): Promise<FoundRun[]> {
  const { location, records, stacks, clientConfig } = options;
  const runs: FoundRun[] = records.list(location).map((record) => ({ ...record, isRecorded: true }));
  const oldestStacksFirst = await stacks.list(RUN_PREFIX);
  const names = oldestStacksFirst.map(({ name }) => name);
  const aws = clientsWith(clientConfig());
  for (const kind of KINDS) {
    for await (const name of kind.list?.(aws, RUN_PREFIX) ?? []) names.push(name);
  }
  for (const prefix of names.map(runPrefixIn)) {
    if (prefix === undefined || runs.some((run) => run.prefix === prefix)) continue;
    const oldest = oldestStacksFirst.find(({ name }) => runPrefixIn(name) === prefix);
    const createdAt = oldest?.createdAt?.toISOString() ?? '';
    runs.push({ ...location, prefix, createdAt, keyIds: [], isRecorded: false });
  }
  return runs;
}
