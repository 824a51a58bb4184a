import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';

import { bootstrapQualifier } from '../cli/bootstrap-check';
import { CommandError, interruption } from '../cli/command-error';
import { EXIT } from '../cli/exit-codes';
import { findDeployingPackages } from './packages';

export interface SynthesisOptions {
  /** For CDK's packages and its bootstrap qualifier. */
  readonly workingDir: string;
  /** Of the command: the checkout, or the folder of an installed package. */
  readonly projectRoot: string;
  /** Where to write the cloud assembly; absolute. */
  readonly outDir: string;
  /** The sandbox alone, or Latchkey with the roles of the run. */
  readonly part: 'sandbox' | 'latchkey';
  /** Configuration file; absolute. */
  readonly config: string;
  /** Whether API Gateway has a logging role in the account and region. */
  readonly hasLoggingRole: boolean;
  readonly interrupted: AbortSignal;
}

/**
 * Synthesizes what a run deploys: in a checkout from the sources, in the package by the built app.
 * @throws {CommandError} `cdk_missing`, `synthesis_failed`, `interrupted`
 */
export async function synthesize(options: SynthesisOptions): Promise<void> {
  const { workingDir, projectRoot, outDir, part, config, hasLoggingRole, interrupted } = options;
  if (interrupted.aborted) throw interruption();
  const packages = findDeployingPackages(workingDir, projectRoot);
  const source = join(projectRoot, 'bin/prove-app.ts');
  const program = existsSync(source)
    ? ['--require', 'tsx/cjs', source]
    : [join(projectRoot, 'dist/constructs/prove-app.js')];
  const context = {
    ...bootstrapQualifier(workingDir),
    ...{ config, part, hasLoggingRole: String(hasLoggingRole) },
  };
  const child = spawn(process.execPath, program, {
    cwd: projectRoot,
    env: {
      ...process.env,
      // A package that npx has fetched does not have CDK beside it.
      NODE_PATH: [...new Set([packages['aws-cdk-lib'], packages.constructs].map(dirname))].join(delimiter),
      CDK_OUTDIR: outDir,
      CDK_CONTEXT_JSON: JSON.stringify(context),
      CDK_VALIDATION: 'false',
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const kill = (): void => void child.kill('SIGKILL');
  interrupted.addEventListener('abort', kill, { once: true });
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('close', resolve);
    child.once('error', reject);
  });
  const [exitCode, output] = await Promise.all([ended, text(child.stderr)]);
  interrupted.removeEventListener('abort', kill);
  if (interrupted.aborted) throw interruption();
  if (exitCode === 0) return;
  throw new CommandError(EXIT.failed, 'synthesis_failed', `cannot synthesize the app:\n${output.trimEnd()}`);
}
