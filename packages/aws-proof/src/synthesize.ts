import { mkdtempSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { bootstrapContext } from '../../../cli/bootstrap-check';
import { type AppRun, runApp } from './run-app';
import { type Ports } from './ports';

/**
 * Synthesizes what a run deploys into a new folder beside the run's configuration file.
 * @throws {CommandError} `cdk_missing`, `synthesis_failed`, `interrupted`
 */
export function synthesizeWith(
  where: Pick<AppRun, 'workingDir' | 'projectRoot' | 'interrupted'>,
): Ports['synthesize'] {
  return async (part, config) => {
    const outDir = mkdtempSync(join(dirname(config), `${part}-`));
    const context = JSON.stringify({ ...bootstrapContext(where.workingDir), config, part });
    const env = { CDK_OUTDIR: outDir, CDK_CONTEXT_JSON: context };
    await runApp({ ...where, app: 'prove-app', env });
    return outDir;
  };
}
