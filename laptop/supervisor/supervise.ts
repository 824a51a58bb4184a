import { join } from 'node:path';

import { shellWord } from '../../core/commands/shell-word';
import {
  injectFault,
  loadCredentials,
  nameTenantsOfOwnIssuers,
  refreshTokens,
  restoreRecord,
} from '../main-job/main-job';
import { JobError, LocalSystem } from '../main-job/local-system';
import { checkFault } from './check-fault';
import { HostProcess } from './host-process';
import {
  DEFAULT_STATE_DIR,
  noAssembly,
  OptionError,
  readStartOptions,
  START_USAGE,
  StartError,
  type StartOptions,
} from './start-options';

/** Where the supervisor finds the programs it starts. */
interface Programs {
  /** What paths are relative to. */
  projectRoot: string;
  /** Folder of Latchkey's own app; undefined if only the package is installed. */
  checkout: string | undefined;
  /** Path of a program's built file. @throws {Error} if it cannot be built or written */
  fileOf(program: 'app' | 'host' | 'sandbox'): string;
}

// Silences the SDK's warning about Node 20; on AWS, the functions run on a newer Node.
process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED = 'true';

/**
 * `npm start`, and `latchkey local start`: runs the host and the main job until they finish or are interrupted. Leaves no
 * process running. Prints why it failed.
 * @returns the exit code: 2 for faulty options, 1 for any other failure
 */
export async function runSupervisor(args: string[], programs: Programs): Promise<number> {
  try {
    return await supervise(args, programs);
  } catch (error) {
    const isExpected = error instanceof StartError || error instanceof JobError;
    console.error(isExpected ? `latchkey: ${error.message}` : error);
    return error instanceof OptionError ? 2 : 1;
  }
}

/** @throws {StartError | JobError} */
async function supervise(args: string[], programs: Programs): Promise<number> {
  const options = readStartOptions(args);
  if (options === undefined) {
    console.log(START_USAGE);
    return 0;
  }
  if (options.host.assemblyDir === undefined && programs.checkout === undefined) throw noAssembly();
  const report = reporter();
  const files = builtPrograms(programs, options.host.assemblyDir === undefined);
  if (options.fault !== undefined) await checkFault(files.sandbox, options.fault);
  const host = startHost(options, { ...files, ...programs }, report);
  const interrupted = interruption(() => host.kill());
  try {
    const work = host.up.then(() => runMainJob(options, programs.projectRoot, report));
    const result = await Promise.race([work.then(() => 'done' as const), interrupted, host.lost]);
    if (result === 'interrupted') {
      report('interrupted, stopping');
      return 130;
    }
    if (options.once) {
      report('done, stopping');
      return 0;
    }
    console.log(`console ${await host.up}`);
    console.log(
      `ready: connection details in ${join(options.host.stateDir, 'local.json')}; press Ctrl-C to stop`,
    );
    await Promise.race([interrupted, host.lost]);
    report('stopping');
    return 0;
  } finally {
    await host.stop();
  }
}

type Report = (text: string, ms?: number) => void;

function reporter(): Report {
  const startedAtMs = Date.now();
  return (text, ms) => {
    const elapsed = `${((Date.now() - startedAtMs) / 1000).toFixed(1)} s`.padStart(7);
    console.log(`${elapsed}  ${text}${ms === undefined ? '' : ` (${(ms / 1000).toFixed(1)} s)`}`);
  };
}

interface BuiltPrograms {
  readonly host: string;
  readonly sandbox: string;
  readonly app: string | undefined;
}

/** @throws {StartError} if one cannot be built */
function builtPrograms(programs: Programs, needsApp: boolean): BuiltPrograms {
  const fileOf = (program: 'app' | 'host' | 'sandbox') => {
    try {
      return programs.fileOf(program);
    } catch (error) {
      throw new StartError(`the ${program} cannot be built: ${(error as Error).message}`);
    }
  };
  return { sandbox: fileOf('sandbox'), host: fileOf('host'), app: needsApp ? fileOf('app') : undefined };
}

function startHost(
  { host, verbose }: StartOptions,
  { projectRoot, checkout, ...programs }: BuiltPrograms & Programs,
  report: Report,
): HostProcess {
  return new HostProcess(
    programs.host,
    { ...host, projectRoot, checkout, sandboxProgram: programs.sandbox, appProgram: programs.app },
    { report, log: (line) => (verbose ? console.log(line) : undefined) },
  );
}

/** Resolves at the first interruption. @param again called on each further signal */
function interruption(again: () => void): Promise<'interrupted'> {
  return new Promise((resolve) => {
    const interrupt = () => resolve('interrupted');
    let signals = 0;
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      process.on(signal, () => {
        signals += 1;
        if (signals > 1) again();
        interrupt();
      });
    }
    // A shell between npm and this process exits on a signal without forwarding it.
    const parent = process.ppid;
    setInterval(() => {
      if (process.ppid !== parent) interrupt();
    }, 250).unref();
    process.stdout.on('error', interrupt);
  });
}

async function runMainJob(options: StartOptions, projectRoot: string, report: Report): Promise<void> {
  if (!options.hasJob) return;
  const system = new LocalSystem(projectRoot, options.host.stateDir);
  await loadCredentials(system, report);
  if (options.fault !== undefined) await injectFault(system, options.fault, report);
  await refreshTokens(system, report);
  if (options.once) await restoreRecord(system, report);
  const { stateDir } = options.host;
  const flags = stateDir === DEFAULT_STATE_DIR ? '--local' : `--local --state-dir ${shellWord(stateDir)}`;
  nameTenantsOfOwnIssuers(system, options.once ? undefined : flags, report);
}
