import { spawn } from 'node:child_process';
import { HostError } from 'cdk-on-loopback';

interface SynthesisOptions {
  projectRoot: string;
  /** The built app. @default its sources */
  program?: string | undefined;
  /** Configuration file of the app; absolute. */
  configFile: string;
  /** The file that `configFile` was made from. Error messages name this one. */
  sourceFile: string;
  /** Where to write the cloud assembly; absolute. */
  outDir: string;
  signal: AbortSignal;
}

/** Without a stack trace for each construct, which a laptop's templates do not need. */
const QUIET = { 'aws:cdk:disable-creation-stack-traces': true, 'aws:cdk:disable-stack-trace': true };

/**
 * Synthesizes the app as `cdk synth` does, but without validation, which doubles the time and is part of `npm run synth`.
 * @throws {HostError} `synthesis_failed` with the app's standard error, or the signal's reason if aborted
 */
export async function synthesize({
  projectRoot,
  program,
  configFile,
  sourceFile,
  outDir,
  signal,
}: SynthesisOptions): Promise<void> {
  signal.throwIfAborted();
  const app = program === undefined ? ['--require', 'tsx/cjs', 'bin/app.ts'] : [program];
  const child = spawn(process.execPath, app, {
    cwd: projectRoot,
    env: {
      ...process.env,
      LATCHKEY_CONFIG: configFile,
      CDK_OUTDIR: outDir,
      CDK_VALIDATION: 'false',
      CDK_CONTEXT_JSON: JSON.stringify(QUIET),
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const kill = (): void => void child.kill('SIGKILL');
  signal.addEventListener('abort', kill, { once: true });
  const written: Buffer[] = [];
  child.stderr.on('data', (chunk: Buffer) => written.push(chunk));
  const exitCode = await new Promise<number | null>((resolve) => {
    child.once('close', (code) => resolve(code));
    child.once('error', () => resolve(null));
  });
  signal.removeEventListener('abort', kill);
  signal.throwIfAborted();
  if (exitCode !== 0) {
    throw new HostError(
      'synthesis_failed',
      `cannot synthesize the app:\n${Buffer.concat(written).toString().trimEnd().replaceAll(configFile, sourceFile)}`,
    );
  }
}
