import { App } from 'aws-cdk-lib';

import { ConfigurationError } from '../lib/options/configuration-error';
import { loadConfiguration } from '../lib/options/load';
import { addRunSandbox, addRunStacks } from '../lib/stacks/add-run-stacks';

/**
 * The CDK app of `latchkey prove`: the stacks of one configuration file with the run's own stack, or the sandbox alone.
 * Context: `config`, the path of the file; `part`, `latchkey` or `sandbox`.
 */
function main(): void {
  const app = new App({ treeMetadata: false });
  const contextOf = (name: string) => String(app.node.tryGetContext(name));
  const configuration = loadConfiguration(contextOf('config'));
  if (contextOf('part') === 'sandbox') addRunSandbox(app, configuration);
  else addRunStacks(app, configuration);
  app.synth();
}

try {
  main();
} catch (error) {
  if (!(error instanceof ConfigurationError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
