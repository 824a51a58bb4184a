import { type DeploymentConfiguration } from '../config/schema';
import { type CountedTemplate, inventoryOf } from './inventory';
import {
  ALARM_METRIC,
  API_REQUESTS,
  COMPOSITE_ALARM,
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
} from './prices';
import { sum } from './sum';
import { adoptedSecrets, DAYS_PER_MONTH, monthlyUseOf, sizeOf } from './usage';

const MILLION = 1e6;

/** One thing that costs money. */
export interface PriceItem {
  what: string;
  /** In units of the price. */
  quantity: number;
  price: Price;
  monthlyUsd: number;
}

/** What a deployment costs in a month. */
export interface MonthlyPrice {
  /** The dearest first. */
  items: PriceItem[];
  totalUsd: number;
}

/**
 * The price of a deployment for a month in which nothing fails, nobody rotates and nobody restores.
 * Things that are deployed are counted in the templates, what they use by how the functions work: see ./usage.ts.
 * @param templates of the deployment's stack and of its tenants' stacks
 */
export function monthlyPrice(
  deployment: DeploymentConfiguration,
  templates: readonly CountedTemplate[],
): MonthlyPrice {
  const { secrets, keys, alarmMetrics, compositeAlarms, dashboards, memoryMb } = inventoryOf(templates);
  const use = monthlyUseOf(sizeOf(deployment));
  const storedMonths = deployment.logRetentionDays / DAYS_PER_MONTH;
  const items = [
    item('secrets', secrets + adoptedSecrets(deployment), SECRET),
    item('calls of Secrets Manager', use.secretCalls / 10_000, SECRET_CALLS),
    item('keys', keys, KEY),
    item('requests to KMS', use.keyRequests / 10_000, KEY_REQUESTS),
    item('alarms', alarmMetrics, ALARM_METRIC),
    item('composite alarms', compositeAlarms, COMPOSITE_ALARM),
    item('dashboard', dashboards, DASHBOARD),
    item('metrics', use.metricSeries, CUSTOM_METRIC),
    item('runs of functions', use.runs / MILLION, FUNCTION_REQUESTS),
    item('time of functions', (use.runSec * memoryMb) / 1024, FUNCTION_TIME),
    item('schedules', use.runs / MILLION, SCHEDULER),
    item('logs', use.logGb, LOG_INGESTION),
    item('stored logs', use.logGb * storedMonths, LOG_STORAGE),
  ];
  return {
    items: items.sort((a, b) => b.monthlyUsd - a.monthlyUsd),
    totalUsd: sum(items.map(({ monthlyUsd }) => monthlyUsd)),
  };
}

/** A restore runs the authorizer, which reads two versions of two tokens, and the restore function, which reads one. */
const RESTORE = { runs: 2, secretReads: 5, runSec: 1, logBytes: 3_000, memoryGb: 0.5 };

/** What a thousand restores add, in USD, if each caller comes with a token that is not remembered. */
export function pricePerThousandRestores(): number {
  const { runs, secretReads, runSec, logBytes, memoryGb } = RESTORE;
  const each = [
    item('requests', 1 / MILLION, API_REQUESTS),
    item('runs of functions', runs / MILLION, FUNCTION_REQUESTS),
    item('time of functions', runSec * memoryGb, FUNCTION_TIME),
    item('calls of Secrets Manager', secretReads / 10_000, SECRET_CALLS),
    item('requests to KMS', secretReads / 10_000, KEY_REQUESTS),
    item('logs', logBytes / 1e9, LOG_INGESTION),
  ];
  return 1000 * sum(each.map(({ monthlyUsd }) => monthlyUsd));
}

function item(what: string, quantity: number, price: Price): PriceItem {
  return { what, quantity, price, monthlyUsd: quantity * price.usd };
}
