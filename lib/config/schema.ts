import { z } from 'zod';

import { ENVIRONMENTS, PLATFORM_REGIONS } from '../../contract/platform';
import { DEFAULT_PREFIX } from '../../contract/secret-names';
import { USUAL_READER_CACHE_SEC } from '../../contract/lifetimes';
import { ADDRESS_RULE } from '../../contract/platform-address';
import { alarms } from './alarm-settings';
import { accountId, arn } from './arn';
import { restoreApi } from './restore-api-settings';
import { restore } from './restore-settings';
import { ROTATION_SCHEDULE, ROTATION_SCHEDULE_RULE } from './rotation-schedule';
import { tenant } from './tenant-settings';

/*
 * Every `error` below is the rest of the sentence "allowed: …" of a message (see ./load.ts).
 * Rules that span several fields are in ./rules.ts.
 */

const address = z.string({ error: ADDRESS_RULE }).meta({ format: 'uri', description: ADDRESS_RULE });

const platformAddresses = z.strictObject({
  contentBaseUrl: address.describe('Content interface, with its version path.'),
  contentTokenBaseUrl: address.describe(
    'What /oauth2/token/TENANT is appended to, for the content interface.',
  ),
  webhooksBaseUrl: address.optional().describe('Webhooks interface.'),
  webhooksTokenBaseUrl: address
    .optional()
    .describe('The same for webhooks; needed where a webhooks token is declared.'),
  tenantServiceUrl: address.optional().describe('Tenant service, which generates API keys.'),
});

/** Age, in days, at which a credential is to be replaced, where configuration says nothing. */
export const DEFAULT_MAX_AGE_DAYS = 90;
const DAYS = 'whole days from 15 to 365';

const credentials = z.strictObject({
  maxAgeDays: z
    .int({ error: DAYS })
    .min(15, { error: DAYS })
    .max(365, { error: DAYS })
    .default(DEFAULT_MAX_AGE_DAYS)
    .describe('Age at which the rotation of a credential is due; it is announced 14 days before.'),
  rotationSchedule: z
    .string({ error: ROTATION_SCHEDULE_RULE })
    .regex(ROTATION_SCHEDULE, { error: ROTATION_SCHEDULE_RULE })
    .default('cron(0 8 1 */3 ? *)')
    .describe(
      'When credentials rotate by themselves, in UTC. It fails where no new one was staged, since only people can get one. "none": only when somebody asks for it.',
    ),
});

const LOG_RETENTION_DAYS = [
  1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731, 1096, 1827, 2192, 2557, 2922, 3288, 3653,
] as const;

const deployment = z.strictObject({
  environment: z
    .enum(ENVIRONMENTS, { error: ENVIRONMENTS.join(', ') })
    .describe('Environment of the platform that the deployment serves.'),
  platformRegion: z
    .enum(PLATFORM_REGIONS, { error: PLATFORM_REGIONS.join(', ') })
    .default('global')
    .describe('Region of the platform, which is no AWS region; global is all of them but MEA.'),
  tenants: z
    .array(tenant, { error: 'a list of tenants' })
    .default([])
    .describe('The tenants whose credentials and tokens are kept, each in a stack of its own.'),
  account: accountId
    .optional()
    .describe('AWS account, 12 digits as a string; the one of your credentials where absent.'),
  region: z
    .string()
    .regex(/^[a-z]{2}(-[a-z]+)+-\d$/, { error: 'an AWS region such as eu-west-1' })
    .optional()
    .describe('AWS region; the one of your profile where absent.'),
  restore: restore
    .prefault({})
    .describe('The platform’s restore operation, where it is another than specified.'),
  restoreApi: restoreApi
    .prefault({})
    .describe(
      'The deployment’s own HTTPS API by which callers restore contents: who may call it, how often, and where.',
    ),
  credentials: credentials
    .prefault({})
    .describe('How old client credentials and API keys may become, and when they rotate.'),
  readerCacheSec: z
    .int({ error: 'whole seconds' })
    .min(0, { error: 'whole seconds from 0' })
    .default(USUAL_READER_CACHE_SEC)
    .describe('The longest time, in seconds, that any reader of a token keeps it without looking again.'),
  reservedConcurrency: z
    .union([z.literal(1), z.literal('none')], { error: '1, "none"' })
    .default(1)
    .describe(
      '"none" where the account may not reserve any (a quota of 10): a renewal may then cost one request a process.',
    ),
  kmsKeyArn: arn('kms', 'key/[A-Za-z0-9-]+')
    .optional()
    .describe('An existing key instead of one of the deployment’s own.'),
  vpc: z
    .strictObject({
      vpcId: z
        .string()
        .regex(/^vpc-[0-9a-f]+$/, { error: 'a VPC id (vpc-…)' })
        .describe('Your VPC, in the account and region of the deployment.'),
      subnetIds: z
        .array(z.string().regex(/^subnet-[0-9a-f]+$/, { error: 'a subnet id (subnet-…)' }))
        .min(1, { error: 'at least one subnet id' })
        .describe('Subnets of that VPC, for the functions.'),
      securityGroupIds: z
        .array(z.string().regex(/^sg-[0-9a-f]+$/, { error: 'a security group id (sg-…)' }))
        .min(1, { error: 'at least one security group id' })
        .describe('Security groups of the functions; they have to let HTTPS out.'),
    })
    .optional()
    .describe('Runs the functions in your network; the platform and AWS must be reachable from there.'),
  permissionsBoundaryArn: z
    .string()
    .regex(/^arn:aws[a-z-]*:iam::(\d{12}|aws):policy\/.+$/, { error: 'the ARN of a managed policy' })
    .optional()
    .describe('A managed policy that bounds every role that is created.'),
  tags: z.record(z.string().min(1), z.string()).default({}).describe('Tags for every resource.'),
  logRetentionDays: z
    .literal(LOG_RETENTION_DAYS, { error: LOG_RETENTION_DAYS.join(', ') })
    .default(90)
    .describe('Days that logs are kept.'),
  alarms: alarms.prefault({}).describe('Who is told of trouble, and from when on it is trouble.'),
});

/** The configuration file, as written. */
export const configurationSchema = z
  .strictObject({
    $schema: z.string().optional().describe('Where your editor finds this schema.'),
    local: z
      .boolean()
      .default(false)
      .describe(
        'A configuration for the laptop: only loopback addresses, and never deployable to an account.',
      ),
    prefix: z
      .string()
      .regex(/^[a-z][a-z0-9-]{0,28}$/, {
        error: '1–29 lower-case letters, digits and -, starting with a letter',
      })
      .default(DEFAULT_PREFIX)
      .describe('What the names of stacks, secrets and parameters start with.'),
    apiGatewayAccount: z
      .enum(['managed', 'existing'], { error: 'managed, existing' })
      .default('managed')
      .describe(
        'API Gateway has one logging role per account and AWS region. existing: yours is set up already, and is left alone.',
      ),
    endpoints: z
      .partialRecord(z.enum(ENVIRONMENTS), z.partialRecord(z.enum(PLATFORM_REGIONS), platformAddresses))
      .describe('Addresses of the platform, by environment and platform region.'),
    deployments: z
      .array(deployment)
      .min(1, { error: 'at least one deployment' })
      .describe(
        'What is deployed: for each environment and platform region a stack, and one for each tenant.',
      ),
  })
  .meta({ title: 'Latchkey configuration' });

/** The JSON Schema (draft 2020-12) of the configuration file, as published in `config/latchkey.schema.json`. */
export function configurationJsonSchema(): string {
  return `${JSON.stringify(z.toJSONSchema(configurationSchema, { io: 'input' }), null, 2)}\n`;
}

/** The configuration with every default filled in. */
export type Configuration = z.output<typeof configurationSchema>;
export type DeploymentConfiguration = Configuration['deployments'][number];
export type TenantConfiguration = DeploymentConfiguration['tenants'][number];
