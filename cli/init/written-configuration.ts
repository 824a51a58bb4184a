import { issuerName, LEARNING_PLATFORM } from '../../core/issuers/learning-platform';
import { type DeploymentKey } from '../../core/tokens/token-key';
import { profileOf } from '../../lib/options/issuers';
import { usageError } from '../command-error';
import { flagOf } from '../command-text';
import { ADDRESS_FIELDS, type Addresses, type AnsweredDeployment, type WrittenDeployment } from './answers';

/** The parts of a configuration file that `latchkey init` reads and changes. Other fields stay as they are. */
export interface WrittenConfiguration {
  $schema?: string;
  endpoints?: Partial<Record<string, Partial<Record<string, Addresses>>>> | undefined;
  deployments: WrittenDeployment[];
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

/**
 * The configuration with the answers added: as a new deployment, or as new tenants of an existing one.
 * @throws {CommandError} usage, if an address contradicts the one that is there
 */
export function addDeployment(
  configuration: WrittenConfiguration,
  answers: AnsweredDeployment,
): WrittenConfiguration {
  const { deployments } = configuration;
  const existing = writtenDeployment(configuration, answers);
  const { tenants = [], ...settings } = existing ?? answers.deployment;
  const added = { ...settings, tenants: [...tenants, ...answers.tenants] };
  return {
    ...configuration,
    endpoints: endpointsWith(configuration, answers),
    deployments:
      existing === undefined
        ? [...deployments, added]
        : deployments.map((each) => (each === existing ? added : each)),
  };
}

/** The configuration with a reserved concurrency for these deployments. */
export function withReservation(
  configuration: WrittenConfiguration,
  deploymentKeys: readonly DeploymentKey[],
): WrittenConfiguration {
  const reserving = deploymentKeys.map((key) => writtenDeployment(configuration, key));
  return {
    ...configuration,
    deployments: configuration.deployments.map((deployment) =>
      reserving.includes(deployment) ? { ...deployment, reservedConcurrency: 1 } : deployment,
    ),
  };
}

function endpointsWith(
  { endpoints }: WrittenConfiguration,
  { environment, platformRegion = 'global', addresses }: AnsweredDeployment,
): WrittenConfiguration['endpoints'] {
  if (addresses === undefined) return endpoints;
  const ofEnvironment = endpoints?.[environment] ?? {};
  const all = addAddresses(ofEnvironment[platformRegion] ?? {}, addresses);
  return { ...endpoints, [environment]: { ...ofEnvironment, [platformRegion]: all } };
}

function addAddresses(existing: Addresses, answered: Addresses): Addresses {
  for (const field of ADDRESS_FIELDS) {
    const [before, after] = [existing[field], answered[field]];
    if (before === undefined || after === undefined || before === after) continue;
    throw usageError(flagOf(field), 'another address than in the file', `${before}, or a change in the file`);
  }
  return { ...existing, ...answered };
}
