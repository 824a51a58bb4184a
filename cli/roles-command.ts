import { type DeploymentKey, deploymentName } from '../core/tokens/token-key';
import { type DeploymentConfiguration } from '../lib/options/schema';
import { type CommandContext, type ProjectFolders } from './command';
import { usageError } from './command-error';
import { configurationFile, readConfiguration } from './configured-system';
import { EXIT, type ExitCode } from './exit-codes';
import { runApp } from './run-app';
import { type Style } from './terminal';

interface RolesFlags {
  environment?: string;
  platformRegion?: string;
  config?: string;
  account?: string;
  region?: string;
}

/** A role as the app prints it. */
interface PrintedRole {
  readonly name: string;
  readonly description: string;
  readonly trustPolicy: object;
  readonly managedPolicyArns: readonly string[];
  readonly policy?: object;
}

interface PrintedDeployment extends DeploymentKey {
  readonly roles: readonly PrintedRole[];
  readonly operatorPolicy: object;
  readonly readers: readonly { readonly tenantId: string; readonly policy: object }[];
}

/**
 * `latchkey roles`: prints what each role of a configuration needs. Synthesizes its templates and asks no account.
 * @throws {CommandError} usage, if account or AWS region are not known; `cdk_missing`, `synthesis_failed`
 */
export async function roles(
  { terminal, projectRoot, workingDir }: CommandContext & ProjectFolders,
  flags: RolesFlags,
): Promise<ExitCode> {
  const { account, region, environment, platformRegion } = flags;
  const file = { config: flags.config, workingDir };
  const { deployments } = readConfiguration(file);
  const isChosen = (each: DeploymentKey) =>
    each.environment === (environment ?? each.environment) &&
    each.platformRegion === (platformRegion ?? each.platformRegion);
  const chosen = deployments.filter(isChosen);
  if (chosen.length === 0) {
    const found = [environment, platformRegion].filter((part) => part !== undefined).join(' ');
    throw usageError('deployment', found, deployments.map((each) => deploymentName(each)).join(', '));
  }
  for (const each of chosen) requirePlace(each, flags);
  const output = await runApp({
    ...{ app: 'roles-app', workingDir, projectRoot, interrupted: terminal.interrupted },
    env: {
      LATCHKEY_CONFIG: configurationFile(file),
      CDK_DEFAULT_ACCOUNT: account,
      CDK_DEFAULT_REGION: region,
    },
  });
  const printed = (JSON.parse(output) as PrintedDeployment[]).filter(isChosen).map((each, index) => {
    const { existing } = chosen[index]!.roles;
    const arnOf = (name: string) => existing?.[name as keyof typeof existing];
    return { ...each, roles: each.roles.map((role) => ({ ...role, arn: arnOf(role.name) })) };
  });
  terminal.result({ deployments: printed }, (style) =>
    printed.map((each) => textOf(each, style)).join('\n\n'),
  );
  return EXIT.done;
}

/** Policies name account and AWS region. @throws {CommandError} usage */
function requirePlace(deployment: DeploymentConfiguration, flags: RolesFlags): void {
  for (const field of ['account', 'region'] as const) {
    const [known, given] = [deployment[field], flags[field]];
    if (known !== undefined && given !== undefined && known !== given)
      throw usageError(`--${field}`, given, `${known}, as the configuration says`);
    if (known === undefined && given === undefined) {
      const allowed = `--${field}, or "${field}" of ${deploymentName(deployment)} in the configuration`;
      throw usageError(field, 'nothing', allowed);
    }
  }
}

function textOf(
  { environment, platformRegion, roles: all, operatorPolicy, readers }: PrintedDeployment,
  style: Style,
): string {
  const json = (document: object) => JSON.stringify(document, null, 2);
  return [
    style.bold(`${environment} ${platformRegion}`),
    ...all.flatMap(({ name, description, trustPolicy, managedPolicyArns, policy }) => [
      '',
      `${style.bold(name)}  ${description}`,
      'Trust policy:',
      json(trustPolicy),
      ...managedPolicyArns.map((arn) => `AWS managed policy: ${arn}`),
      ...(policy === undefined ? [] : ['Policy:', json(policy)]),
    ]),
    '',
    `${style.bold('operatorPolicy')}  Managed policy of operators`,
    json(operatorPolicy),
    ...readers.flatMap(({ tenantId, policy }) => [
      '',
      `${style.bold('reader')}  Policy of services that read the tokens of ${tenantId}`,
      json(policy),
    ]),
  ].join('\n');
}
