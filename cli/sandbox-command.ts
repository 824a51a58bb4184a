import { type ProgramRunner } from './command';
import { EXIT, type ExitCode } from './exit-codes';

export interface SandboxFlags {
  port?: string;
  separatePorts?: boolean;
  seed?: string;
  caFile?: string;
  json?: boolean;
}

/**
 * `latchkey sandbox`: runs the platform as a program of its own. That is where its options are read and told of, and it
 * shares no code with the command, so that one misreading of the platform's specification cannot hide on both sides.
 */
export async function sandbox({ runProgram }: ProgramRunner, flags: SandboxFlags): Promise<ExitCode> {
  const { port, seed, caFile } = flags;
  const status = await runProgram('sandbox', [
    ...(port === undefined ? [] : [`--port=${port}`]),
    ...(seed === undefined ? [] : [`--seed=${seed}`]),
    ...(caFile === undefined ? [] : [`--ca-file=${caFile}`]),
    ...(flags.separatePorts === true ? ['--separate-ports'] : []),
    ...(flags.json === true ? ['--json'] : []),
  ]);
  return Object.values(EXIT).find((code) => code === status) ?? EXIT.failed;
}
