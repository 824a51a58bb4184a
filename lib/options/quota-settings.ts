import { z } from 'zod';

/**
 * AWS's default quotas per account and AWS region, of those that AWS changes on request. Older editions of the page about
 * alarms have 5,000, newer ones no limit: one line of the configuration is cheaper than a deployment that fails halfway.
 * @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/cloudwatch_limits.html (alarms)
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/cloudformation-limits.html (stacks)
 * @see https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html (concurrency)
 * @see https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-quota.html (event patterns)
 */
export const DEFAULT_QUOTAS = {
  alarms: 5_000,
  stacks: 2_000,
  concurrentExecutions: 1_000,
  eventPatternCharacters: 2_048,
} as const;

/**
 * How much of Lambda's concurrent executions functions cannot reserve. AWS names 100; its refusals in smaller accounts name
 * their whole quota. Both mean that an account of 100 or less can reserve nothing.
 * @see https://docs.aws.amazon.com/lambda/latest/api/API_PutFunctionConcurrency.html
 * @see https://github.com/awslabs/fhir-works-on-aws-deployment/issues/691 (an account with a quota of 10)
 */
export const MIN_UNRESERVED_CONCURRENCY = 100;

/** The functions of a deployment that reserve a concurrency of one: token-refresh and token-sweep. */
export const RESERVING_FUNCTIONS = 2;

const quota = (what: string, defaultQuota: number) => {
  const error = 'a whole number from 1';
  return z
    .int({ error, abort: true })
    .min(1, { error })
    .optional()
    .describe(`${what}. AWS’s default: ${defaultQuota.toLocaleString('en-US')}.`);
};

export const quotas = z.strictObject({
  alarms: quota('CloudWatch alarms', DEFAULT_QUOTAS.alarms),
  stacks: quota('CloudFormation stacks', DEFAULT_QUOTAS.stacks),
  concurrentExecutions: quota(
    `Lambda’s concurrent executions, of which ${MIN_UNRESERVED_CONCURRENCY} cannot be reserved`,
    DEFAULT_QUOTAS.concurrentExecutions,
  ),
  eventPatternCharacters: quota(
    'Characters in an event pattern of EventBridge, which auditSecrets needs for each reader and adopted secret',
    DEFAULT_QUOTAS.eventPatternCharacters,
  ),
});
export type Quotas = z.output<typeof quotas>;
export type QuotaName = keyof typeof DEFAULT_QUOTAS;
