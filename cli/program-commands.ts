import { type CommandContext, type ProgramRunner } from './command';
import { flagOf } from './command-text';
import { EXIT, type ExitCode } from './exit-codes';

/** The flags of a command that runs a program, by their names in {@link Flags}. */
type ProgramFlags = Readonly<Record<string, string | boolean | undefined>>;

export interface SandboxFlags {
  port?: string;
  separatePorts?: boolean;
  seed?: string;
  caFile?: string;
  json?: boolean;
}

/**
 * `latchkey sandbox`: runs the platform's sandbox as a separate program, which validates its own options. It shares no
 * code with the command, so that a misreading of the platform's specification cannot hide on both sides.
 */
export function sandbox({ runProgram }: ProgramRunner, flags: SandboxFlags): Promise<ExitCode> {
  const { port, seed, caFile, separatePorts, json } = flags;
  return run(runProgram, 'sandbox', { port, seed, caFile, separatePorts, json });
}

export interface ConformanceFlags {
  sandbox?: string;
  controlSecret?: boolean;
  target?: string;
  writes?: boolean;
  caFile?: string;
  json?: boolean;
}

/** `latchkey conformance`: runs the conformance checks as a separate program, which validates its own options. */
export function conformance({ runProgram }: ProgramRunner, flags: ConformanceFlags): Promise<ExitCode> {
  const { controlSecret, target, writes, caFile, json } = flags;
  const all = { sandbox: flags.sandbox, controlSecret, target, writes, caFile, json };
  return run(runProgram, 'conformance', all);
}

export interface ProveFlags {
  profile?: string;
  region?: string;
  account?: string;
  local?: boolean;
  stateDir?: string;
  only?: string;
  slow?: boolean;
  clean?: boolean;
  run?: string;
  results?: string;
  yes?: boolean;
  json?: boolean;
  /** False with `--no-color`. */
  color?: boolean;
}

/** `latchkey prove`: deploys to an account and examines it, as a separate program, which validates its own options. */
export function prove({ runProgram }: ProgramRunner, flags: ProveFlags): Promise<ExitCode> {
  const { profile, region, account, local, stateDir, only, slow, clean, results } = flags;
  const place = { profile, region, account, local, stateDir };
  const noColor = flags.color === false;
  const all = {
    ...place,
    only,
    slow,
    clean,
    run: flags.run,
    results,
    yes: flags.yes,
    json: flags.json,
    noColor,
  };
  return run(runProgram, 'prove', all);
}

export interface LocalStartFlags {
  assembly?: string;
  once?: boolean;
  fault?: string;
  port?: string;
  sandboxPort?: string;
  consolePort?: string;
  stateDir?: string;
  /** False with `--no-job`. */
  job?: boolean;
  verbose?: boolean;
}

/** `latchkey local start`: runs the laptop system as a separate program, which validates its own options. */
export function startLocalSystem(
  { runProgram, env }: ProgramRunner & Pick<CommandContext, 'env'>,
  flags: LocalStartFlags,
): Promise<ExitCode> {
  const { assembly, once, fault, port, sandboxPort, consolePort, verbose } = flags;
  const stateDir = flags.stateDir ?? (env?.LATCHKEY_STATE_DIR || undefined);
  const noJob = flags.job === false;
  const all = { assembly, once, noJob, fault, port, sandboxPort, consolePort, stateDir, verbose };
  return run(runProgram, 'start', all);
}

async function run(
  runProgram: ProgramRunner['runProgram'],
  program: Parameters<ProgramRunner['runProgram']>[0],
  flags: ProgramFlags,
): Promise<ExitCode> {
  const args = Object.entries(flags).flatMap(([name, value]) => {
    if (value === undefined || value === false) return [];
    return value === true ? flagOf(name) : `${flagOf(name)}=${value}`;
  });
  const status = await runProgram(program, args);
  return Object.values(EXIT).find((code) => code === status) ?? EXIT.failed;
}
