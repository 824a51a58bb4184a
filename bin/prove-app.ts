import { App } from 'aws-cdk-lib';

import { ConfigurationError, loadConfiguration } from '../lib/config/load';
import { addRunStacks } from '../lib/stacks/add-run-stacks';

/**
 * The CDK app of `latchkey prove`: Latchkey as one configuration file has it, with the roles of the run.
 * Context: `config`, the path of the file; `hasLoggingRole`, whether API Gateway has one in the account and region.
 */
function main(): void {
  const app = new App({ treeMetadata: false });
  const contextOf = (name: string) => String(app.node.tryGetContext(name));
  addRunStacks(app, {
    configuration: loadConfiguration(contextOf('config')),
    hasLoggingRole: contextOf('hasLoggingRole') === 'true',
  });
  app.synth();
}

try {
  main();
} catch (error) {
  if (!(error instanceof ConfigurationError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
