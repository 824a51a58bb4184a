import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';

import { CommandError, interruption } from '../../../cli/command-error';
import { findDeployingPackages } from './deploying-packages';
import { EXIT } from '../../../cli/exit-codes';

export interface AppRun {
  /** Name of the app: `bin/<name>.ts` in a checkout, `dist/constructs/<name>.js` in the package. */
  readonly app: string;
  /** Where CDK's packages are looked for first. */
  readonly workingDir: string;
  /** Of the command: the checkout, or the folder of an installed package. */
  readonly projectRoot: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly interrupted: AbortSignal;
}

/**
 * Runs a CDK app of Latchkey: in a checkout from the sources, in the package the built one.
 * @returns what it writes to standard output
 * @throws {CommandError} `cdk_missing`, `synthesis_failed`, `interrupted`
 */
export async function runApp({ app, workingDir, projectRoot, env, interrupted }: AppRun): Promise<string> {
  if (interrupted.aborted) throw interruption();
  const packages = findDeployingPackages(workingDir, projectRoot);
  const source = join(projectRoot, `bin/${app}.ts`);
  const program = existsSync(source)
    ? ['--require', 'tsx/cjs', source]
    : [join(projectRoot, `dist/constructs/${app}.js`)];
  const child = spawn(process.execPath, program, {
    cwd: projectRoot,
    env: {
      ...process.env,
      // A package that npx has fetched does not have CDK beside it.
      NODE_PATH: [...new Set([packages['aws-cdk-lib'], packages.constructs].map(dirname))].join(delimiter),
      CDK_VALIDATION: 'false',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const kill = (): void => void child.kill('SIGKILL');
  interrupted.addEventListener('abort', kill, { once: true });
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('close', resolve);
    child.once('error', reject);
  });
  const [exitCode, output, errors] = await Promise.all([ended, text(child.stdout), text(child.stderr)]);
  interrupted.removeEventListener('abort', kill);
  if (interrupted.aborted) throw interruption();
  if (exitCode === 0) return output;
  throw new CommandError(EXIT.failed, 'synthesis_failed', `cannot synthesize the app:\n${errors.trimEnd()}`);
}
