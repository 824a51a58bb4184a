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

/** The state that the web console shows. */
export async function consoleOf({ process }: RunningSystem): Promise<VisibleText> {
  const [, url] = await process.printed(/^console (\S+)$/m);
  return { place: 'console /state', text: await (await fetch(new URL('/state', url))).text() };
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
export function deadLettersOf(system: RunningSystem): Promise<VisibleText[]> {
  return Promise.all(
    system.run.deployments.map(async ({ environment, platformRegion, stack }) => ({
      place: `dead letters of ${stack}`,
      text: JSON.stringify(await system.place(environment, platformRegion!).deadLetters()),
    })),
  );
}

/** All files below a folder that do not end meanwhile. */
export function filesOf(folder: string, isWanted: (file: string) => boolean = () => true): VisibleText[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter(isWanted)
    .flatMap((file) => {
      try {
        return { place: `file ${relative(folder, file)}`, text: readFileSync(file, 'utf8') };
      } catch {
        return [];
      }
    });
}

/** Arguments and environments of a process and its descendants, which other users of the machine may see. */
export function processesOf(pid: number): VisibleText[] {
  return [pid, ...descendants(pid)].flatMap((each) => {
    const { args, environment } = startedWith(each);
    return [
      { place: 'arguments of a process', text: args.join('\n') },
      { place: 'environment of a process', text: Object.values(environment).join('\n') },
    ];
  });
}

/** Folders of tsx hold hundreds of transpiled files that do not change: one look at the end covers them. */
const isBrief = (file: string) => !/[\\/]tsx-[^\\/]*[\\/]/.test(file);

/** Polls what may be visible only briefly: the files in a folder, and this test's processes. */
export class ExposureWatch {
  readonly #folder: string;
  readonly #seen = new Map<string, VisibleText>();
  readonly #timer: NodeJS.Timeout;

  constructor(folder: string) {
    this.#folder = folder;
    this.#timer = setInterval(() => this.#add(filesOf(folder, isBrief)), 20);
  }

  /** Stops polling, and returns everything seen, without duplicates. */
  stop(): VisibleText[] {
    clearInterval(this.#timer);
    this.#add(filesOf(this.#folder));
    return [...this.#seen.values()];
  }

  #add(files: VisibleText[]): void {
    for (const seen of [...files, ...processesOf(process.pid)])
      this.#seen.set(`${seen.place} ${seen.text}`, seen);
  }
}
