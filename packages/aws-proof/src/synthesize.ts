import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';

import { bootstrapQualifier } from '../../../cli/bootstrap-check';
import { type AppRun, runApp } from '../../../cli/run-app';
import { type Ports } from './ports';

/**
 * Synthesizes what a run deploys: in a checkout from the sources, in the package by the built app. Throws `cdk_missing`,
 * `synthesis_failed`, `interrupted`.
 * @param folder for the cloud assemblies; exists
 */
export function synthesizeInto(
  folder: string,
  { workingDir, projectRoot, interrupted }: Pick<AppRun, 'workingDir' | 'projectRoot' | 'interrupted'>,
): Ports['synthesize'] {
  return async (part, config) => {
    const outDir = mkdtempSync(join(folder, `${part}-`));
    const context = JSON.stringify({ ...bootstrapQualifier(workingDir), config, part });
    const env = { CDK_OUTDIR: outDir, CDK_CONTEXT_JSON: context };
    await runApp({ app: 'prove-app', workingDir, projectRoot, env, interrupted });
    return outDir;
  };
}
