import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { App, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';

import { ConfigurationError, loadConfiguration } from '../lib/config/load';
import { addStacks } from '../lib/stacks/latchkey';

/** The CDK app: the stacks of one configuration file, checked by cdk-nag at every full synthesis. */
function main(): void {
  const app = new App();
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
  addStacks(app, loadConfiguration(configurationFile(app)));
  app.synth();
}

/** `-c config=PATH`, else LATCHKEY_CONFIG, else the user's own file, else the example. */
function configurationFile(app: App): string {
  const given = (app.node.tryGetContext('config') as string | undefined) ?? process.env.LATCHKEY_CONFIG;
  if (given !== undefined && given !== '') return given;
  const own = join(__dirname, '../config/latchkey.json');
  return existsSync(own) ? own : join(__dirname, '../config/example.json');
}

try {
  main();
} catch (error) {
  if (!(error instanceof ConfigurationError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
