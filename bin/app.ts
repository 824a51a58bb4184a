import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

import { App, Validations } from 'aws-cdk-lib';
import { type CloudAssembly } from 'aws-cdk-lib/cx-api';
import type * as cdkNag from 'cdk-nag';

import { ConfigurationError, loadConfiguration } from '../lib/config/load';
import { type Configuration } from '../lib/config/schema';
import { deploymentStackName, tenantStackName } from '../lib/config/stack-names';
import { type CountedTemplate } from '../lib/costs/inventory';
import { READ_ON } from '../lib/costs/prices';
import { costSummary } from '../lib/costs/cost-summary';
import { addStacks } from '../lib/stacks/add-stacks';

/** The CDK app: the stacks of one configuration file, checked by cdk-nag unless CDK_VALIDATION is `false`. */
function main(): void {
  const app = new App();
  if (process.env.CDK_VALIDATION !== 'false') addChecks(app);
  const configuration = loadConfiguration(configurationFile(app));
  addStacks(app, configuration);
  const assembly = app.synth();
  // Skip the costs after failed checks, and for a laptop.
  if (!configuration.local && !process.exitCode) printCosts(configuration, assembly);
}

/** Loads cdk-nag only when needed: loading and checking take a third of a synthesis. */
function addChecks(app: App): void {
  const { AwsSolutionsChecks } = createRequire(__filename)('cdk-nag') as typeof cdkNag;
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
}

/** Prints to standard error, so that the output of `cdk ls` and `cdk synth` stays clean. */
function printCosts({ prefix, deployments }: Configuration, assembly: CloudAssembly): void {
  for (const deployment of deployments) {
    const stackNames = [
      deploymentStackName(prefix, deployment),
      ...deployment.tenants.map(({ tenantId }) => tenantStackName(prefix, deployment, tenantId)),
    ];
    const templates = stackNames.map(
      (stackName) => assembly.getStackByName(stackName).template as CountedTemplate,
    );
    console.error(costSummary(deployment, templates).join('\n'));
  }
  console.error(`List prices of us-east-1, read on ${READ_ON}, without restores. Details: docs/costs.md`);
}

/** `-c config=PATH`, else LATCHKEY_CONFIG, else config/latchkey.json, else the example. */
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
