import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';

import { bootstrapContext } from '../../../cli/bootstrap-check';
import { CommandError, interruption } from '../../../cli/command-error';
import { EXIT } from '../../../cli/exit-codes';
import { findDeployingPackages } from './deploying-packages';
import { type Ports, type Surroundings } from './ports';

type Folders = Pick<Surroundings, 'workingDir' | 'projectRoot' | 'interrupted'>;

/**
 * Synthesizes what a run deploys into a new folder beside the run's configuration file.
 * @throws {CommandError} `cdk_missing`, `synthesis_failed`, `interrupted`
 */
export function synthesizeWith(folders: Folders): Ports['synthesize'] {
  return async (part, config) => {
    const outDir = mkdtempSync(join(dirname(config), `${part}-`));
    const context = JSON.stringify({ ...bootstrapContext(folders.workingDir), config, part });
    await runProveApp(folders, { CDK_OUTDIR: outDir, CDK_CONTEXT_JSON: context });
    return outDir;
  };
}

/** Runs the CDK app of a run: in a checkout from its source, in the package the built one. */
async function runProveApp({ workingDir, projectRoot, interrupted }: Folders, env: NodeJS.ProcessEnv) {
  if (interrupted.aborted) throw interruption();
  const packages = findDeployingPackages(workingDir, projectRoot);
  const source = join(projectRoot, 'bin/prove-app.ts');
  const program = existsSync(source)
    ? ['--require', 'tsx/cjs', source]
    : [join(projectRoot, 'dist/constructs/prove-app.js')];
  const child = spawn(process.execPath, program, {
    cwd: projectRoot,
    env: {
      ...process.env,
      // A package that npx has fetched does not have CDK beside it.
      NODE_PATH: [...new Set([packages['aws-cdk-lib'], packages.constructs].map(dirname))].join(delimiter),
      CDK_VALIDATION: 'false',
      ...env,
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const kill = (): void => void child.kill('SIGKILL');
  interrupted.addEventListener('abort', kill, { once: true });
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('close', resolve);
    child.once('error', reject);
  });
  const [exitCode, errors] = await Promise.all([ended, text(child.stderr)]);
  interrupted.removeEventListener('abort', kill);
  if (interrupted.aborted) throw interruption();
  if (exitCode === 0) return;
  throw new CommandError(EXIT.failed, 'synthesis_failed', `cannot synthesize the app:\n${errors.trimEnd()}`);
}
