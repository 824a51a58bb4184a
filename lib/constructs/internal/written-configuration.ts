import { Stack, Token } from 'aws-cdk-lib';
import * as logs from 'aws-cdk-lib/aws-logs';
import { type IConstruct } from 'constructs';

import { type ConfigurationIssue, issueLine, showPath } from '../../options/configuration-issue';
import { checkConfiguration, ConfigurationError } from '../../options/load';
import {
  type Configuration,
  type DeploymentConfiguration,
  type WrittenConfiguration,
} from '../../options/schema';
import { type DeploymentSettingsProps } from '../deployment-settings';
import { type CodeSigningOptions, type LogSubscriptionOptions, type TracingOptions } from './part-options';
import { type RestoreApiOptions } from '../restore/restore-api';
import { type RoleOptions } from './deployment-role';
import { type RequiredTagOptions } from './required-tags';

/** Fields of a deployment as a configuration file has them. */
export type WrittenDeployment = Partial<WrittenConfiguration['deployments'][number]>;

const UNLIMITED: number = logs.RetentionDays.INFINITE;

/** What CDK returns for a hosted zone before it looked it up: the first synthesis must succeed, so that it can. */
const NOT_LOOKED_UP = 'DUMMY';

/** In an ARN or id that only the deployment knows, so no rule can be violated by it. */
const UNKNOWN = 'unknown-until-deployment';

/** A value for the rules about ARNs, if the real one is known only at deployment. */
export function knownArn(
  arn: string | undefined,
  service: 'kms' | 'sns' | 'acm' | 'wafv2' | 'iam' | 'lambda' | 'logs' | 'events',
  {
    region = 'us-east-1',
    iamResource = 'role',
    lambdaResource = `code-signing-config:${UNKNOWN}`,
  }: { region?: string; iamResource?: 'role' | 'policy'; lambdaResource?: string } = {},
): string | undefined {
  if (arn === undefined || !Token.isUnresolved(arn)) return arn;
  const resource = {
    kms: `key/${UNKNOWN}`,
    sns: UNKNOWN,
    acm: `certificate/${UNKNOWN}`,
    wafv2: `regional/webacl/${UNKNOWN}/id`,
    iam: `${iamResource}/${UNKNOWN}`,
    lambda: lambdaResource,
    logs: `destination:${UNKNOWN}`,
    events: `event-bus/${UNKNOWN}`,
  }[service];
  return `arn:aws:${service}:${service === 'iam' ? '' : region}:000000000000:${resource}`;
}

/** The account and AWS region of a stack, as far as they are known. */
export function placeOf(scope: IConstruct): Pick<WrittenDeployment, 'account' | 'region'> {
  const { account, region } = Stack.of(scope);
  return { account: known(account), region: known(region) };
}

/** The options of a restore API as a configuration file has them. */
export function writtenRestoreApi({
  domainName,
  certificate,
  hostedZone,
  vpcEndpoints,
  auditRetention,
  callerAccounts,
  callerOrganizations,
  webAclArn,
  rateLimit,
  burstLimit,
  usagePlan,
  ratePerIp,
}: RestoreApiOptions): WrittenDeployment['restoreApi'] {
  const hostedZoneId = known(hostedZone?.hostedZoneId);
  const domain = {
    name: domainName!,
    certificateArn: knownArn(certificate?.certificateArn, 'acm')!,
    hostedZoneId: hostedZoneId === NOT_LOOKED_UP ? undefined : hostedZoneId,
  };
  return {
    ...{ rateLimit, burstLimit, usagePlan, ratePerIp },
    callerAccounts: callerAccounts && [...callerAccounts],
    callerOrganizations: callerOrganizations && [...callerOrganizations],
    webAclArn: knownArn(webAclArn, 'wafv2'),
    domain: [domainName, certificate, hostedZone].some((part) => part !== undefined) ? domain : undefined,
    vpcEndpointIds: vpcEndpoints?.map(
      // A stand-in that differs from the others.
      ({ vpcEndpointId: id }, index) => known(id) ?? `vpce-${String(index).padStart(8, '0')}`,
    ),
    auditRetentionDays: writtenRetention(auditRetention),
  };
}

function writtenRoles(roles: RoleOptions | undefined): WrittenDeployment['roles'] {
  if (roles?.existing === undefined) return roles;
  const existing = Object.entries(roles.existing).map(([name, arn]: [string, string | undefined]) => [
    name,
    knownArn(arn, 'iam', { iamResource: name === 'operatorPolicy' ? 'policy' : 'role' }),
  ]);
  return { ...roles, existing: Object.fromEntries(existing) as object };
}

/** The tags that resources must have, as lists that a configuration may hold. */
export function writtenTags({
  requiredTags,
}: {
  readonly requiredTags?: readonly RequiredTagOptions[];
}): WrittenConfiguration['requiredTags'] {
  return requiredTags?.map(({ key, values }) => ({ key, values: values && [...values] }));
}

/** Code signing as a configuration file has it. */
export function writtenCodeSigning(
  options: CodeSigningOptions | undefined,
): WrittenDeployment['codeSigning'] {
  if (options === undefined) return undefined;
  const { configArn, signed } = options;
  const bucket = Token.isUnresolved(signed?.bucket) ? UNKNOWN : signed?.bucket;
  return { ...options, configArn: knownArn(configArn, 'lambda')!, signed: signed && { ...signed, bucket } };
}

/** Tracing as a configuration file has it. */
export function writtenTracing(options: TracingOptions | undefined): WrittenDeployment['tracing'] {
  if (options === undefined) return undefined;
  const { xray, openTelemetry } = options;
  if (openTelemetry !== undefined) {
    const layerArn = knownArn(openTelemetry.layerArn, 'lambda', { lambdaResource: `layer:${UNKNOWN}:1` })!;
    return { opentelemetry: { ...openTelemetry, layerArn, xray } };
  }
  return (xray ?? true) ? 'xray' : undefined;
}

/** A log subscription as a configuration file has it. */
export function writtenLogSubscription(
  options: LogSubscriptionOptions | undefined,
): WrittenDeployment['logSubscription'] {
  if (options === undefined) return undefined;
  const { destinationArn, roleArn } = options;
  // Of a destination that only the deployment knows, nothing is known: not even its service.
  return {
    ...options,
    destinationArn: knownArn(destinationArn, 'logs')!,
    roleArn: knownArn(roleArn, 'iam'),
  };
}

/** A configuration file has no name for an unlimited time, `INFINITE`. */
export function writtenRetention(days: number | undefined): WrittenDeployment['logRetentionDays'] {
  const isLimited = days !== undefined && days !== UNLIMITED;
  return isLimited ? (days as WrittenDeployment['logRetentionDays']) : undefined;
}

/** Undefined if only the deployment knows the value. */
function known(value: string | undefined): string | undefined {
  return Token.isUnresolved(value) ? undefined : value;
}

/** Settings as a configuration file with one deployment has them. @param more fields of that deployment */
export function writtenSettings(
  props: DeploymentSettingsProps,
  more: WrittenDeployment = {},
): WrittenConfiguration {
  const { environment, platformRegion = 'global', tenants, endpoints, local } = props;
  const deployment = {
    environment,
    platformRegion,
    tenants,
    restore: props.restoreOperation,
    credentials: {
      maxAgeDays: props.maxCredentialAge?.toDays({ integral: false }),
      rotationSchedule: props.rotationSchedule,
    },
    fullMonitoring: props.fullMonitoring,
    readerCacheSec: props.maxReaderCache?.toSeconds({ integral: false }),
    tokenRequestsPerSec: props.tokenRequestsPerSec,
    proxy: props.proxy,
    certificateAuthorities: props.certificateAuthorities,
    roles: writtenRoles(props.roles),
    ...more,
    // A local configuration names none.
    ...(local === true && { account: undefined, region: undefined }),
    restoreApi: {
      enabled: props.restoreApi,
      auth: props.restoreAuth,
      apiKeyGraceHours: props.apiKeyGrace?.toHours({ integral: false }),
      ...more.restoreApi,
    },
  };
  return {
    local,
    prefix: props.prefix,
    // No part of the deployment's own constructs, but for a Latchkey that creates it.
    apiGatewayAccount: 'existing',
    endpoints: { [environment]: { [platformRegion]: endpoints } },
    deployments: [deployment],
  } as WrittenConfiguration;
}

/**
 * Checks properties by the rules of the configuration file.
 * @param place the construct, for error messages
 * @param names of properties that have others in this construct, by their names in a {@link Latchkey}
 * @throws {ConfigurationError} with the names of properties
 */
export function checkProps(
  place: string,
  written: WrittenConfiguration,
  names: Readonly<Record<string, string>> = {},
): { configuration: Configuration; configured: DeploymentConfiguration } {
  const late = valuesOfDeployment(written);
  if (late.length > 0) throw propsError(place, late, names);
  const { configuration, issues } = checkConfiguration(written, isKnown);
  if (configuration === undefined) throw propsError(place, issues, names);
  return { configuration, configured: configuration.deployments[0]! };
}

const VALUE_OF_DEPLOYMENT = Symbol('a value that only the deployment knows');

/** Values that no function could read: the settings are written into files at synthesis. */
function valuesOfDeployment(value: unknown, path: (string | number)[] = []): ConfigurationIssue[] {
  if (Token.isUnresolved(value))
    return [{ path, found: VALUE_OF_DEPLOYMENT, allowed: 'one that is known at synthesis' }];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) =>
    valuesOfDeployment(item, [...path, Array.isArray(value) ? Number(key) : key]),
  );
}

function propsError(
  place: string,
  issues: readonly ConfigurationIssue[],
  names: Readonly<Record<string, string>>,
): ConfigurationError {
  const named = (text: string) =>
    Object.entries(names).reduce((all, [name, own]) => all.replaceAll(name, own), text);
  const lines = issues
    .filter(isOfProps)
    .map(({ path, found, allowed }) =>
      issueLine({ path: [named(propertyOf(path))], found, allowed: named(inProps(allowed)) }),
    );
  return new ConfigurationError(place, lines);
}

/** Not about where a file has the addresses; another issue is about the property that says where. */
function isOfProps({ path, found }: ConfigurationIssue): boolean {
  const isPlace = path[0] === 'endpoints' && path.length < 4 && typeof found === 'symbol';
  const isWhole = path[0] === 'deployments' && path.length < 3;
  return !isWhole && (!isPlace || found === VALUE_OF_DEPLOYMENT);
}

/**
 * Not about what only the deployment knows: a stand-in, or the place of a stack without an environment. Nor about tags, which
 * an app adds later.
 */
export function isKnown({ path, found }: ConfigurationIssue): boolean {
  if (typeof found === 'string' && found.includes(UNKNOWN)) return false;
  const field = path[2];
  if (field === 'tags') return false;
  return !(found === undefined && path.length === 3 && (field === 'account' || field === 'region'));
}

/** Names in a configuration file, and the properties that stand for them. The first that fits counts. */
const PROPERTIES: [RegExp, string][] = [
  [/\bdeployments\[0\]\.?/g, ''],
  [/\bendpoints\.(staging|production)\.(global|mea)\b/g, 'endpoints'],
  [/(?<![.\w])restoreApi\.auth\b/g, 'restoreAuth'],
  [/(?<![.\w])restoreApi\.enabled\b/g, 'restoreApi'],
  [/(?<![.\w])restoreApi\.apiKeyGraceHours\b/g, 'apiKeyGrace'],
  [/(?<![.\w])restoreApi\.domain\.certificateArn\b/g, 'restoreApiOptions.certificate'],
  [/(?<![.\w])restoreApi\.domain\.hostedZoneId\b/g, 'restoreApiOptions.hostedZone'],
  [/(?<![.\w])restoreApi\.domain(\.name)?\b/g, 'restoreApiOptions.domainName'],
  [/(?<![.\w])restoreApi\.vpcEndpointIds\b/g, 'restoreApiOptions.vpcEndpoints'],
  [/(?<![.\w])restoreApi\.auditRetentionDays\b/g, 'restoreApiOptions.auditRetention'],
  [/(?<![.\w])restoreApi\./g, 'restoreApiOptions.'],
  [/(?<![.\w])vpcEndpointIds\b/g, 'vpcEndpoints'],
  [/\bauth (iam|platform)\b/g, 'restoreAuth $1'],
  [/(?<![.\w])restore\.(?!example\.)/g, 'restoreOperation.'],
  [/(?<![.\w])credentials\.maxAgeDays\b/g, 'maxCredentialAge'],
  [/(?<![.\w])credentials\.rotationSchedule\b/g, 'rotationSchedule'],
  [/(?<![.\w])readerCacheSec\b/g, 'maxReaderCache'],
  [/(?<![.\w])tracing\.opentelemetry\b/g, 'tracing.openTelemetry'],
  [/(?<![.\w])formerKmsKeyArns\b/g, 'formerEncryptionKeys'],
  [/(?<=replicaRegions\[\d+\]\.)kmsKeyArn\b/g, 'encryptionKey'],
  [/(?<![.\w])kmsKeyArn\b/g, 'encryptionKey'],
  [/(?<![.\w])logsKmsKeyArn\b/g, 'logsEncryptionKey'],
  [/(?<![.\w])alarms\.topicArn\b/g, 'alarmTopic'],
  [/\btopicArn, topicKmsKeyArn, emails, /g, ''],
  [/(?<![.\w])(alarms\.)?topicKmsKeyArn\b/g, 'alarmTopicKey'],
  [/(?<![.\w])topicArn\b/g, 'alarmTopic'],
  [/(?<![.\w])alarms\.emails\b/g, 'alarmEmails'],
  [/(?<![.\w])alarms\./g, 'alarmThresholds.'],
  [/(?<![.\w])events\.eventBusArn\b/g, 'events.eventBus'],
  [/(?<![.\w])logRetentionDays\b/g, 'logRetention'],
  [/(?<![.\w])secretReaders\.breakGlassRoleArn\b/g, 'secretReaders.breakGlassRole'],
];

/** The property of a path in a configuration file. */
export function propertyOf(path: ConfigurationIssue['path']): string {
  const [field] = path;
  return inProps(showPath(field === 'deployments' ? ['deployments', 0, ...path.slice(2)] : path));
}

function inProps(text: string): string {
  return PROPERTIES.reduce((all, [name, property]) => all.replace(name, property), text);
}
