/**
 * List prices in USD of the AWS region us-east-1, without any free tier or discount, read on {@link READ_ON}.
 * Other regions differ by some percent.
 */
export const READ_ON = '2026-11-21';

/** What AWS asks for one unit of something. */
export interface Price {
  usd: number;
  /** The unit, as it is priced. */
  per: string;
}

/** @see https://aws.amazon.com/secrets-manager/pricing/ */
export const SECRET: Price = { usd: 0.4, per: 'secret and month' };
/** @see https://aws.amazon.com/secrets-manager/pricing/ */
export const SECRET_CALLS: Price = { usd: 0.05, per: '10,000 calls' };

/** Of a customer managed key in its first year. @see https://aws.amazon.com/kms/pricing/ */
export const KEY: Price = { usd: 1, per: 'key and month' };
/** @see https://aws.amazon.com/kms/pricing/ */
export const KEY_REQUESTS: Price = { usd: 0.03, per: '10,000 requests' };

/** Of each metric that an alarm looks at: one with metric math costs once for each. @see https://aws.amazon.com/cloudwatch/pricing/ */
export const ALARM_METRIC: Price = { usd: 0.1, per: 'metric in an alarm and month' };
/** @see https://aws.amazon.com/cloudwatch/pricing/ */
export const COMPOSITE_ALARM: Price = { usd: 0.5, per: 'composite alarm and month' };
/** @see https://aws.amazon.com/cloudwatch/pricing/ */
export const DASHBOARD: Price = { usd: 3, per: 'dashboard and month' };
/** Of the first 10,000 in an account; only hours in which something is sent count. @see https://aws.amazon.com/cloudwatch/pricing/ */
export const CUSTOM_METRIC: Price = { usd: 0.3, per: 'series and month' };
/** @see https://aws.amazon.com/cloudwatch/pricing/ */
export const LOG_INGESTION: Price = { usd: 0.5, per: 'GB' };
/** @see https://aws.amazon.com/cloudwatch/pricing/ */
export const LOG_STORAGE: Price = { usd: 0.03, per: 'GB and month' };

/** @see https://aws.amazon.com/lambda/pricing/ */
export const FUNCTION_REQUESTS: Price = { usd: 0.2, per: '1,000,000 requests' };
/** On Arm. @see https://aws.amazon.com/lambda/pricing/ */
export const FUNCTION_TIME: Price = { usd: 0.0000133334, per: 'GB-second' };

/** @see https://aws.amazon.com/eventbridge/pricing/ */
export const SCHEDULER: Price = { usd: 1, per: '1,000,000 invocations' };

/** Of a REST API. @see https://aws.amazon.com/api-gateway/pricing/ */
export const API_REQUESTS: Price = { usd: 3.5, per: '1,000,000 requests' };
