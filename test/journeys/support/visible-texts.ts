import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

import { paginateDescribeLogGroups, paginateFilterLogEvents } from '@aws-sdk/client-cloudwatch-logs';

import { type VisibleText } from '../../support/canaries';
import { descendants, startedWith } from './processes';
import { type RunningSystem } from './running-system';

/** All lines of all log groups of the account. */
export async function logsOf(system: RunningSystem): Promise<VisibleText[]> {
  const client = system.administrator.logs;
  const texts: VisibleText[] = [];
  for await (const { logGroups = [] } of paginateDescribeLogGroups({ client }, {})) {
    for (const { logGroupName } of logGroups) {
      const lines: string[] = [];
      for await (const { events = [] } of paginateFilterLogEvents({ client }, { logGroupName })) {
        lines.push(...events.map(({ message }) => message ?? ''));
      }
      texts.push({ place: `log group ${logGroupName}`, text: lines.join('\n') });
    }
  }
  return texts;
}

/** All files below a folder. */
export function filesOf(folder: string): VisibleText[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((file) => ({ place: `file ${relative(folder, file)}`, text: readFileSync(file, 'utf8') }));
}

/** Arguments and environments of the system's processes, which other users of the machine may see. */
export function processesOf(pid: number): VisibleText[] {
  return [pid, ...descendants(pid)].flatMap((each) => {
    const { args, environment } = startedWith(each);
    return [
      { place: 'arguments of a process', text: args.join('\n') },
      { place: 'environment of a process', text: Object.values(environment).join('\n') },
    ];
  });
}
