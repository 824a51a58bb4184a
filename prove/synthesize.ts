import { bootstrapQualifier } from '../cli/bootstrap-check';
import { runApp } from '../cli/run-app';

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
  const context = {
    ...bootstrapQualifier(workingDir),
    ...{ config, part, hasLoggingRole: String(hasLoggingRole) },
  };
  const env = { CDK_OUTDIR: outDir, CDK_CONTEXT_JSON: JSON.stringify(context) };
  await runApp({ app: 'prove-app', workingDir, projectRoot, env, interrupted });
}
