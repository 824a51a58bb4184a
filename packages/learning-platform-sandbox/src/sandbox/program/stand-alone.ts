import { partsOf } from '../addresses';
import { DEFAULT_SEED, parseSeed, type Seed } from '../seed';
import { type RunningSandbox } from '../listening-sandbox';
import { PortUnavailableError } from '../https-server';
import { InvalidInputError } from '../validation';
import { faultLine } from '../../input-faults';
import { type CaFile, writeCaFile } from './ca-file';
import { describeForPeople, describeForPrograms } from './description';
import { HELP, MAX_PORT, type Options, readOptions, UsageError } from './sandbox-options';
import { readSeedFile } from './seed-file';
import { start } from './start-sandbox';

const PARENT_CHECK_MS = 250;

/**
 * Runs the sandbox from a command line until a signal arrives or the parent process exits.
 * @param args without Node's own
 * @returns the exit code: 0 when stopped, 1 if it could not start, 2 for faulty options or a faulty seed
 */
export async function runStandAlone(args: readonly string[]): Promise<number> {
  // Keep serving when the reader is gone, as with `| head`.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
  const parent = process.ppid;
  const { options, issues } = readOptions(args);
  if (options.help) {
    process.stdout.write(HELP);
    return 0;
  }
  let sandbox: RunningSandbox | undefined;
  let caFile: CaFile | undefined;
  try {
    const { seedInput, seed } = requireValidInput(options, issues);
    requirePorts(options, seed);
    // Not earlier: reading the seed from a pipe blocks, and a signal must still end the process.
    const stopped = untilStopped(parent);
    sandbox = await start(seedInput, options.port, options.separatePorts);
    const controlPort = Number(new URL(sandbox.addresses.control).port);
    caFile = writeCaFile(options.caFile, controlPort, sandbox.caCertificate);
    process.stdout.write(`${readyText(options, sandbox, caFile)}\n`);
    await stopped;
    return 0;
  } catch (error) {
    return reportFailure(error, options.json);
  } finally {
    await sandbox?.close();
    caFile?.remove();
  }
}

/** @throws {UsageError} with all faults of the options and the seed */
function requireValidInput(
  { seedFile }: Options,
  optionIssues: readonly string[],
): { seedInput: unknown; seed: Seed } {
  let seedIssues: readonly string[] = [];
  try {
    const seedInput = seedFile === undefined ? DEFAULT_SEED : readSeedFile(seedFile);
    const seed = parseSeed(seedInput);
    if (optionIssues.length === 0) return { seedInput, seed };
  } catch (error) {
    if (error instanceof UsageError) seedIssues = error.issues;
    else if (error instanceof InvalidInputError) seedIssues = error.issues.map((issue) => `--seed: ${issue}`);
    else throw error;
  }
  throw new UsageError([...optionIssues, ...seedIssues]);
}

function requirePorts({ port, separatePorts }: Options, seed: Seed): void {
  const last = MAX_PORT + 1 - partsOf(seed).length;
  if (!separatePorts || port <= last) return;
  throw new UsageError([faultLine('--port', String(port), `0–${last} with --separate-ports and this seed`)]);
}

function readyText({ json }: Options, sandbox: RunningSandbox, caFile: CaFile): string {
  if (json) return JSON.stringify(describeForPrograms(sandbox, caFile));
  return describeForPeople(sandbox, caFile).join('\n');
}

function reportFailure(error: unknown, asJson: boolean): number {
  const { code, message } = failureOf(error);
  const lines = error instanceof UsageError ? error.issues : [message];
  process.stderr.write(lines.map((line) => `sandbox: ${line}\n`).join(''));
  if (asJson) process.stdout.write(`${JSON.stringify({ error: { code, message } })}\n`);
  return error instanceof UsageError ? 2 : 1;
}

function failureOf(error: unknown): { code: string; message: string } {
  if (error instanceof UsageError || error instanceof PortUnavailableError) return error;
  return { code: 'failed', message: error instanceof Error ? error.message : String(error) };
}

/** Resolves on SIGINT, SIGTERM or SIGHUP, or when the parent process exits. */
function untilStopped(parent: number): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => resolve());
    // A shell between npm and this process exits on a signal without passing it on.
    const timer = setInterval(() => {
      if (process.ppid !== parent) resolve();
    }, PARENT_CHECK_MS);
    timer.unref();
  });
}
