import { readFileSync } from 'node:fs';
import { Agent } from 'node:https';
import { parseArgs } from 'node:util';
import { faultLine } from '../input-faults';
import { ALL_CHECKS } from './checks/all-checks';
import { NoAnswerError, type Send, sendOverHttps } from './https-requests';
import { type CheckResult, type Platform, runChecks } from './run-checks';
import { InvalidSubjectError, parseSecrets, parseSubject } from './subject-file';
import { SubjectTenant } from './subject-tenant';

const USAGE = `usage: latchkey conformance --target FILE [--writes] [--ca-file FILE] [--json]

Runs the conformance checks against a tenant of any platform.

  --target FILE   JSON file that describes a tenant; pass its credentials on standard input, as JSON:
                  {"clientId", "clientSecret", "apiKey"?, "session"?: {"authorization", "correlationId"}}
  --writes        also run checks that change contents of the tenant or generate API keys
  --ca-file FILE  PEM file with the CA certificates to trust instead of the default ones
  --json          print one JSON document
  --help          show this help
`;
const EXIT = { done: 0, failed: 1, usage: 2, unavailable: 69, interrupted: 130 } as const;
/** After this time, the remaining checks are not run. */
const RUN_TIMEOUT_MS = 15 * 60_000;

interface Surroundings {
  readInput(): Promise<string>;
  write(text: string): void;
  writeError(text: string): void;
  /** Aborts on Ctrl-C. */
  readonly interrupted: AbortSignal;
}

interface Options {
  readonly target: string;
  readonly writes?: boolean;
  readonly caFile?: string;
  readonly json?: boolean;
}

class UsageError extends Error {
  readonly code = 'usage';
}

/**
 * Runs the checks against a platform and reports their results.
 * @returns the exit code: 0 if nothing failed, 1 if a check failed or broke, 2 for faulty options or files, 69 if the platform
 *   is unreachable or not trusted, 130 when interrupted
 */
export async function runProgram(args: readonly string[], io: Surroundings): Promise<number> {
  try {
    const options = readOptions(args);
    if (options === undefined) {
      io.write(USAGE);
      return EXIT.done;
    }
    return await examine(options, io);
  } catch (error) {
    const status = io.interrupted.aborted ? EXIT.interrupted : statusOf(error);
    if (status === undefined) throw error;
    io.writeError(`${(error as Error).message}\n`);
    return status;
  }
}

async function examine(options: Options, io: Surroundings): Promise<number> {
  const signal = AbortSignal.any([io.interrupted, AbortSignal.timeout(RUN_TIMEOUT_MS)]);
  const agent = new Agent({ keepAlive: true, ...(options.caFile ? { ca: readFile(options.caFile) } : {}) });
  try {
    const send: Send = (request) => sendOverHttps(request, agent, signal);
    const platform = await connectToPlatform(options, send, io);
    const onResult = (result: CheckResult) => options.json || io.write(`${lineOf(result)}\n`);
    const results = await runChecks(ALL_CHECKS, platform, { signal, onResult });
    io.write(options.json ? `${JSON.stringify({ results })}\n` : `${summaryOf(results)}\n`);
    if (io.interrupted.aborted) return EXIT.interrupted;
    return !signal.aborted && results.every(isFine) ? EXIT.done : EXIT.failed;
  } finally {
    agent.destroy();
  }
}

async function connectToPlatform(
  { target, writes }: Options,
  send: Send,
  io: Surroundings,
): Promise<Platform> {
  const subject = parseSubject(readFile(target));
  const tenant = new SubjectTenant(subject, parseSecrets(await io.readInput()), send);
  // Throws if the platform is unreachable or not trusted. The answer does not matter.
  await send({ method: 'GET', url: tenant.addresses.contentBaseUrl });
  return { read: tenant, write: writes ? tenant : undefined };
}

/** @returns undefined for --help */
function readOptions(args: readonly string[]): Options | undefined {
  let values;
  try {
    ({ values } = parseArgs({
      args: [...args],
      options: {
        target: { type: 'string' },
        writes: { type: 'boolean' },
        'ca-file': { type: 'string' },
        json: { type: 'boolean' },
        help: { type: 'boolean' },
      },
    }));
  } catch (error) {
    throw new UsageError(`${optionFault(error as NodeJS.ErrnoException)}\n${USAGE}`);
  }
  const { 'ca-file': caFile, help, target, ...options } = values;
  if (help) return undefined;
  if (target === undefined) {
    throw new UsageError(`${faultLine('--target', 'nothing', 'a file that describes a tenant')}\n${USAGE}`);
  }
  return { ...options, target, caFile };
}

/** What parseArgs found wrong. */
function optionFault({ code, message }: NodeJS.ErrnoException): string {
  const option = /'(--[a-z][a-z-]{0,30})/.exec(message)?.[1];
  if (code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION') {
    return faultLine('arguments', `the unknown option ${option ?? '(not shown)'}`, 'the options below');
  }
  if (code === 'ERR_PARSE_ARGS_UNEXPECTED_POSITIONAL')
    return faultLine('arguments', 'a word', 'options only');
  const takesNone = message.includes('does not take an argument');
  return faultLine(
    option ?? 'arguments',
    takesNone ? 'a value' : 'nothing',
    takesNone ? 'no value' : 'a value after it',
  );
}

function readFile(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new UsageError(faultLine(path, `a file that cannot be read (${code})`, 'a readable file'));
  }
}

function statusOf(error: unknown): number | undefined {
  if (error instanceof UsageError || error instanceof InvalidSubjectError) return EXIT.usage;
  if (error instanceof NoAnswerError) return EXIT.unavailable;
  return undefined;
}

function isFine({ outcome }: CheckResult): boolean {
  return outcome === 'passed' || outcome === 'not examined';
}

function lineOf(result: CheckResult): string {
  const reason = result.outcome === 'passed' ? '' : `: ${result.reason}`;
  return `${result.outcome.padEnd(12)} ${result.name}${reason}`;
}

function summaryOf(results: readonly CheckResult[]): string {
  const outcomes = ['passed', 'failed', 'broken', 'not examined'] as const;
  const counts = outcomes.map((outcome) => {
    const count = results.filter((result) => result.outcome === outcome).length;
    return `${count} ${outcome}`;
  });
  return `${results.length} checks: ${counts.join(', ')}`;
}
