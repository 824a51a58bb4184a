import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

import { App, Validations } from 'aws-cdk-lib';
import type * as cdkNag from 'cdk-nag';

import { ConfigurationError } from '../lib/options/configuration-error';
import { loadConfiguration } from '../lib/options/load';
import { type Configuration } from '../lib/options/schema';
import { addStacks } from '../lib/stacks/add-stacks';
import { synthesizeWithCosts } from '../lib/stacks/synthesize-with-costs';

/** Nobody's credentials are for this account, so the CDK CLI refuses to deploy to it. */
const NO_ACCOUNT = '000000000000';

const EXAMPLE = 'config/example.json';
const EXAMPLE_NOTICE = [
  '! No configuration: this is the example, for an account that does not exist, so it cannot be deployed',
  '  npx latchkey init              writes config/latchkey.json',
  `  -c config=${EXAMPLE}  uses the example with your account`,
];

/** The CDK app: the stacks of one configuration file, checked by cdk-nag unless CDK_VALIDATION is `false`. */
function main(): void {
  const hasChecks = process.env.CDK_VALIDATION !== 'false';
  const app = new App({
    // Only tools that show the construct tree read it, and it is half of a large app's output.
    treeMetadata: hasChecks,
    // The creation stack traces of resources would all lead into Latchkey, for a tenth of a large app’s time.
    context: { 'aws:cdk:disable-creation-stack-traces': true },
  });
  if (hasChecks) addChecks(app);
  const configuredFile = configurationFile(app);
  const file = configuredFile ?? projectFile(EXAMPLE);
  const loaded = loadConfiguration(file);
  const configuration = configuredFile === undefined ? inAccount(NO_ACCOUNT, loaded) : loaded;
  addStacks(app, configuration);
  synthesizeWithCosts(app, [{ stage: app, configuration }], file);
  if (configuredFile === undefined) print(EXAMPLE_NOTICE);
  else if (!configuration.local && isRegionByDefault(configuration)) {
    print([
      '! No AWS region is set, so CDK uses that of your AWS profile, or us-east-1',
      '  Set "region" in each deployment, or AWS_REGION',
    ]);
  }
}

/** Loads cdk-nag only when needed: loading and checking take a third of a synthesis. */
function addChecks(app: App): void {
  const { AwsSolutionsChecks, NIST80053R5Checks, ServerlessChecks } = createRequire(__filename)(
    'cdk-nag',
  ) as typeof cdkNag;
  Validations.of(app).addPlugins(
    new AwsSolutionsChecks(app),
    new NIST80053R5Checks(app),
    new ServerlessChecks(app),
  );
}

/** `-c config=PATH`, else LATCHKEY_CONFIG, else config/latchkey.json; undefined if there is none. */
function configurationFile(app: App): string | undefined {
  const given = (app.node.tryGetContext('config') as string | undefined) ?? process.env.LATCHKEY_CONFIG;
  if (given !== undefined && given !== '') return given;
  const defaultFile = projectFile('config/latchkey.json');
  return existsSync(defaultFile) ? defaultFile : undefined;
}

function projectFile(name: string): string {
  return join(__dirname, '..', name);
}

function inAccount(account: string, { deployments, ...rest }: Configuration): Configuration {
  return { ...rest, deployments: deployments.map((deployment) => ({ ...deployment, account })) };
}

/**
 * Whether the CDK CLI chose the region. It does not say how, so a profile with us-east-1 counts too.
 * @see https://docs.aws.amazon.com/cdk/v2/guide/environments.html
 */
function isRegionByDefault({ deployments }: Configuration): boolean {
  const { AWS_REGION, AWS_DEFAULT_REGION, CDK_DEFAULT_REGION } = process.env;
  return (
    (AWS_REGION ?? AWS_DEFAULT_REGION) === undefined &&
    CDK_DEFAULT_REGION === 'us-east-1' &&
    deployments.some(({ region }) => region === undefined)
  );
}

/** Prints to standard error, so that the output of `cdk synth` stays clean. */
function print(lines: readonly string[]): void {
  console.error(lines.join('\n'));
}

try {
  main();
} catch (error) {
  if (!(error instanceof ConfigurationError)) throw error;
  print([error.message]);
  process.exitCode = 1;
}
