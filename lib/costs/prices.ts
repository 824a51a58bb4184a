/**
 * List prices in USD for us-east-1, without free tiers or discounts, read on {@link READ_ON}. Other regions differ by a
 * few percent.
 */
export const READ_ON = '2026-11-21';

/** An AWS list price. */
export interface Price {
  usd: number;
  /** The priced unit. */
  per: string;
}

/** @see https://aws.amazon.com/secrets-manager/pricing/ */
export const SECRET: Price = { usd: 0.4, per: 'secret per month' };
/** @see https://aws.amazon.com/secrets-manager/pricing/ */
export const SECRET_CALLS: Price = { usd: 0.05, per: '10,000 calls' };

/** A customer managed key in its first year. @see https://aws.amazon.com/kms/pricing/ */
export const KEY: Price = { usd: 1, per: 'key per month' };
/** @see https://aws.amazon.com/kms/pricing/ */
export const KEY_REQUESTS: Price = { usd: 0.03, per: '10,000 requests' };

/** Per metric that an alarm evaluates; metric math counts each metric. @see https://aws.amazon.com/cloudwatch/pricing/ */
export const ALARM_METRIC: Price = { usd: 0.1, per: 'alarm metric per month' };
/** @see https://aws.amazon.com/cloudwatch/pricing/ */
export const COMPOSITE_ALARM: Price = { usd: 0.5, per: 'composite alarm per month' };
/** @see https://aws.amazon.com/cloudwatch/pricing/ */
export const DASHBOARD: Price = { usd: 3, per: 'dashboard per month' };
/** Up to 10,000 metrics per account; only hours with data count. @see https://aws.amazon.com/cloudwatch/pricing/ */
export const CUSTOM_METRIC: Price = { usd: 0.3, per: 'metric per month' };
/** @see https://aws.amazon.com/cloudwatch/pricing/ */
export const LOG_INGESTION: Price = { usd: 0.5, per: 'GB' };
/** @see https://aws.amazon.com/cloudwatch/pricing/ */
export const LOG_STORAGE: Price = { usd: 0.03, per: 'GB per month' };

/** @see https://aws.amazon.com/lambda/pricing/ */
export const FUNCTION_REQUESTS: Price = { usd: 0.2, per: '1,000,000 requests' };
/** Arm. @see https://aws.amazon.com/lambda/pricing/ */
export const FUNCTION_TIME: Price = { usd: 0.0000133334, per: 'GB-second' };

/** @see https://aws.amazon.com/eventbridge/pricing/ */
export const SCHEDULER: Price = { usd: 1, per: '1,000,000 invocations' };

/** With the requests to it, which cost USD 0.60 per million. @see https://aws.amazon.com/waf/pricing/ */
export const WEB_ACL: Price = { usd: 5, per: 'web ACL per month' };
/** @see https://aws.amazon.com/waf/pricing/ */
export const WEB_ACL_RULE: Price = { usd: 1, per: 'rule per month' };

/** REST API. @see https://aws.amazon.com/api-gateway/pricing/ */
export const API_REQUESTS: Price = { usd: 3.5, per: '1,000,000 requests' };
