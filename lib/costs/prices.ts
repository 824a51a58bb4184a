/**
 * List prices in USD for us-east-1, without discounts, read on {@link PRICES_READ_ON}. Other regions differ by a
 * few percent.
 */
export const PRICES_READ_ON = '2026-11-21';

const SECRETS_MANAGER = 'https://aws.amazon.com/secrets-manager/pricing/';
const KMS = 'https://aws.amazon.com/kms/pricing/';
const CLOUDWATCH = 'https://aws.amazon.com/cloudwatch/pricing/';
const EVENTBRIDGE = 'https://aws.amazon.com/eventbridge/pricing/';
const SQS = 'https://aws.amazon.com/sqs/pricing/';
const WAF = 'https://aws.amazon.com/waf/pricing/';

export interface Price {
  usd: number;
  per: string;
  page: string;
  /** How many units each account gets for free each month. @default 0 */
  freePerMonth?: number;
}

export const SECRET: Price = { usd: 0.4, per: 'secret per month', page: SECRETS_MANAGER };
export const SECRETS_MANAGER_CALLS: Price = { usd: 0.05, per: '10,000 calls', page: SECRETS_MANAGER };

/** For a customer managed key in its first year. */
export const KMS_KEY: Price = { usd: 1, per: 'key per month', page: KMS };
export const KMS_REQUESTS: Price = { usd: 0.03, per: '10,000 requests', page: KMS, freePerMonth: 2 };

/** Per metric that an alarm reads, including AWS's metrics and each metric of metric math or Metrics Insights. */
export const ALARM_METRIC: Price = {
  usd: 0.1,
  per: 'alarm metric per month',
  page: CLOUDWATCH,
  freePerMonth: 10,
};
export const COMPOSITE_ALARM: Price = { usd: 0.5, per: 'composite alarm per month', page: CLOUDWATCH };
/** A dashboard with more than 50 metrics is never free. */
export const DASHBOARD: Price = { usd: 3, per: 'dashboard per month', page: CLOUDWATCH, freePerMonth: 3 };
/** The price of an account's first 10,000 metrics. A metric costs nothing in hours without data. */
export const CUSTOM_METRIC: Price = { usd: 0.3, per: 'metric per month', page: CLOUDWATCH, freePerMonth: 10 };

/** For events of up to 64 KB. Each delivery to another account's bus costs the same again. */
export const CUSTOM_EVENTS: Price = { usd: 1, per: '1,000,000 events', page: EVENTBRIDGE };

export const QUEUE_REQUESTS: Price = { usd: 0.4, per: '1,000,000 requests', page: SQS, freePerMonth: 1 };

/** Without its requests, which cost USD 0.60 per million. */
export const WEB_ACL: Price = { usd: 5, per: 'web ACL per month', page: WAF };
export const WEB_ACL_RULE: Price = { usd: 1, per: 'rule per month', page: WAF };
