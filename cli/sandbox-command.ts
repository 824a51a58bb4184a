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
 * `latchkey sandbox`: runs the platform's sandbox as a separate program, which validates its own options. It shares no
 * code with the command, so that a misreading of the platform's specification cannot hide on both sides.
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
