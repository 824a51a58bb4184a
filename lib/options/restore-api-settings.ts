import { z } from 'zod';

import { accountId, awsName, LATE_OR_DUMMY, LATE_OR_LIST, lateArn } from './arn';
import { logRetentionDays } from './log-retention';
import { organizationIds } from './organization-settings';

/** A whole number from 1 to the largest that API Gateway can store. Not up to the account's quota, which AWS can raise. */
function whole(unit: string, max: number): z.ZodInt {
  const error = `whole ${unit} from 1 to ${max}`;
  // `abort`: one issue only, also for numbers too large to be integers.
  return z.int({ error, abort: true }).min(1, { error }).max(max, { error });
}

/** API Gateway stores a floating-point number, so only JSON limits it. */
const requestsPerSec = () => whole('requests per second', Number.MAX_SAFE_INTEGER);

/**
 * API Gateway stores a 32-bit integer.
 * @see https://docs.aws.amazon.com/apigateway/latest/api/API_ThrottleSettings.html
 * @see https://docs.aws.amazon.com/apigateway/latest/api/API_QuotaSettings.html
 */
const requests = () => whole('requests', 2 ** 31 - 1);

const PERIODS = ['day', 'week', 'month'] as const;

const usagePlan = z
  .strictObject({
    rateLimit: requestsPerSec()
      .optional()
      .describe(
        'Requests per second of one tenant. Default if burstLimit is set: the rateLimit of the whole API.',
      ),
    burstLimit: requests()
      .optional()
      .describe(
        'Burst of one tenant, in requests. Default if rateLimit is set: the burstLimit of the whole API.',
      ),
    quota: z
      .strictObject({
        limit: requests().describe('Requests of one tenant per period.'),
        period: z
          .enum(PERIODS, { error: PERIODS.join(', ') })
          .describe('Days begin at 00:00 UTC, weeks on Sunday, months on the first.'),
      })
      .optional()
      .describe('Requests of one tenant per day, week or month. Default: no quota.'),
  })
  .refine((plan) => Object.keys(plan).length > 0, {
    error: 'an object with rateLimit, burstLimit or quota',
  })
  .describe(
    'Limits per tenant, by an API Gateway usage plan. AWS applies them on a best-effort basis: do not rely on them for cost control or protection.',
  );

const WEB_ACL =
  'the ARN of a regional web ACL, such as arn:aws:wafv2:eu-west-1:111122223333:regional/webacl/NAME/ID';
/**
 * The limits of a rate-based rule.
 * @see https://docs.aws.amazon.com/waf/latest/developerguide/waf-rule-statement-type-rate-based-high-level-settings.html
 * @see https://docs.aws.amazon.com/waf/latest/APIReference/API_RateBasedStatement.html
 */
const RATE_PER_IP = 'whole requests per five minutes from 10 to 2000000000';
const CERTIFICATE = 'the ARN of a certificate, such as arn:aws:acm:eu-west-1:111122223333:certificate/ID';
const HOST_NAME = 'a host name in lower case, without a wildcard, such as restore.example.org';
const ZONE = 'the id of a Route 53 hosted zone, such as Z0123456789ABCDEFGHIJ';
const ENDPOINT = 'an id of an interface endpoint (vpce-…)';

/**
 * Maximum that fits into the API's resource policy in every format that API Gateway uses.
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-execution-service-limits-table.html
 */
const MAX_ENDPOINTS = 250;
const POLICY_LIMIT = 'API Gateway limits the resource policy to 8,192 characters';
const TOO_MANY_ENDPOINTS = `at most ${MAX_ENDPOINTS} ids: ${POLICY_LIMIT}`;
const MAX_ACCOUNTS = 100;

/** Size of the policy's statement about organizations, and of each organization in it, as a number of endpoints. */
const ORGANIZATIONS_SIZE = { statement: 14, each: 2 };

/**
 * How many caller accounts fit into the policy beside interface endpoints and organizations, and the rule for messages. An
 * account takes as much of the policy as two endpoints. `max` is below zero if endpoints and organizations alone do not fit.
 */
export function callerAccountsRoom(endpoints: number, organizations = 0): { max: number; rule: string } {
  const { statement, each } = ORGANIZATIONS_SIZE;
  const taken = endpoints + (organizations > 0 ? statement + each * organizations : 0);
  const max = Math.min(MAX_ACCOUNTS, Math.floor((MAX_ENDPOINTS - taken) / 2));
  const others = [
    ...(endpoints > 0 ? [`${endpoints} vpcEndpointIds`] : []),
    ...(organizations > 0 ? [`${organizations} callerOrganizations`] : []),
  ];
  const beside = max < MAX_ACCOUNTS ? ` with ${others.join(' and ')}` : '';
  return { max, rule: `at most ${Math.max(max, 0)} accounts${beside}: ${POLICY_LIMIT}` };
}

/** Whether the organizations fit into the policy beside the interface endpoints. */
export function hasRoomForOrganizations(endpoints: number, organizations: number): boolean {
  return callerAccountsRoom(endpoints, organizations).max >= 0;
}

const domain = z.strictObject({
  name: z
    .string({ error: HOST_NAME })
    .max(253, { error: HOST_NAME })
    .regex(/^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]([a-z0-9-]{0,61}[a-z0-9])$/, { error: HOST_NAME })
    .describe('The host name that callers use, in lower case, such as restore.example.org.'),
  certificateArn: lateArn('acm', 'certificate/', '[A-Za-z0-9-]+', CERTIFICATE).describe(
    'An AWS Certificate Manager certificate for that name, in the deployment’s account and region. Requires account and region.',
  ),
  hostedZoneId: awsName(/^Z[A-Z0-9]{1,31}$/, ZONE, LATE_OR_DUMMY)
    .optional()
    .describe(
      'Route 53 hosted zone for the DNS record. Without it, create the record yourself: its target is in the parameter restore-domain-target.',
    ),
});

export const restoreApi = z.strictObject({
  enabled: z.boolean().default(true).describe('Whether the deployment has a restore API.'),
  auth: z
    .enum(['platform', 'iam'], { error: 'platform, iam' })
    .default('platform')
    .describe(
      'platform: callers use the platform’s Basic or Bearer authentication. iam: callers sign requests as principals of the AWS account, or of callerAccounts and callerOrganizations.',
    ),
  callerAccounts: z
    .array(accountId)
    .refine((accounts) => new Set(accounts).size === accounts.length, { error: 'each account once' })
    .default([])
    .describe(
      'With auth iam: other AWS accounts that may allow their principals to call the API, for every tenant that they name.',
    ),
  callerOrganizations: organizationIds.describe(
    'With auth iam: the same for all other accounts of these organizations, by aws:PrincipalOrgID.',
  ),
  apiKeyGraceHours: z
    .number({ error: 'hours from 0 to 720' })
    .min(0, { error: 'hours from 0 to 720' })
    .max(720, { error: 'hours from 0 to 720' })
    .default(24)
    .describe('How long the restore API accepts the previous API key after a rotation.'),
  auditRetentionDays: logRetentionDays
    .optional()
    .describe(
      'How many days to keep the log lines that say who restored what, also after the stack is deleted. Default: logRetentionDays, and deleted with the stack.',
    ),
  rateLimit: requestsPerSec()
    .default(20)
    .describe('Requests per second of all callers together. The AWS account’s limit also applies.'),
  burstLimit: requests()
    .default(40)
    .describe('Burst of all callers together, in requests, before rateLimit applies.'),
  usagePlan: usagePlan.optional(),
  webAclArn: lateArn('wafv2', 'regional/webacl/', String.raw`[\w-]{1,128}/[A-Za-z0-9-]{1,36}`, WEB_ACL)
    .optional()
    .describe(
      'Your regional AWS WAF web ACL, which checks every request first. It must be in the deployment’s account and region. Requires account and region.',
    ),
  ratePerIp: z
    .int({ error: RATE_PER_IP, abort: true })
    .min(10, { error: RATE_PER_IP })
    .max(2_000_000_000, { error: RATE_PER_IP })
    .optional()
    .describe(
      'Requests per five minutes from one IP address, by a web ACL that Latchkey creates. Not together with webAclArn.',
    ),
  domain: domain
    .optional()
    .describe('Your own domain name. The API then no longer answers at its API Gateway address.'),
  vpcEndpointIds: z
    .array(awsName(/^vpce-[0-9a-f]{8,17}$/, ENDPOINT, LATE_OR_LIST), {
      error: 'a list of ids of interface endpoints (vpce-…)',
    })
    .min(1, { error: 'at least one id of an interface endpoint' })
    .max(MAX_ENDPOINTS, { error: TOO_MANY_ENDPOINTS })
    .refine((ids) => new Set(ids).size === ids.length, { error: 'each id once' })
    .optional()
    .describe(
      'Makes the API private: it accepts only requests through these interface endpoints for execute-api.',
    ),
});
