import { z } from 'zod';

import { ENVIRONMENTS, INTERFACES, PLATFORM_REGIONS, SCOPES, TENANT_ID } from '../../contract/platform';
import { DEFAULT_PREFIX } from '../../contract/secret-names';
import { USUAL_READER_CACHE_SEC } from '../../contract/lifetimes';
import { ADDRESS_RULE } from './address';
import { alarms } from './alarm-settings';
import { arn } from './arn';
import { restoreApi } from './restore-api-settings';
import { ROTATION_SCHEDULE, ROTATION_SCHEDULE_RULE } from './rotation-schedule';

/*
 * Every `error` below is the rest of the sentence "allowed: …" of a message (see ./load.ts).
 * Rules that span several fields are in ./rules.ts.
 */

const address = z.string({ error: ADDRESS_RULE }).meta({ format: 'uri', description: ADDRESS_RULE });

const accountId = z.string().regex(/^\d{12}$/, { error: 'an AWS account id of 12 digits, as a string' });

const tokenEntry = <I extends (typeof INTERFACES)[number]>(name: I) =>
  z.strictObject({
    interface: z.literal(name),
    scope: z.enum(SCOPES[name], { error: `on the ${name} interface ${SCOPES[name].join(', ')}` }),
    readerAccounts: z
      .array(accountId)
      .default([])
      .describe(
        'Other AWS accounts whose roles may be given the right to read this token. With kmsKeyArn, your key’s own policy has to let them decrypt.',
      ),
  });

const tenant = z.strictObject({
  tenantId: z
    .string()
    .regex(TENANT_ID, { error: '1–128 letters, digits, _ and -, starting with a letter or digit' })
    .describe('Tenant identifier; it differs between staging and production.'),
  tokens: z
    .array(
      z.discriminatedUnion('interface', [tokenEntry('content'), tokenEntry('webhooks')], {
        error: `an object with interface (${INTERFACES.join(', ')}) and scope`,
      }),
    )
    .min(1, { error: 'at least one token' })
    .describe('The tokens to keep fresh, each a secret of its own. Declare the least scopes that you need.'),
  adopt: z
    .strictObject({
      clientCredentials: arn('secretsmanager', 'secret:[A-Za-z0-9/_+=.@-]+-[A-Za-z0-9]{6}').optional(),
      apiKey: arn('secretsmanager', 'secret:[A-Za-z0-9/_+=.@-]+-[A-Za-z0-9]{6}').optional(),
    })
    .default({})
    .describe(
      'Credential secrets that exist already, for example after a stack was destroyed: used, not created. One that Latchkey did not create needs the tag latchkey:kind, client-credentials or api-key.',
    ),
});

const cellAddresses = z.strictObject({
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

/** The answer has to have a body: without the record, no success can be told from a failure. */
const SUCCESS_STATUSES = '200–299, but not 204 or 205';

const restore = z.strictObject({
  available: z
    .boolean()
    .default(false)
    .describe(
      'Whether the platform offers restore to you. It is announced as coming soon, so this is off by default.',
    ),
  method: z.enum(['POST', 'PUT', 'PATCH'], { error: 'POST, PUT, PATCH' }).default('POST'),
  path: z
    .string()
    .regex(/^(\/[A-Za-z0-9._~-]+)*\/\{contentId\}(\/[A-Za-z0-9._~-]+)*$/, {
      error: 'a path with {contentId} as one segment, such as /contents/{contentId}/restore',
    })
    .default('/contents/{contentId}/restore'),
  successStatus: z
    .int({ error: SUCCESS_STATUSES })
    .min(200, { error: SUCCESS_STATUSES })
    .max(299, { error: SUCCESS_STATUSES })
    .refine((status) => status !== 204 && status !== 205, { error: SUCCESS_STATUSES })
    .default(200),
  actingUserIn: z.enum(['body', 'header'], { error: 'body, header' }).default('body'),
  failureReasonField: z.string().min(1, { error: 'a field name' }).default('failureReason'),
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
  environment: z.enum(ENVIRONMENTS, { error: ENVIRONMENTS.join(', ') }),
  platformRegion: z.enum(PLATFORM_REGIONS, { error: PLATFORM_REGIONS.join(', ') }).default('global'),
  tenants: z.array(tenant, { error: 'a list of tenants' }).default([]),
  account: accountId.optional().describe('AWS account; the one of your credentials where absent.'),
  region: z
    .string()
    .regex(/^[a-z]{2}(-[a-z]+)+-\d$/, { error: 'an AWS region such as eu-west-1' })
    .optional()
    .describe('AWS region; the one of your profile where absent.'),
  restore: restore.prefault({}),
  restoreApi: restoreApi.prefault({}),
  credentials: credentials.prefault({}),
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
      vpcId: z.string().regex(/^vpc-[0-9a-f]+$/, { error: 'a VPC id (vpc-…)' }),
      subnetIds: z
        .array(z.string().regex(/^subnet-[0-9a-f]+$/, { error: 'a subnet id (subnet-…)' }))
        .min(1, { error: 'at least one subnet id' }),
      securityGroupIds: z
        .array(z.string().regex(/^sg-[0-9a-f]+$/, { error: 'a security group id (sg-…)' }))
        .min(1, { error: 'at least one security group id' }),
    })
    .optional()
    .describe('Runs the functions in your network; the platform and AWS must be reachable from there.'),
  permissionsBoundaryArn: z
    .string()
    .regex(/^arn:aws[a-z-]*:iam::(\d{12}|aws):policy\/.+$/, { error: 'the ARN of a managed policy' })
    .optional(),
  tags: z.record(z.string().min(1), z.string()).default({}).describe('Tags for every resource.'),
  logRetentionDays: z.literal(LOG_RETENTION_DAYS, { error: LOG_RETENTION_DAYS.join(', ') }).default(90),
  alarms: alarms.prefault({}),
});

/** The configuration file, as written. */
export const configurationSchema = z
  .strictObject({
    $schema: z.string().optional(),
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
      .partialRecord(z.enum(ENVIRONMENTS), z.partialRecord(z.enum(PLATFORM_REGIONS), cellAddresses))
      .describe('Addresses of the platform, by environment and platform region.'),
    deployments: z.array(deployment).min(1, { error: 'at least one deployment' }),
  })
  .meta({ title: 'Latchkey configuration' });

/** The configuration with every default filled in. */
export type Configuration = z.output<typeof configurationSchema>;
export type DeploymentConfiguration = Configuration['deployments'][number];
export type TenantConfiguration = DeploymentConfiguration['tenants'][number];
