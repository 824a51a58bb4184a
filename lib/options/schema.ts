import { z } from 'zod';

import {
  DEFAULT_TOKEN_REQUESTS_PER_SEC,
  MIN_TOKEN_REQUESTS_PER_SEC,
  MAX_TOKEN_REQUESTS_PER_SEC,
} from '../../core/deployment/deployment-file';
import { ENVIRONMENTS, PLATFORM_REGIONS } from '../../core/deployment/platform';
import { type IssuerProfile } from '../../core/issuers/issuer-profile';
import { LEARNING_PLATFORM } from '../../core/issuers/learning-platform';
import { type DeploymentKey } from '../../core/tokens/token-key';
import { DEFAULT_PREFIX } from '../../core/secrets/secret-names';
import { promiseOf, DEFAULT_READER_CACHE_SEC } from '../../core/tokens/lifetimes';
import { ADDRESS_RULE } from '../../core/deployment/platform-address';
import { alarms } from './alarm-settings';
import { accountId, awsName, LATE_OR_LIST, lateKeyArn } from './arn';
import { certificateAuthorities } from './certificate-authorities-settings';
import { proxy } from './proxy-settings';
import { eventSettings } from './event-settings';
import { codeSigning } from './code-signing-settings';
import { quotas } from './quota-settings';
import { logRetentionDays } from './log-retention';
import { requiredTags } from './required-tags-settings';
import { logsKmsKeyArn } from './log-settings';
import { restoreApi } from './restore-api-settings';
import { awsRegion, replicaRegions } from './replica-regions-settings';
import { restore } from './restore-settings';
import { roles } from './roles-settings';
import { ROTATION_SCHEDULE, ROTATION_SCHEDULE_RULE } from './rotation-schedule';
import { secretReaders } from './secret-readers-settings';
import { tags } from './tags';
import { absent, ifOffered } from './issuer-offers';
import { lowerCaseName } from './issuer-profile-settings';
import { ANY_ISSUER, isLearningPlatform } from './issuers';
import { tenantOf } from './tenant-settings';
import { tracing } from './tracing-settings';

/*
 * Every `error` below follows "allowed: " in a message (see `issueLine`).
 * Rules that span several fields are in ./rules.ts.
 */

const address = z.string({ error: ADDRESS_RULE }).meta({ format: 'uri', description: ADDRESS_RULE });

const platformAddresses = z
  .strictObject({
    contentBaseUrl: address.describe('Base URL of the content interface, including its version path.'),
    contentTokenBaseUrl: address.describe(
      'Token base URL of the content interface; /oauth2/token/TENANT is appended. Differs between platform regions.',
    ),
    webhooksBaseUrl: address.optional().describe('Base URL of the webhooks interface.'),
    webhooksTokenBaseUrl: address
      .optional()
      .describe(
        'Token base URL of the webhooks interface. Differs from the content interface’s. Required if a webhooks token is declared.',
      ),
    tenantServiceUrl: address
      .optional()
      .describe(
        'URL of the tenant service, which generates API keys. An environment has one for both platform regions.',
      ),
  })
  .describe('Addresses of the platform in one environment and platform region.');

const DAYS = 'whole days from 15 to 365';

const credentials = z.strictObject({
  maxAgeDays: z
    .int({ error: DAYS })
    .min(15, { error: DAYS })
    .max(365, { error: DAYS })
    .default(90)
    .describe(
      'Age in days at which a credential must be rotated. alarms.rotationNoticeDays warns in advance.',
    ),
  rotationSchedule: z
    .string({ error: ROTATION_SCHEDULE_RULE })
    .regex(ROTATION_SCHEDULE, { error: ROTATION_SCHEDULE_RULE })
    .default('cron(0 8 1 */3 ? *)')
    .describe(
      'When Secrets Manager rotates credentials, in UTC. The rotation fails if nobody has staged a new credential, because only people can get one. "none": only on request.',
    ),
});

const TOKEN_REQUESTS = `whole requests per second from ${MIN_TOKEN_REQUESTS_PER_SEC} to ${MAX_TOKEN_REQUESTS_PER_SEC}`;

const CACHE_SEC = 'whole seconds from 0';

const isWithoutRepeats = (list: readonly string[]) => new Set(list).size === list.length;

const NO_RESTORE = restore.parse({});
const NO_RESTORE_API = { ...restoreApi.parse({}), enabled: false };

/** The option `issuer`, whose profile has been read and checked already. Its output is the name of the profile. */
function issuerOf(profile: IssuerProfile) {
  const issuer = isLearningPlatform(profile)
    ? z
        .literal(LEARNING_PLATFORM.name)
        .optional()
        .transform(() => undefined)
    : z.unknown().transform(() => profile.name);
  return issuer.describe(ISSUER) as unknown as z.ZodOptional<z.ZodType<string, string | IssuerProfile>>;
}

const ISSUER =
  'Who issues the tokens: the name of a profile that Latchkey has (docs/issuers.md), or the path of a JSON file with one. Default: the learning platform.';

function oneOf(names: readonly string[]) {
  return z.enum(names as [string, ...string[]], { error: names.join(', ') });
}

/** The option `platformRegion`: any name if the profile's list is empty, absent if the profile has no list. */
function regionOf(profile: IssuerProfile) {
  const { title, regions } = profile;
  const any = lowerCaseName.optional();
  if (regions === undefined) return absent<typeof any>(`${title} has no regions`, undefined);
  if (regions.length === 0) return any;
  const region = isLearningPlatform(profile) ? oneOf(regions).default(regions[0]!) : oneOf(regions);
  return region as unknown as typeof any;
}

/** Makes one schema for each profile. */
function byProfile<Schema>(make: (profile: IssuerProfile) => Schema): (profile: IssuerProfile) => Schema {
  const made = new WeakMap<IssuerProfile, Schema>();
  return (profile) => {
    const schema = made.get(profile) ?? make(profile);
    made.set(profile, schema);
    return schema;
  };
}

/** Options of a deployment, the same in a file and for a construct. */
const deploymentOptionsOf = (profile: IssuerProfile) => ({
  issuer: issuerOf(profile),
  profile: absent<z.ZodOptional<z.ZodType<IssuerProfile>>>('issuer names it', profile),
  environment: (profile.environments === undefined
    ? lowerCaseName
    : (oneOf(profile.environments) as unknown as typeof lowerCaseName)
  ).describe(
    isLearningPlatform(profile)
      ? 'The platform’s environment that the deployment serves.'
      : 'The issuer’s environment that the deployment serves. Any name, unless the profile lists them.',
  ),
  platformRegion: regionOf(profile).describe(
    isLearningPlatform(profile)
      ? 'Region of the platform, not an AWS region. global: every region except MEA.'
      : 'Region of the issuer, not an AWS region. Only if the profile has regions.',
  ),
  tokenBaseUrl: (isLearningPlatform(profile)
    ? absent<z.ZodOptional<typeof address>>('the learning platform has endpoints', undefined)
    : address.optional()
  ).describe(
    'Base URL of the token endpoint, for an issuer whose profile has none, or in place of the profile’s: a gateway, or a sandbox on the laptop.',
  ),
  tenants: z
    .array(tenantOf(profile), { error: 'a list of tenants' })
    .default([])
    .describe('Tenants whose credentials and tokens Latchkey manages. Each tenant gets its own stack.'),
  restore: ifOffered(profile, 'restore', restore.prefault({}), NO_RESTORE).describe(
    'The platform’s restore operation, where it differs from the defaults.',
  ),
  restoreApi: ifOffered(profile, 'restore', restoreApi.prefault({}), NO_RESTORE_API).describe(
    'The deployment’s HTTPS API for restoring content: who may call it, how often, and at which address.',
  ),
  credentials: credentials
    .prefault({})
    .describe('Maximum age of client credentials and API keys, and when they rotate.'),
  readerCacheSec: z
    .int({ error: CACHE_SEC })
    .min(0, { error: CACHE_SEC })
    .default(Math.max(0, Math.min(DEFAULT_READER_CACHE_SEC, promiseOf(profile).guaranteedLifeSec - 1)))
    .describe(
      'Maximum time in seconds that any reader caches a token: less than the guaranteed validity of a stored token, 600 for tokens of an hour.',
    ),
  reservedConcurrency: z
    .union([z.literal(1), z.literal('none')], { error: '1, "none"' })
    .optional()
    .describe(
      'Reserved concurrency of each token function. 1: one token request per renewal, whatever the number of callers; latchkey init writes it if the account has room. "none", or not set: a renewal may cost one token request per process. Not set, latchkey doctor says if the account has room.',
    ),
  tokenRequestsPerSec: z
    .int({ error: TOKEN_REQUESTS, abort: true })
    .min(MIN_TOKEN_REQUESTS_PER_SEC, { error: TOKEN_REQUESTS })
    .max(MAX_TOKEN_REQUESTS_PER_SEC, { error: TOKEN_REQUESTS })
    .optional()
    .describe(
      `Token requests per second that token-sweep sends at most, for all tenants together. It decides how many tokens the deployment keeps fresh. Default: ${DEFAULT_TOKEN_REQUESTS_PER_SEC}.`,
    ),
  kmsKeyArn: lateKeyArn()
    .optional()
    .describe(
      'An existing KMS key for the secrets, instead of a new one. Before you change it, list the old one in formerKmsKeyArns.',
    ),
  formerKmsKeyArns: z
    .array(lateKeyArn())
    .max(2, { error: 'at most two keys' })
    .optional()
    .describe(
      'Keys that the secrets had before, including one that Latchkey created: secrets still encrypted with them stay readable and writable while the key changes. Remove a key once no version uses it.',
    ),
  vpc: z
    .strictObject({
      vpcId: awsName(/^vpc-[0-9a-f]+$/, 'a VPC id (vpc-…)').describe(
        'Your VPC, in the deployment’s account and region.',
      ),
      subnetIds: z
        .array(awsName(/^subnet-[0-9a-f]+$/, 'a subnet id (subnet-…)', LATE_OR_LIST))
        .min(1, { error: 'at least one subnet id' })
        .refine(isWithoutRepeats, { error: 'each subnet id once' })
        .describe('Subnets of that VPC for the functions.'),
      securityGroupIds: z
        .array(awsName(/^sg-[0-9a-f]+$/, 'a security group id (sg-…)', LATE_OR_LIST))
        .min(1, { error: 'at least one security group id' })
        .refine(isWithoutRepeats, { error: 'each security group id once' })
        .describe('Security groups of the functions. They must allow outbound HTTPS.'),
    })
    .optional()
    .describe('Runs the functions in your VPC. The platform and AWS must be reachable from there.'),
  proxy: proxy
    .optional()
    .describe('An HTTP proxy through which the functions call the platform. Default: none.'),
  certificateAuthorities: certificateAuthorities
    .optional()
    .describe(
      'Certificate authorities that the functions trust besides the usual ones, for example of a proxy that opens TLS. Default: none.',
    ),
  roles: roles.prefault({}).describe('Path and names of the roles.'),
  logsKmsKeyArn,
  codeSigning: codeSigning
    .optional()
    .describe('Has Lambda accept only functions whose code was signed by AWS Signer.'),
  tracing: tracing
    .optional()
    .describe(
      'Records traces of every function and of the restore API: "xray" with AWS X-Ray, or with OpenTelemetry. Default: off.',
    ),
  auditSecrets: z
    .boolean()
    .default(false)
    .describe(
      'Notifies the alarm topic when others than secretReaders.credentials and Latchkey’s functions read a credential, and when a secret is deleted or copied, its policy is changed, or the key is disabled. Requires a CloudTrail trail.',
    ),
  secretReaders: secretReaders
    .optional()
    .describe(
      'Denies reading secret values to everybody else in the account, by the secrets’ own policies. Default: IAM policies alone decide.',
    ),
  events: eventSettings
    .optional()
    .describe(
      'Sends an event to EventBridge when a token was renewed, or a credential rotated or revoked. true: to the default event bus. Default: no events.',
    ),
  dashboard: z
    .boolean()
    .default(false)
    .describe(
      'A CloudWatch dashboard of alarms and metrics, for USD 3 a month. latchkey status shows the same alarms, and they notify without it.',
    ),
  fullMonitoring: z
    .boolean()
    .default(false)
    .describe(
      'Adds alarms that notify nobody, and metrics that no alarm needs, for about USD 2 a month. Without them, findings are in latchkey status, and the values in the log.',
    ),
  trailEvents: z
    .boolean()
    .default(false)
    .describe(
      'Checks credentials when the account’s trail reports a change, and every hour, instead of every five minutes. Requires a CloudTrail trail of management events.',
    ),
  replicaRegions,
  logRetentionDays: logRetentionDays.default(90).describe('Log retention in days.'),
  alarms: alarms.prefault({}).describe('Who is notified, and the alarm thresholds.'),
});

/** In a file only: a construct has the account, region, tags and so on of its stack. */
const stackOptions = {
  account: accountId
    .optional()
    .describe(
      'AWS account id, 12 digits as a string. Commands refuse any other. Default: the account of your AWS credentials, and commands ask.',
    ),
  region: awsRegion
    .optional()
    .describe('AWS region. Commands refuse any other. Default: the region of your AWS profile.'),
  awsProfile: z
    .string()
    .regex(/^[\w@+.%:/-]+$/, { error: 'the name of an AWS profile: letters, digits and _@+.%:/-' })
    .optional()
    .describe(
      'The AWS profile of the latchkey command. --profile, AWS_PROFILE and credentials in the environment go before it. Deploying is not affected. Default: none.',
    ),
  permissionsBoundaryArn: z
    .string()
    .regex(/^arn:aws[a-z-]*:iam::(\d{12}|aws):policy\/.+$/, { error: 'the ARN of a managed policy' })
    .optional()
    .describe('A managed policy to use as the permissions boundary of every role.'),
  terminationProtection: z
    .boolean()
    .default(false)
    .describe('Protects every stack of the deployment from deletion, until you set it to false and deploy.'),
  tags: tags.default({}).describe('Tags for every resource.'),
};

export const prefixOption = z
  .string()
  .regex(/^[a-z][a-z0-9-]{0,28}$/, {
    error: '1–29 lower-case letters, digits and -, starting with a letter',
  })
  // https://docs.aws.amazon.com/systems-manager/latest/APIReference/API_PutParameter.html (Name)
  .refine((prefix) => !/^(aws|ssm)/.test(prefix), {
    error: 'one that does not start with aws or ssm, which AWS reserves for parameters of its own',
  })
  .default(DEFAULT_PREFIX)
  .describe('Prefix of the names of stacks, secrets and parameters.');

/** Options of a whole file, or of a construct. */
const appOptions = {
  local: z
    .boolean()
    .default(false)
    .describe(
      'A configuration for the laptop: only loopback addresses with a port, cannot be deployed to an account.',
    ),
  prefix: prefixOption,
  apiGatewayAccount: z
    .enum(['managed', 'existing'], { error: 'managed, existing' })
    .default('managed')
    .describe(
      'API Gateway has one logging role per account and AWS region. managed: Latchkey creates it, and it replaces one that is set already, for all APIs there. existing: you have set it up.',
    ),
  requiredTags: requiredTags
    .default([])
    .describe('Tags that every deployment must have in tags, by key, or by key and allowed values.'),
};

/** A deployment in a file, by the profile of its issuer. */
const deploymentSchemaOf = byProfile((profile) =>
  z.strictObject({ ...deploymentOptionsOf(profile), ...stackOptions }),
);

/** One schema for each deployment, unless they have the same issuer. */
function deploymentsOf(profiles: readonly IssuerProfile[]) {
  const schemas = profiles.map(deploymentSchemaOf);
  const list = z.array(deploymentSchemaOf(LEARNING_PLATFORM)).min(1, { error: 'at least one deployment' });
  return profiles.every(isLearningPlatform) ? list : (z.tuple(schemas as []) as unknown as typeof list);
}

/** The addresses of the learning platform. Optional if it is the issuer of no deployment. */
function endpointsOf(profiles: readonly IssuerProfile[]) {
  const ofRegion = z.partialRecord(z.enum(PLATFORM_REGIONS), platformAddresses);
  const endpoints = z.partialRecord(z.enum(ENVIRONMENTS), ofRegion);
  const isNeeded = profiles.length === 0 || profiles.some(isLearningPlatform);
  return isNeeded ? endpoints : (endpoints.default({}) as unknown as typeof endpoints);
}

/** The schema of a configuration file whose deployments have issuers of these profiles. */
export const configurationSchemaOf = (profiles: readonly IssuerProfile[]) =>
  z
    .strictObject({
      $schema: z.string().optional().describe('Path of this schema, for your editor.'),
      ...appOptions,
      quotas: quotas
        .default({})
        .describe(
          'Your AWS quotas, per account and AWS region, where they differ from AWS’s defaults. A synthesis fails if the deployments need more.',
        ),
      endpoints: endpointsOf(profiles).describe(
        'Addresses of the learning platform, by environment and platform region. Required if it is the issuer of a deployment.',
      ),
      deployments: deploymentsOf(profiles).describe(
        'The deployments: one stack for each environment and platform region, and one for each tenant.',
      ),
    })
    .meta({ title: 'Latchkey configuration' });

/** The schema of a construct's properties, by the profile of its issuer. */
export const constructSchemaOf = byProfile((profile) =>
  z
    .strictObject({
      ...deploymentOptionsOf(profile),
      endpoints: (isLearningPlatform(profile)
        ? platformAddresses
        : absent<typeof platformAddresses>('tokenBaseUrl is the only address', {} as never)
      ).describe('Addresses of the platform in this environment and platform region.'),
      ...appOptions,
      createTenants: z
        .boolean()
        .default(true)
        .describe(
          'Whether the tenants’ secrets, rotation and alarms are created here. false: each tenant needs a LatchkeyTenant, usually in a stack of its own, so that one can be added or removed alone.',
        ),
      resources: z.unknown().optional(),
    })
    .meta({ title: 'Latchkey options' }),
);

/** The JSON Schema (draft 2020-12) of the configuration file, as published in `config/latchkey.schema.json`. */
export function configurationJsonSchema(): string {
  const { properties = {}, ...schema } = jsonSchemaOf(configurationSchemaOf([]));
  const deployments = properties.deployments as z.core.JSONSchema.BaseSchema;
  const otherIssuerDeployment = jsonSchemaOf(deploymentSchemaOf(ANY_ISSUER));
  const items = {
    if: { properties: { issuer: { not: { const: LEARNING_PLATFORM.name } } }, required: ['issuer'] },
    then: otherIssuerDeployment,
    else: deployments.items,
  };
  const allProperties = { ...properties, deployments: { ...deployments, items } };
  const hasPlatform = { contains: { properties: { issuer: { const: LEARNING_PLATFORM.name } } } };
  const needsEndpoints = {
    if: { properties: { deployments: hasPlatform } },
    then: { required: ['endpoints'] },
  };
  const required = ['deployments'];
  return `${JSON.stringify({ ...schema, required, ...needsEndpoints, properties: allProperties }, null, 2)}\n`;
}

/** The JSON Schema of options. Leaves out options that the issuer does not offer (see {@link absent}). */
export function jsonSchemaOf(schema: z.ZodType): z.core.JSONSchema.BaseSchema {
  return z.toJSONSchema(schema, {
    io: 'input',
    override: ({ jsonSchema }) => {
      for (const [name, field] of Object.entries(jsonSchema.properties ?? {})) {
        if (typeof field === 'object' && field.not !== undefined) delete jsonSchema.properties![name];
      }
    },
  });
}

type Parsed = z.output<ReturnType<typeof configurationSchemaOf>>;
/** Options with the parts of a {@link DeploymentKey} as one type, so that they narrow together. */
type Keyed<Options> = Omit<Options, keyof DeploymentKey> & DeploymentKey;

/** The configuration with every default filled in. */
export type Configuration = Omit<Parsed, 'deployments'> & { deployments: DeploymentConfiguration[] };
/** A configuration file's contents, before defaults. */
export type WrittenConfiguration = z.input<ReturnType<typeof configurationSchemaOf>>;
/** Options of one deployment with every default filled in, of a construct or of a configuration. */
export type CheckedOptions = Keyed<Omit<z.output<ReturnType<typeof constructSchemaOf>>, 'resources'>>;
export type DeploymentConfiguration = Keyed<Parsed['deployments'][number]>;
export type TenantConfiguration = DeploymentConfiguration['tenants'][number];
