import { z } from 'zod';

/**
 * AWS's default quotas per account and AWS region, of those that AWS raises on request. AWS's pages about alarms differ: 5,000, or
 * no limit. The lower one is safe, because a configuration can raise it, and a deployment beyond a quota fails halfway.
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
 * Lambda's concurrent executions that must stay unreserved: 100 by AWS's pages. In smaller accounts, AWS's refusals say that the
 * whole quota must. Either way, an account with 100 or fewer can reserve nothing.
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
