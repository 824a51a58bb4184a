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
  type Price,
  SECRET,
  SECRET_CALLS,
  TABLE_READS,
  TABLE_WRITES,
} from './prices';
import { sum } from './sum';
import { HOURS_PER_MONTH } from './usage';

/** Assumed for each probe of a run of `latchkey prove`, rounded up generously: together a few cents. */
const PROBE_USE = {
  /** Of the probe, and of the functions. */
  secretCalls: 100,
  secretReads: 50,
  /** To the platform's sandbox and the restore API. */
  apiRequests: 40,
  functionRuns: 60,
  runSec: 1,
  /** The sandbox reads and writes its state, of at most this size, once per request. */
  stateKb: 40,
  logGb: 0.0005,
  /** Combinations of metric and dimensions. */
  metricSeries: 2,
};

interface RunPriceItem {
  readonly what: string;
  /** In the price's unit. */
  readonly quantity: number;
  readonly price: Price;
  readonly usd: number;
}

export interface RunPrice {
  /** Most expensive first. */
  readonly items: readonly RunPriceItem[];
  readonly totalUsd: number;
}

/**
 * The price of stacks that exist for some hours, without free tiers. AWS bills what has a price per month by the hour, and
 * nothing for a key whose deletion is scheduled.
 * @param hours a part of an hour costs as much as a whole one
 * @param probes how many run meanwhile
 * @see https://aws.amazon.com/kms/pricing/ (scheduled for deletion)
 * @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/cloudwatch_billing.html
 */
export function runPrice(templates: readonly CountedTemplate[], hours: number, probes: number): RunPrice {
  const { secrets, keys, alarmMetrics, compositeAlarms, dashboards, memoryMb } = inventoryOf(templates);
  const { secretCalls, secretReads, apiRequests, functionRuns, runSec, stateKb, logGb } = PROBE_USE;
  const months = Math.ceil(hours) / HOURS_PER_MONTH;
  const items = [
    item('secrets', secrets * months, SECRET),
    item('KMS keys', keys * months, KEY),
    item('alarms', alarmMetrics * months, ALARM_METRIC),
    item('composite alarms', compositeAlarms * months, COMPOSITE_ALARM),
    item('dashboard', dashboards * months, DASHBOARD),
    item('custom metrics', probes * PROBE_USE.metricSeries * months, CUSTOM_METRIC),
    item('Secrets Manager calls', (probes * secretCalls) / 10_000, SECRET_CALLS),
    item('KMS requests', (probes * secretReads) / 10_000, KEY_REQUESTS),
    item('API Gateway requests', (probes * apiRequests) / 1e6, API_REQUESTS),
    item('function invocations', (probes * functionRuns) / 1e6, FUNCTION_REQUESTS),
    item('function duration', (probes * functionRuns * runSec * memoryMb) / 1024, FUNCTION_TIME),
    item('DynamoDB writes', (probes * apiRequests * stateKb) / 1e6, TABLE_WRITES),
    item('DynamoDB reads', (probes * apiRequests * stateKb) / 4 / 1e6, TABLE_READS),
    item('log ingestion', probes * logGb, LOG_INGESTION),
  ];
  return {
    items: items.sort((a, b) => b.usd - a.usd),
    totalUsd: sum(items.map(({ usd }) => usd)),
  };
}

function item(what: string, quantity: number, price: Price): RunPriceItem {
  return { what, quantity, price, usd: quantity * price.usd };
}
