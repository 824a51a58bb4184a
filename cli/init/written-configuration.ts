import { issuerName, LEARNING_PLATFORM } from '../../core/issuers/learning-platform';
import { type DeploymentKey, deploymentText } from '../../core/tokens/token-key';
import { profileOf } from '../../lib/options/issuers';
import { usageError } from '../command-error';
import { flagOf } from '../command-text';
import { ADDRESS_FIELDS, type Addresses, type AnsweredDeployment, type InitFlags } from './answers';

/** The parts of a configuration file that `latchkey init` reads and changes. Other fields stay as they are. */
export interface WrittenConfiguration {
  $schema?: string;
  endpoints: Partial<Record<string, Partial<Record<string, Addresses>>>>;
  deployments: WrittenDeployment[];
}

interface WrittenDeployment {
  issuer?: string;
  environment: string;
  platformRegion?: string;
  restore?: { available?: boolean };
  reservedConcurrency?: 1 | 'none';
  tenants?: object[];
}

/** The deployment in a file; undefined if it has none. */
export function writtenDeployment(
  { deployments }: WrittenConfiguration,
  key: DeploymentKey,
): WrittenDeployment | undefined {
  return deployments.find(
    (each) =>
      writtenIssuer(each) === issuerName(key) &&
      each.environment === key.environment &&
      (each.platformRegion ?? (isOfPlatform(each) ? 'global' : undefined)) === key.platformRegion,
  );
}

/** The name of the issuer, which the file may name by its profile's path. */
function writtenIssuer(deployment: WrittenDeployment): string {
  const named = issuerName(deployment);
  return named.endsWith('.json') ? profileOf(deployment).profile.name : named;
}

export function isOfPlatform(deployment: WrittenDeployment): boolean {
  return issuerName(deployment) === LEARNING_PLATFORM.name;
}

/** Settings of a deployment, which only a new one can get. */
const OF_A_NEW_DEPLOYMENT = ['account', 'region', 'alarmEmails', 'restore'] as const;

/**
 * The configuration with the answers added: as a new deployment, or as new tenants of an existing one.
 * @throws {CommandError} usage, if a flag contradicts what is there
 */
export function addDeployment(
  configuration: WrittenConfiguration,
  answers: AnsweredDeployment,
  flags: InitFlags,
): WrittenConfiguration {
  const { environment, platformRegion, tenants, tokens, alarmEmails, account, region, ofIssuer } = answers;
  const deployment = writtenDeployment(configuration, answers);
  const added = ofIssuer?.tenants ?? tenants.map((tenantId) => ({ tenantId, tokens }));
  const { deployments } = configuration;
  const changed = ofIssuer === undefined ? withAddresses(configuration, answers) : configuration;
  if (deployment === undefined) {
    const created = {
      ...(ofIssuer !== undefined && { issuer: ofIssuer.issuer }),
      environment,
      ...(platformRegion !== undefined && { platformRegion }),
      ...(ofIssuer?.tokenBaseUrl !== undefined && { tokenBaseUrl: ofIssuer.tokenBaseUrl }),
      ...(account !== undefined && { account }),
      ...(region !== undefined && { region }),
      ...(answers.hasRestore && { restore: { available: true } }),
      ...(alarmEmails.length > 0 && { alarms: { emails: alarmEmails } }),
      tenants: added,
    };
    return { ...changed, deployments: [...deployments, created] };
  }
  for (const field of OF_A_NEW_DEPLOYMENT) {
    if (flags[field] === undefined) continue;
    const allowed = `nothing: the deployment ${deploymentText(answers)} exists, so change it in the file`;
    throw usageError(flagOf(field), 'a value', allowed);
  }
  const extended = { ...deployment, tenants: [...(deployment.tenants ?? []), ...added] };
  return { ...changed, deployments: deployments.map((each) => (each === deployment ? extended : each)) };
}

/** The configuration with a reserved concurrency for these deployments. */
export function withReservation(
  configuration: WrittenConfiguration,
  deploymentKeys: readonly DeploymentKey[],
): WrittenConfiguration {
  const reserving = deploymentKeys.map((key) => writtenDeployment(configuration, key));
  return {
    ...configuration,
    deployments: configuration.deployments.map((deployment) => {
      if (!reserving.includes(deployment)) return deployment;
      const { tenants, ...settings } = deployment;
      return { ...settings, reservedConcurrency: 1, tenants };
    }),
  };
}

function withAddresses(
  configuration: WrittenConfiguration,
  { environment, platformRegion = 'global', addresses }: AnsweredDeployment,
): WrittenConfiguration {
  const { endpoints } = configuration;
  const ofEnvironment = endpoints[environment] ?? {};
  const all = addAddresses(ofEnvironment[platformRegion] ?? {}, addresses);
  return {
    ...configuration,
    endpoints: { ...endpoints, [environment]: { ...ofEnvironment, [platformRegion]: all } },
  };
}

function addAddresses(known: Addresses, answered: Addresses): Addresses {
  for (const field of ADDRESS_FIELDS) {
    const [before, after] = [known[field], answered[field]];
    if (before === undefined || after === undefined || before === after) continue;
    throw usageError(flagOf(field), 'another address than in the file', `${before}, or a change in the file`);
  }
  return { ...known, ...answered };
}
