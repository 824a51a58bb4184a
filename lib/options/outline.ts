import { z } from 'zod';

import { ENVIRONMENTS, PLATFORM_REGIONS } from '../../core/deployment/platform';
import { DEFAULT_PREFIX } from '../../core/secrets/secret-names';
import { type DeploymentKey } from '../../core/tokens/token-key';
import { DEFAULT_ALARM_THRESHOLDS } from './alarm-settings';
import { requiredTags } from './required-tags-settings';
import { DEFAULT_STAGE_LIMITS } from './restore-api-settings';
import { DEFAULT_MAX_AGE_DAYS } from './schema';

/*
 * The parts of a configuration that rules across fields need. Malformed values become null instead of an error (the
 * schema reports them), so that one run reports every fault of a file.
 */

const token = z
  .object({
    interface: z.string(),
    scope: z.string(),
    readerAccounts: z.array(z.unknown()).default([]).catch([]),
    readerOrganizations: z.array(z.unknown()).default([]).catch([]),
  })
  .nullable()
  .catch(null);

const fieldNames = z.record(z.string(), z.string()).optional().catch(undefined);

const adopted = z
  .union([
    z.string().transform((arn) => ({ arn, kmsKeyArn: undefined, fields: undefined })),
    z.object({ arn: z.string(), kmsKeyArn: z.string().optional().catch(undefined), fields: fieldNames }),
  ])
  .optional()
  .catch(undefined);

const tenant = z
  .object({
    tenantId: z.string().nullable().catch(null),
    tokens: z.array(token).catch([]),
    adopt: z.object({ clientCredentials: adopted, apiKey: adopted }).catch({}),
  })
  .nullable()
  .catch(null);

/** A number with a default, null if malformed. */
const orNull = (usual: number) => z.number().default(usual).nullable().catch(null);

const alarms = z
  .object({
    topicArn: z.string().optional().catch(undefined),
    topicKmsKeyArn: z.string().optional().catch(undefined),
    emails: z.array(z.unknown()).default([]).catch([]),
    rotationNoticeDays: orNull(DEFAULT_ALARM_THRESHOLDS.rotationNoticeDays),
    apiKeyNoticeDays: orNull(DEFAULT_ALARM_THRESHOLDS.apiKeyNoticeDays),
    apiKeyUrgentDays: orNull(DEFAULT_ALARM_THRESHOLDS.apiKeyUrgentDays),
  })
  .nullable();

/** Any value, well formed or not. */
const present = z.unknown().optional();
const text = z.string().optional().catch(undefined);
/** Optional text, null if malformed. */
const textOrNull = z.string().nullish().catch(null);

const texts = z.array(z.string().nullable().catch(null)).optional().catch(undefined);

const replica = z
  .union([
    z.string().transform((region) => ({ region, kmsKeyArn: undefined })),
    z.object({ region: z.string(), kmsKeyArn: z.string().optional().catch(undefined) }),
  ])
  .nullable()
  .catch(null);

const secretReaders = z.object({ breakGlassRoleArn: text, credentials: texts, tokens: texts });

const roles = z.object({
  path: text,
  namePrefix: text,
  existing: z.record(z.string(), z.unknown()).optional().catch(undefined),
});

const restoreApi = z
  .object({
    enabled: z.boolean().default(true).catch(true),
    auth: text,
    rateLimit: orNull(DEFAULT_STAGE_LIMITS.rateLimit),
    burstLimit: orNull(DEFAULT_STAGE_LIMITS.burstLimit),
    usagePlan: z.object({ rateLimit: present, burstLimit: present }).optional().catch(undefined),
    webAclArn: text,
    ratePerIp: present,
    domain: z.object({ name: text, certificateArn: text, hostedZoneId: text }).optional().catch(undefined),
    callerAccounts: z.array(z.unknown()).default([]).catch([]),
    callerOrganizations: z.array(z.unknown()).default([]).catch([]),
    vpcEndpointIds: present,
  })
  .nullable();

const proxy = z.object({
  url: text,
  credentialsSecretArn: text,
  credentialsKmsKeyArn: text,
  awsCalls: text,
});

const deployment = z
  .object({
    environment: z.enum(ENVIRONMENTS).nullable().catch(null),
    platformRegion: z.enum(PLATFORM_REGIONS).default('global').nullable().catch(null),
    account: textOrNull,
    region: textOrNull,
    awsProfile: textOrNull,
    readerCacheSec: z.number().optional().catch(undefined),
    kmsKeyArn: text,
    logsKmsKeyArn: text,
    tracing: z
      .object({ opentelemetry: z.object({ layerArn: text }) })
      .optional()
      .catch(undefined),
    codeSigning: z.object({ configArn: text }).optional().catch(undefined),
    logSubscription: z.object({ destinationArn: text, roleArn: text }).optional().catch(undefined),
    encryptLogsAndQueue: z.boolean().catch(false).default(false),
    permissionsBoundaryArn: text,
    roles: roles.catch({}).default({}),
    auditSecrets: z.boolean().catch(false),
    formerKmsKeyArns: z.array(z.string()).default([]).catch([]),
    credentials: z
      .object({ maxAgeDays: orNull(DEFAULT_MAX_AGE_DAYS) })
      .catch({ maxAgeDays: null })
      .prefault({}),
    alarms: alarms.catch(null).prefault({}),
    restoreApi: restoreApi.catch(null).prefault({}),
    secretReaders: secretReaders.catch({}).default({}),
    proxy: proxy.optional().catch(undefined),
    events: z.object({ eventBusArn: text }).catch({ eventBusArn: undefined }).optional(),
    replicaRegions: z.array(replica).default([]).catch([]),
    restore: z.object({ available: z.boolean().catch(false) }).catch({ available: false }),
    tenants: z.array(tenant).catch([]),
    tags: z.record(z.string(), z.unknown()).default({}).nullable().catch(null),
  })
  .nullable()
  .catch(null);

const platformAddresses = z.record(z.string(), z.string().nullable().catch(null)).optional().catch(undefined);

const regions = z.object({ global: platformAddresses, mea: platformAddresses }).optional().catch(undefined);

const outlineSchema = z.object({
  local: z.boolean().catch(false),
  prefix: z.string().catch(DEFAULT_PREFIX),
  apiGatewayAccount: text,
  endpoints: z.object({ staging: regions, production: regions }).catch({}),
  deployments: z.array(deployment).catch([]),
  requiredTags: requiredTags.default([]).catch([]),
});

/** The well-formed parts of a configuration. */
export type Outline = z.output<typeof outlineSchema>;

/** The well-formed parts of a deployment. */
export type OutlinedDeployment = NonNullable<Outline['deployments'][number]>;

const NOTHING: Outline = {
  local: false,
  prefix: DEFAULT_PREFIX,
  endpoints: {},
  deployments: [],
  requiredTags: [],
};

/** The outline of any JSON value. */
export function outlineOf(value: unknown): Outline {
  return outlineSchema.safeParse(value).data ?? NOTHING;
}

/** The deployment key; undefined if environment or platform region is malformed. */
export function deploymentKeyOf({
  environment,
  platformRegion,
}: OutlinedDeployment): DeploymentKey | undefined {
  return environment === null || platformRegion === null ? undefined : { environment, platformRegion };
}
