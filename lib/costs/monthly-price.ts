import { type DeploymentConfiguration } from '../config/schema';
import { type CountedTemplate, inventoryOf } from './inventory';
import {
  ALARM_METRIC,
  API_REQUESTS,
  COMPOSITE_ALARM,
  CUSTOM_EVENTS,
  CUSTOM_METRIC,
  DASHBOARD,
  FUNCTION_REQUESTS,
  FUNCTION_TIME,
  KEY,
  KEY_REQUESTS,
  LOG_INGESTION,
  LOG_STORAGE,
  type Price,
  SCHEDULER,
  SECRET,
  SECRET_CALLS,
  TRACES,
  TRAIL_EVENTS,
  WEB_ACL,
  WEB_ACL_RULE,
} from './prices';
import { sum } from './sum';
import { adoptedSecrets, DAYS_PER_MONTH, monthlyEvents, monthlyUseOf, sizeOf } from './usage';

const MILLION = 1e6;

/** One line of the price. */
export interface PriceItem {
  what: string;
  /** In the price's unit. */
  quantity: number;
  price: Price;
  monthlyUsd: number;
}

/** The monthly price of a deployment. */
export interface MonthlyPrice {
  /** Most expensive first. */
  items: PriceItem[];
  totalUsd: number;
}

/**
 * The monthly price of a deployment, without failures, rotations and restores. Resources are counted in the templates;
 * usage is calculated in ./usage.ts.
 * @param templates of the deployment's stack and its tenant stacks
 */
export function monthlyPrice(
  deployment: DeploymentConfiguration,
  templates: readonly CountedTemplate[],
): MonthlyPrice {
  const {
    secrets,
    replicas,
    keys,
    alarmMetrics,
    compositeAlarms,
    dashboards,
    memoryMb,
    webAcls,
    webAclRules,
    tracedFunctions,
  } = inventoryOf(templates);
  const use = monthlyUseOf(sizeOf(deployment));
  const storedMonths = deployment.logRetentionDays / DAYS_PER_MONTH;
  const items = [
    item('secrets', secrets + adoptedSecrets(deployment), SECRET),
    item('Secrets Manager calls', use.secretCalls / 10_000, SECRET_CALLS),
    item('KMS keys', keys, KEY),
    item('KMS requests', use.keyRequests / 10_000, KEY_REQUESTS),
    item('alarms', alarmMetrics, ALARM_METRIC),
    item('composite alarms', compositeAlarms, COMPOSITE_ALARM),
    item('dashboard', dashboards, DASHBOARD),
    item('custom metrics', use.metricSeries, CUSTOM_METRIC),
    item('function invocations', use.runs / MILLION, FUNCTION_REQUESTS),
    item('function duration', (use.runSec * memoryMb) / 1024, FUNCTION_TIME),
    item('schedules', use.runs / MILLION, SCHEDULER),
    item('log ingestion', use.logGb, LOG_INGESTION),
    item('log storage', use.logGb * storedMonths, LOG_STORAGE),
    ...(deployment.events === undefined
      ? []
      : [item('custom events', monthlyEvents(sizeOf(deployment)) / MILLION, CUSTOM_EVENTS)]),
    // X-Ray records the first run of each second, which are all that schedules start.
    ...(tracedFunctions === 0 ? [] : [item('traces', use.runs / MILLION, TRACES)]),
    ...(replicas === 0 ? [] : [item('secret replicas', replicas, SECRET)]),
    ...(webAcls === 0
      ? []
      : [item('web ACL', webAcls, WEB_ACL), item('web ACL rules', webAclRules, WEB_ACL_RULE)]),
  ];
  return {
    items: items.sort((a, b) => b.monthlyUsd - a.monthlyUsd),
    totalUsd: sum(items.map(({ monthlyUsd }) => monthlyUsd)),
  };
}

/** What prices of one account add up to after AWS's free tier, in USD, if nothing else there uses it. */
export function afterFreeTier(prices: readonly MonthlyPrice[]): number {
  const used = new Map<Price, number>();
  for (const { price, quantity } of prices.flatMap(({ items }) => items))
    used.set(price, (used.get(price) ?? 0) + quantity);
  return sum([...used].map(([price, quantity]) => Math.max(0, quantity - (price.free ?? 0)) * price.usd));
}

/**
 * What each copy of the management events but the first adds in a month, in USD: every call of Secrets Manager, and of KMS on
 * its behalf.
 * @see https://docs.aws.amazon.com/secretsmanager/latest/userguide/monitoring-cloudtrail.html
 * @see https://docs.aws.amazon.com/kms/latest/developerguide/logging-using-cloudtrail.html
 */
export function pricePerFurtherTrail(deployment: DeploymentConfiguration): number {
  const { secretCalls, keyRequests } = monthlyUseOf(sizeOf(deployment));
  return item('trail events', (secretCalls + keyRequests) / 100_000, TRAIL_EVENTS).monthlyUsd;
}

/** One restore: the authorizer reads two versions of two tokens, the restore function reads one. */
const RESTORE = { runs: 2, secretReads: 5, runSec: 1, logBytes: 3_000, memoryGb: 0.5 };

/** What a thousand restores add, in USD, if no caller's token is cached. */
export function pricePerThousandRestores(): number {
  const { runs, secretReads, runSec, logBytes, memoryGb } = RESTORE;
  const each = [
    item('API Gateway requests', 1 / MILLION, API_REQUESTS),
    item('function invocations', runs / MILLION, FUNCTION_REQUESTS),
    item('function duration', runSec * memoryGb, FUNCTION_TIME),
    item('Secrets Manager calls', secretReads / 10_000, SECRET_CALLS),
    item('KMS requests', secretReads / 10_000, KEY_REQUESTS),
    item('log ingestion', logBytes / 1e9, LOG_INGESTION),
  ];
  return 1000 * sum(each.map(({ monthlyUsd }) => monthlyUsd));
}

/** What requests without a valid credential cause. Their refusals, without lookups, take about 10 ms each. */
export interface FloodUse {
  requests: number;
  secretCalls: number;
  /** Those of the calls that read a value, which costs a KMS request. */
  secretReads: number;
}

const REFUSAL = { runSec: 0.01, logBytes: 1_000, memoryGb: 0.5 };

/**
 * What requests without a valid credential cost, in USD. API Gateway does not bill them.
 * @see https://repost.aws/questions/QUm1jSF1ieSQ25Ol1RzFLysA/does-aws-charge-for-throttled-requests
 */
export function priceOfFlood({ requests, secretCalls, secretReads }: FloodUse): number {
  const { runSec, logBytes, memoryGb } = REFUSAL;
  return sum(
    [
      item('function invocations', requests / MILLION, FUNCTION_REQUESTS),
      item('function duration', requests * runSec * memoryGb, FUNCTION_TIME),
      item('log ingestion', (requests * logBytes) / 1e9, LOG_INGESTION),
      item('Secrets Manager calls', secretCalls / 10_000, SECRET_CALLS),
      item('KMS requests', secretReads / 10_000, KEY_REQUESTS),
    ].map(({ monthlyUsd }) => monthlyUsd),
  );
}

function item(what: string, quantity: number, price: Price): PriceItem {
  return { what, quantity, price, monthlyUsd: quantity * price.usd };
}
