import { z } from 'zod';

/** From 1 to what the type has room for: what an account may have in all is a quota that AWS raises, so no bound here. */
function whole(unit: string, most: number): z.ZodInt {
  const error = `whole ${unit} from 1 to ${most}`;
  // One finding, also for what is no integer because of its size.
  return z.int({ error, abort: true }).min(1, { error }).max(most, { error });
}

/** A floating-point number for API Gateway, so that JSON alone bounds it. */
const requestsPerSec = () => whole('requests per second', Number.MAX_SAFE_INTEGER);

/**
 * An integer of 32 bits for API Gateway.
 * @see https://docs.aws.amazon.com/apigateway/latest/api/API_ThrottleSettings.html
 * @see https://docs.aws.amazon.com/apigateway/latest/api/API_QuotaSettings.html
 */
const requests = () => whole('requests', 2 ** 31 - 1);

/** What the stage admits of all tenants together, where configuration says nothing. */
export const DEFAULT_STAGE_LIMITS = { rateLimit: 20, burstLimit: 40 } as const;

const PERIODS = ['day', 'week', 'month'] as const;

const usagePlan = z
  .strictObject({
    rateLimit: requestsPerSec()
      .optional()
      .describe(
        'Requests a second of one tenant. Where absent beside burstLimit: the rateLimit of the whole API.',
      ),
    burstLimit: requests()
      .optional()
      .describe(
        'Requests at once of one tenant. Where absent beside rateLimit: the burstLimit of the whole API.',
      ),
    quota: z
      .strictObject({
        limit: requests().describe('Requests of one tenant in a period.'),
        period: z
          .enum(PERIODS, { error: PERIODS.join(', ') })
          .describe('Days begin at midnight UTC, weeks on Sunday, months on the first.'),
      })
      .optional()
      .describe('Requests of one tenant in a longer time; as many as it likes where absent.'),
  })
  .refine((plan) => Object.keys(plan).length > 0, {
    error: 'an object with rateLimit, burstLimit or quota',
  })
  .describe(
    'What each tenant may send, as API Gateway’s usage plans have it: with best effort, so neither a bill nor a guard depends on it.',
  );

const WEB_ACL =
  'the ARN of a regional web ACL, as in arn:aws:wafv2:eu-west-1:111122223333:regional/webacl/NAME/ID';
const CERTIFICATE = 'the ARN of a certificate, as in arn:aws:acm:eu-west-1:111122223333:certificate/ID';
const HOST_NAME = 'a host name in lower case, without a wildcard, such as restore.example.org';
const ZONE = 'the id of a Route 53 hosted zone, such as Z0123456789ABCDEFGHIJ';
const ENDPOINT = 'an id of an interface endpoint (vpce-…)';

/**
 * So many fit into the API's resource policy, however API Gateway writes it down.
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-execution-service-limits-table.html
 */
const MAX_ENDPOINTS = 250;
const TOO_MANY_ENDPOINTS = `at most ${MAX_ENDPOINTS} ids: API Gateway takes a resource policy of 8,192 characters`;

const domain = z.strictObject({
  name: z
    .string({ error: HOST_NAME })
    .max(253, { error: HOST_NAME })
    .regex(/^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]([a-z0-9-]{0,61}[a-z0-9])$/, { error: HOST_NAME })
    .describe('The host name that callers then use, in lower case, such as restore.example.org.'),
  certificateArn: z
    .string({ error: CERTIFICATE })
    .regex(/^arn:aws[a-z-]*:acm:[a-z0-9-]+:\d{12}:certificate\/[A-Za-z0-9-]+$/, { error: CERTIFICATE })
    .describe(
      'A certificate of AWS Certificate Manager for that name, in the account and region of the deployment; both have to be given there.',
    ),
  hostedZoneId: z
    .string({ error: ZONE })
    .regex(/^Z[A-Z0-9]{1,31}$/, { error: ZONE })
    .optional()
    .describe('Where the DNS record goes. Where absent, it is yours to make: /…/restore-domain-target.'),
});

/** The restore API of a deployment, as configuration has it. */
export const restoreApi = z.strictObject({
  enabled: z.boolean().default(true).describe('Whether the deployment has a restore API.'),
  auth: z
    .enum(['platform', 'iam'], { error: 'platform, iam' })
    .default('platform')
    .describe('platform: Basic and Bearer, as the platform has them; iam: principals of the AWS account.'),
  apiKeyGraceHours: z
    .number({ error: 'hours from 0 to 720' })
    .min(0, { error: 'hours from 0 to 720' })
    .max(720, { error: 'hours from 0 to 720' })
    .default(24)
    .describe('How long an API key authenticates after another one took its place.'),
  rateLimit: requestsPerSec()
    .default(DEFAULT_STAGE_LIMITS.rateLimit)
    .describe('Requests a second of all callers together. The limit of the AWS account holds besides.'),
  burstLimit: requests()
    .default(DEFAULT_STAGE_LIMITS.burstLimit)
    .describe('Requests at once of all callers together, above which rateLimit is held to.'),
  usagePlan: usagePlan.optional(),
  webAclArn: z
    .string({ error: WEB_ACL })
    .regex(/^arn:aws[a-z-]*:wafv2:[a-z0-9-]+:\d{12}:regional\/webacl\/[\w-]{1,128}\/[A-Za-z0-9-]{1,36}$/, {
      error: WEB_ACL,
    })
    .optional()
    .describe(
      'Your web ACL of AWS WAF, which sees every request first. It is regional, in the account and region of the deployment; both have to be given there.',
    ),
  domain: domain
    .optional()
    .describe('A name of your own; the API then no longer answers under the one of API Gateway.'),
  vpcEndpointIds: z
    .array(z.string({ error: ENDPOINT }).regex(/^vpce-[0-9a-f]{8,17}$/, { error: ENDPOINT }), {
      error: 'a list of ids of interface endpoints (vpce-…)',
    })
    .min(1, { error: 'at least one id of an interface endpoint' })
    .max(MAX_ENDPOINTS, { error: TOO_MANY_ENDPOINTS })
    .refine((ids) => new Set(ids).size === ids.length, { error: 'each id once' })
    .optional()
    .describe(
      'Makes the API private: it answers to what comes through these interface endpoints for execute-api.',
    ),
});
