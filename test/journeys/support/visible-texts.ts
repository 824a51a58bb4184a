import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

import { paginateDescribeLogGroups, paginateFilterLogEvents } from '@aws-sdk/client-cloudwatch-logs';

import { type VisibleText } from '../../support/canaries';
import { deadLetters, placeOf } from './journeys';
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

/** What a page of the web console loads: its files, and the state that it shows. */
export async function consoleOf({ process }: RunningSystem): Promise<VisibleText[]> {
  const [, url = ''] = await process.printed(/^console (\S+)$/m);
  const page = await (await fetch(url)).text();
  const files = [...page.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path = '']) => path);
  const parts = await Promise.all(
    [...files, '/state'].map(async (path) => ({
      place: `console ${path}`,
      text: await (await fetch(new URL(path, url))).text(),
    })),
  );
  return [{ place: 'console /', text: page }, ...parts];
}

/** What the sandbox keeps of the platform's requests, apart from the secrets that it issued. */
export function sandboxOf(system: RunningSystem): Promise<VisibleText[]> {
  return Promise.all(
    ['/requests', '/counters', '/audit'].map(async (path) => ({
      place: `sandbox ${path}`,
      text: JSON.stringify(await system.control('GET', path)),
    })),
  );
}

/** The dead letters of every deployment, which this receives and deletes. */
export async function deadLettersOf(system: RunningSystem): Promise<VisibleText[]> {
  return Promise.all(
    system.run.deployments.map(async ({ environment, platformRegion, stack }) => ({
      place: `dead letters of ${stack}`,
      text: JSON.stringify(await deadLetters(placeOf(system, environment, platformRegion!))),
    })),
  );
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
