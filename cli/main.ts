import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { CommanderError } from 'commander';

import { traceIdOfTraceparent } from '../core/restore/traceparent';
import { type CommandContext, type CommandFlags, type ProgramRunner, type ProjectFolders } from './command';
import { CommandError, interruption } from './command-error';
import { EXIT, type ExitCode } from './exit-codes';
import { ProcessTerminal } from './process-terminal';
import { buildProgram, commandsAfter, loadPrompts, openSystem } from './program';
import { refuseSecretArguments } from './secret-arguments';
import { type System } from './system';
import { usageFailure } from './usage-failure';
import { withVariables } from './variables';

/** What the command uses of its process. */
export interface Surroundings {
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: NodeJS.WriteStream;
  readonly env: NodeJS.ProcessEnv;
  readonly workingDir: string;
  /** Of the command: the checkout, or the folder of an installed package. */
  readonly projectRoot: string;
  readonly runProgram: ProgramRunner['runProgram'];
  /** Aborted by SIGINT and SIGTERM. */
  readonly interrupt: AbortController;
  /** The system to act on. @default what the flags select */
  readonly system?: System;
}

/**
 * Runs one command, prints its failure if any, and returns its exit code.
 * @param args without Node and the script
 */
export async function runCommand(args: readonly string[], surroundings: Surroundings): Promise<ExitCode> {
  const terminal = new ProcessTerminal({
    ...surroundings,
    asJson: args.includes('--json'),
    inColor: !args.includes('--no-color'),
    prompts: loadPrompts,
  });
  let exitCode: ExitCode = EXIT.done;
  try {
    refuseSecretArguments(args);
    const program = buildProgram(
      async (run, given) => {
        const flags = withVariables(given, surroundings.env);
        exitCode = await run(contextOf(flags, terminal, surroundings), flags);
      },
      (text) => surroundings.stdout.write(text),
    );
    if (args.length === 0) program.outputHelp();
    else await program.parseAsync(args, { from: 'user' });
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return EXIT.done;
    const failure =
      error instanceof CommanderError ? usageFailure(error, commandsAfter(args)) : asCommandError(error);
    terminal.failure(failure);
    return failure.exitCode;
  }
}

function contextOf(
  flags: CommandFlags,
  terminal: ProcessTerminal,
  surroundings: Surroundings,
): CommandContext & ProgramRunner & ProjectFolders {
  const { interrupted } = terminal;
  // https://opentelemetry.io/docs/specs/otel/context/env-carriers/
  const { TRACEPARENT: traceparent = '' } = surroundings.env;
  let opening: Promise<System> | undefined;
  let clockAheadMs = 0;
  const open = async () => {
    const system =
      surroundings.system ?? (await openSystem(flags, { ...surroundings, interrupted, terminal }));
    clockAheadMs = system.clockAheadMs ?? 0;
    return system;
  };
  return {
    terminal,
    system: () => (opening ??= open()),
    runProgram: surroundings.runProgram,
    projectRoot: surroundings.projectRoot,
    workingDir: surroundings.workingDir,
    env: surroundings.env,
    isPackage: !existsSync(join(surroundings.projectRoot, 'lib/stacks')),
    nowMs: () => Date.now() + clockAheadMs,
    traceparent: traceIdOfTraceparent(traceparent) === undefined ? undefined : traceparent,
    sleep: async (ms) => {
      await sleep(ms, undefined, { signal: interrupted }).catch(() => undefined);
      if (interrupted.aborted) throw interruption();
    },
  };
}

/** The error itself, or what to say about a bug. */
export function asCommandError(error: unknown): CommandError {
  if (error instanceof CommandError) return error;
  // A bug. Its message may hold a secret, so only its name and location are shown.
  const { name, stack } = error instanceof Error ? error : new Error();
  const line = /\n\s+at .*?([\w.-]+:\d+:\d+)\)?(?:\n|$)/.exec(stack ?? '')?.[1];
  return new CommandError(
    EXIT.failed,
    'bug',
    `unexpected ${name}${line === undefined ? '' : ` at ${line}`}`,
    {
      cause: error,
      advice: 'This is a bug. Please report it with the line above.',
    },
  );
}
