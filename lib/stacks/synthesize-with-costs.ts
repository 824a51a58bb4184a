import { App, Stack, type Stage } from 'aws-cdk-lib';

import { ConfigurationError } from '../options/configuration-error';
import { type Configuration } from '../options/schema';
import { costReport } from '../costs/cost-report';

/** The stacks of one configuration. The stage may be the app itself. */
export interface ConfiguredStage {
  readonly stage: Stage;
  readonly configuration: Configuration;
}

/**
 * Synthesizes an app and prints what its stages cost, and which quotas they use, to standard error, so that the output of
 * `cdk synth` stays clean.
 * @param source of the configurations, for error messages
 * @throws {ConfigurationError} if quotas are too small
 */
export function synthesizeWithCosts(app: App, stages: readonly ConfiguredStage[], source: string): void {
  app.synth();
  const priced = stages.filter(({ stage, configuration }) => !configuration.local && needsBundles(stage));
  // Skip the costs after failed checks, for a laptop, and for commands that deploy nothing.
  if (process.exitCode || priced.length === 0) return;
  const { lines, faults } = costReport(
    priced.map(({ stage, configuration }) => ({ configuration, stacks: stage.synth().stacks })),
  );
  process.stderr.write(`${[...lines, ...priced.flatMap(accountNotice)].join('\n')}\n`);
  if (faults.length > 0) throw new ConfigurationError(source, faults);
}

/** A notice if no account is set for a stage: it is usually for another one than that of the credentials at hand. */
function accountNotice({ stage, configuration: { deployments } }: ConfiguredStage): string[] {
  const isKnown = stage.account !== undefined || deployments.every(({ account }) => account !== undefined);
  if (App.isApp(stage) || isKnown) return [];
  return [
    `! No account is set for the stage ${stage.node.path}, so it is that of your AWS credentials, in a pipeline those of the build`,
  ];
}

/**
 * Whether the CDK command uses the functions' code. `cdk synth`, `diff` and `deploy` do; `cdk ls` and `destroy` do not.
 * @see https://docs.aws.amazon.com/cdk/api/v2/docs/aws-cdk-lib.Stack.html#bundlingrequired
 */
function needsBundles(stage: Stage): boolean {
  return stage.node.children.some((child) => Stack.isStack(child) && child.bundlingRequired);
}
