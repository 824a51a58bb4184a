import { existsSync } from 'node:fs';
import { resolve } from 'node:path';

import { CloudWatchClient } from '@aws-sdk/client-cloudwatch';
import { LambdaClient } from '@aws-sdk/client-lambda';
import { SchedulerClient } from '@aws-sdk/client-scheduler';
import { SecretsManagerClient, type SecretsManagerClientConfig } from '@aws-sdk/client-secrets-manager';
import { SSMClient } from '@aws-sdk/client-ssm';
import { GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts';

import { type DeploymentFile } from '../core/deployment/deployment-file';
import { type DeploymentSnapshot, type WatchEvent } from '../core/deployment/deployment-snapshot';
import { type ParameterLeaf } from '../core/deployment/parameter-names';
import { LEARNING_PLATFORM } from '../core/issuers/learning-platform';
import { ENVIRONMENTS, PLATFORM_REGIONS } from '../core/deployment/platform';
import { DEFAULT_PREFIX } from '../core/secrets/secret-names';
import { shellWord } from '../core/commands/shell-word';
import { sendHttps } from '../lambdas/shared/adapters/https-client';
import { optionsOf } from '../lib/options/checked-options';
import { deploymentFileOf } from '../lib/options/compose-deployment-file';
import { ConfigurationError } from '../lib/options/configuration-error';
import { loadConfiguration } from '../lib/options/load';
import { replicasOf } from '../lib/options/replica-regions-settings';
import { type Configuration, type DeploymentConfiguration } from '../lib/options/schema';
import { deploymentStackName } from '../core/deployment/stack-names';
import { type DeploymentKey, deploymentKeyOf } from '../core/tokens/token-key';
import { type AskMfaCode, AwsIdentity } from './aws-identity';
import { type ChosenProfile, chooseProfile } from './aws-profile';
import { type Bootstrap, bootstrapParameter } from './bootstrap-check';
import { callAws } from './call-aws';
import { CommandError, usageError } from './command-error';
import { flagOf, flagsText } from './command-text';
import { findDeployment, requireLocation } from './deployment-location';
import {
  readPublishedParameter,
  readParameter,
  restoreAuthOf,
  restoreUrlOf,
  sendsEvents,
} from './deployment-parameters';
import { type EnvironmentNetwork } from './environment-network';
import { EXIT } from './exit-codes';
import { invokeFunction } from './invoke-function';
import { requireWord } from './options';
import { showFile } from './safe-text';
import { tenantsIn } from './tenants-in';
import {
  type Deployment,
  type Location,
  type RestoreLogs,
  type System,
  DEFAULT_CONFIGURATION,
} from './system';
import { type Terminal } from './terminal';
import { cloudTrailOf, recordingTrail } from './trails';

/** How to reach AWS and the platform, if not as the profile and the environment say. */
export interface Access {
  /** Added to the settings of all SDK clients. */
  readonly clientConfig: Pick<SecretsManagerClientConfig, 'credentials' | 'endpoint' | 'systemClockOffset'>;
  readonly sendRequest: System['sendRequest'];
}

interface ConfigurationFlags {
  /** `--config`, else LATCHKEY_CONFIG. */
  readonly config: string | undefined;
  readonly workingDir: string;
}

/** The flags that name a deployment without a configuration file. */
interface PublishedFlags {
  readonly issuer?: string | undefined;
  readonly environment?: string | undefined;
  readonly platformRegion?: string | undefined;
  readonly prefix?: string | undefined;
}

interface ConfiguredSystemOptions extends ConfigurationFlags, PublishedFlags {
  /** `--profile` */
  readonly profile: string | undefined;
  /** Where AWS_PROFILE and credentials may be. @default none */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** `--account`; only for the commands that are printed. */
  readonly account?: string | undefined;
  readonly interrupted: AbortSignal;
  readonly access?: Access;
  /** Undefined if calls leave directly. */
  readonly network?: EnvironmentNetwork | undefined;
  /** @default nobody can be asked */
  readonly terminal?: Pick<Terminal, 'askHidden' | 'isInteractive'>;
}

/**
 * The deployments of a configuration file, on AWS. Makes no AWS calls.
 * @throws {CommandError} usage, if there is no valid configuration
 */
export function openConfiguredSystem(options: ConfiguredSystemOptions): System {
  const configuration = readConfiguration(options);
  const clientsOf = clientsFor(options);
  const deployments = configuration.deployments.map((deployment, index) => {
    const chosen = profileOf(deployment, index, options);
    const clients = clientsOf(deployment.region, chosen);
    const file = deploymentFileOf(optionsOf(configuration, deployment));
    return makeDeployment({ file, configuration: deployment }, clients, {
      ...options,
      profile: chosen?.name,
    });
  });
  return systemOf(deployments, options);
}

function systemOf(
  deployments: Deployment[],
  { config, prefix, profile, account, access, network }: ConfiguredSystemOptions,
): System {
  return {
    deployments,
    flags: flagsText({
      '--config': config,
      '--prefix': prefix,
      '--profile': profile,
      '--account': account,
    }),
    sendRequest: access?.sendRequest ?? network?.sendRequest ?? sendHttps,
    clockAheadMs: access?.clientConfig.systemClockOffset ?? 0,
  };
}

/**
 * The system that the flags select: the deployments of a configuration file. Without a file, as for a deployment made by constructs,
 * it is the deployment that `--environment` and the flags beside it name; SSM parameters and credential-watch describe it.
 * @throws {CommandError}
 */
export async function openSystemOnAws(options: ConfiguredSystemOptions): Promise<System> {
  const { config, environment, prefix } = options;
  const isWithoutFile = config === undefined && !existsSync(configurationFile(options));
  if (prefix !== undefined && !isWithoutFile)
    throw usageError('--prefix', 'a value with a configuration', 'only one of them');
  if (!isWithoutFile || environment === undefined) return openConfiguredSystem(options);
  return openPublishedSystem(options, publishedKey({ ...options, environment }));
}

async function openPublishedSystem(
  options: ConfiguredSystemOptions,
  deploymentKey: DeploymentKey,
): Promise<System> {
  const { profile, prefix = DEFAULT_PREFIX, env = {} } = options;
  const chosen = chooseProfile(profile, env, undefined);
  const clients = clientsFor(options)(undefined, chosen);
  const shared = { ...options, profile: chosen?.name };
  const names = { ...deploymentKey, prefix };
  // Enough to ask the deployment itself about the rest.
  const onlyNamed = makeDeployment({ file: { ...NO_SETTINGS, ...names } }, clients, shared);
  const event: WatchEvent = { action: 'report', tenantIds: [] };
  const { deployment: file } = await invokeFunction<DeploymentSnapshot>(
    onlyNamed,
    'credential-watch-arn',
    event,
    { interrupted: options.interrupted, timeoutMs: REPORT_TIMEOUT_MS },
  );
  return systemOf([makeDeployment({ file }, clients, shared)], options);
}

/** @throws {CommandError} usage */
function publishedKey({
  issuer,
  environment,
  platformRegion,
}: PublishedFlags & { environment: string }): DeploymentKey {
  if (issuer !== undefined && issuer !== LEARNING_PLATFORM.name) {
    const named = Object.entries({ issuer, environment, platformRegion });
    for (const [name, value] of named) {
      if (value !== undefined && !/^[A-Za-z0-9-]+$/.test(value))
        throw usageError(flagOf(name), 'something else', 'letters, digits and -');
    }
    return { issuer, environment, ...(platformRegion !== undefined && { platformRegion }) };
  }
  requireWord('--environment', environment, ENVIRONMENTS);
  const region = platformRegion ?? 'global';
  requireWord('--platform-region', region, PLATFORM_REGIONS);
  return { environment, platformRegion: region };
}

const REPORT_TIMEOUT_MS = 60_000;
const NO_SETTINGS = { tenants: [], platform: {}, profile: LEARNING_PLATFORM };

/** Path of the configuration file. */
export function configurationFile({ config, workingDir }: ConfigurationFlags): string {
  return resolve(workingDir, config ?? DEFAULT_CONFIGURATION);
}

/** Reads the configuration file. @throws {CommandError} usage, if there is no valid one */
export function readConfiguration({ config, workingDir }: ConfigurationFlags): Configuration {
  const file = configurationFile({ config, workingDir });
  if (config === undefined && !existsSync(file)) {
    throw usageError(
      'configuration',
      `no ${DEFAULT_CONFIGURATION}`,
      'that file, or one given with --config or LATCHKEY_CONFIG',
      'To write one: `latchkey init`. For the running laptop system, add --local. For a deployment of a CDK app, without a ' +
        'file, add --environment, and --issuer, --platform-region or --prefix if they are not the usual ones.',
    );
  }
  if (!existsSync(file)) {
    throw usageError('configuration', `that ${showFile(file)} cannot be read (ENOENT)`, 'a readable file');
  }
  let configuration: Configuration;
  try {
    configuration = loadConfiguration(file);
  } catch (error) {
    if (error instanceof ConfigurationError) throw new CommandError(EXIT.usage, 'usage', error.message);
    throw error;
  }
  if (configuration.local) {
    throw usageError(
      'local',
      'true in the configuration',
      'a configuration for an AWS account',
      'This configuration is for the laptop system: start it with `npm start`, and add --local.',
    );
  }
  return configuration;
}

interface Clients extends Pick<
  Deployment,
  'secretsManager' | 'lambda' | 'cloudWatch' | 'scheduler' | 'ssm' | 'signIn'
> {
  logsConfig: RestoreLogs['clientConfig'];
  sts: STSClient;
}

/** The AWS profile of a deployment, and what named it. */
function profileOf(
  { awsProfile }: DeploymentConfiguration,
  index: number,
  { profile, env = {} }: ConfiguredSystemOptions,
): ChosenProfile | undefined {
  const configured =
    awsProfile === undefined ? undefined : { name: awsProfile, source: `deployments[${index}].awsProfile` };
  return chooseProfile(profile, env, configured);
}

/** Makes the clients for a region and profile once, for all deployments there. */
function clientsFor(
  options: ConfiguredSystemOptions,
): (region: string | undefined, profile: ChosenProfile | undefined) => Clients {
  const askMfaCode = mfaCodesOf(options);
  const identities = new Map<string | undefined, AwsIdentity>();
  const clientsOf = new Map<string, Clients>();
  return (region, profile) => {
    const shared = sharedSettings(region, profile?.name, options);
    const identity = identities.get(profile?.name) ?? new AwsIdentity(shared, profile, askMfaCode);
    identities.set(profile?.name, identity);
    const key = JSON.stringify([region, profile?.name]);
    const clients = clientsOf.get(key) ?? makeClients(shared, identity, options.network);
    clientsOf.set(key, clients);
    return clients;
  };
}

/** Asks for one MFA code after the other, in the words of the AWS CLI. */
function mfaCodesOf({ terminal }: ConfiguredSystemOptions): AskMfaCode {
  let previousCode: Promise<unknown> = Promise.resolve();
  return (serial) => {
    if (terminal?.isInteractive !== true) throw nobodyToAsk(serial);
    const code = previousCode.then(() => terminal.askHidden(`Enter MFA code for ${serial}:`));
    previousCode = code.catch(() => undefined);
    return code;
  };
}

function nobodyToAsk(serial: string): CommandError {
  return usageError(
    `MFA code for ${serial}`,
    'nobody to ask',
    'an answer at a terminal',
    'For a program, use a role or profile without MFA, or credentials of a session that has it: ' +
      '`aws sts get-session-token`',
  );
}

function sharedSettings(
  region: string | undefined,
  profile: string | undefined,
  { access, network }: ConfiguredSystemOptions,
) {
  return {
    // For the calls that sign in.
    ...(network && { requestHandler: { connectionTimeout: 3_000, ...network.agents } }),
    ...(region !== undefined && { region }),
    ...(profile !== undefined && { profile }),
    ...access?.clientConfig,
  };
}

function makeClients(
  settings: ReturnType<typeof sharedSettings>,
  identity: AwsIdentity,
  network: EnvironmentNetwork | undefined,
): Clients {
  const shared = { ...settings, credentials: identity.credentials, maxAttempts: 5 };
  const connecting = { connectionTimeout: 3_000, ...network?.agents };
  const requestHandler = { ...connecting, requestTimeout: 10_000, throwOnRequestTimeout: true };
  return {
    signIn: (interrupted) => identity.signIn(interrupted),
    secretsManager: new SecretsManagerClient({ ...shared, requestHandler }),
    // No request timeout: each invocation sets its own.
    lambda: new LambdaClient({ ...shared, requestHandler: connecting }),
    cloudWatch: new CloudWatchClient({ ...shared, requestHandler }),
    scheduler: new SchedulerClient({ ...shared, requestHandler }),
    ssm: new SSMClient({ ...shared, requestHandler }),
    sts: new STSClient({ ...shared, requestHandler }),
    logsConfig: { ...shared, requestHandler },
  };
}

/** What a deployment is made from. */
interface DeploymentSources {
  readonly file: DeploymentKey & Pick<DeploymentFile, 'prefix' | 'tenants' | 'platform' | 'profile'>;
  /** Its part of the configuration file. @default its account, region and replicas are not known */
  readonly configuration?: DeploymentConfiguration;
}

function makeDeployment(
  { file, configuration }: DeploymentSources,
  { ssm, sts, logsConfig, ...clients }: Clients,
  options: ConfiguredSystemOptions,
): Deployment {
  const { prefix } = file;
  const deploymentKey = deploymentKeyOf(file);
  const stackName = deploymentStackName(prefix, deploymentKey);
  const named = { ...deploymentKey, prefix, stackName, signIn: clients.signIn };
  const { interrupted } = options;
  const published = cached((leaf: ParameterLeaf) => readPublishedParameter(ssm, named, leaf, interrupted));
  const parameter = async (leaf: ParameterLeaf) => (await published(leaf)).value;
  let located: Location | undefined;
  const requireHere = async (arn: string) => {
    const { account = located?.account, region = await ssm.config.region() } = configuration ?? {};
    requireLocation(arn, { account, region }, stackName);
  };
  const functionArn: Deployment['functionArn'] = async (leaf) => {
    const arn = await parameter(leaf);
    await requireHere(arn);
    return arn;
  };
  return {
    ...named,
    // Without a configuration, the file is what is deployed: there is nothing to compare it with.
    configured: configuration && (file as DeploymentFile),
    issuing: file,
    ...(configuration && {
      concurrency: { reserved: configuration.reservedConcurrency },
      trail: {
        isUsed: configuration.trailEvents,
        find: () => recordingTrail(cloudTrailOf(clients.lambda, endpointOf(options))),
      },
      // The command is known only for the app that reads the configuration.
      bootstrap: bootstrapOf(configuration, options, async (name) => {
        const { arn, value } = await readParameter(ssm, name, named, interrupted);
        if (arn !== undefined) await requireHere(arn);
        return value;
      }),
    }),
    callerAccount: async () => {
      const call = { action: 'sts:GetCallerIdentity', resource: '*', deployment: named, interrupted };
      const { Account } = await callAws(call, (send) => sts.send(new GetCallerIdentityCommand(), send));
      return Account;
    },
    replicaRegions: replicasOf(configuration?.replicaRegions).map(({ region }) => region),
    tenants: tenantsIn(file),
    ...clients,
    ssm,
    location: {
      isNamed: configuration?.account !== undefined,
      find: async (secretIds) => {
        const sources = {
          deployment: { ...named, secretsManager: clients.secretsManager },
          functionParameter: () => published('credential-watch-arn'),
          requireHere,
          interrupted,
        };
        return (located = await findDeployment(sources, secretIds));
      },
    },
    functionArn,
    sendsEvents: () => sendsEvents(parameter),
    restoreApi: async () => {
      const url = await restoreUrlOf(parameter, stackName);
      // The function's ARN contains the account, which the address does not.
      const [auth] = await Promise.all([restoreAuthOf(functionArn), functionArn('restore-arn')]);
      return { url, auth, clockAheadMs: ssm.config.systemClockOffset };
    },
    restoreLogs: async () => {
      await restoreUrlOf(parameter, stackName);
      // As above: the group's name does not contain the account.
      const [logGroupName] = await Promise.all([parameter('restore-log-group'), functionArn('restore-arn')]);
      return { logGroupName, clientConfig: logsConfig };
    },
  };
}

/** The address of all services, if they are not AWS's. */
function endpointOf({ access, env = {} }: ConfiguredSystemOptions): string | undefined {
  const { endpoint } = access?.clientConfig ?? {};
  return typeof endpoint === 'string' ? endpoint : env.AWS_ENDPOINT_URL;
}

function bootstrapOf(
  { account, region }: DeploymentConfiguration,
  { config, profile, workingDir }: ConfiguredSystemOptions,
  read: (parameter: string) => Promise<string>,
): Bootstrap {
  const parameter = bootstrapParameter(workingDir);
  const contextFlags = config === undefined ? [] : [`-c config=${shellWord(config)}`];
  const command = [
    'npx cdk bootstrap',
    ...(account === undefined || region === undefined ? contextFlags : [`aws://${account}/${region}`]),
    ...(profile === undefined ? [] : [`--profile ${shellWord(profile)}`]),
  ].join(' ');
  return { parameter, command, version: () => read(parameter) };
}

/** Caches what was read; failures are not cached. */
function cached<T>(read: (leaf: ParameterLeaf) => Promise<T>): (leaf: ParameterLeaf) => Promise<T> {
  const cache = new Map<string, Promise<T>>();
  return (leaf) => {
    const reading = cache.get(leaf) ?? read(leaf);
    cache.set(leaf, reading);
    reading.catch(() => cache.delete(leaf));
    return reading;
  };
}
