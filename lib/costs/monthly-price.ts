import { type DeploymentConfiguration } from '../options/schema';
import { type CountedTemplate, inventoryOf } from './inventory';
import {
  ALARM_METRIC,
  COMPOSITE_ALARM,
  CUSTOM_EVENTS,
  CUSTOM_METRIC,
  DASHBOARD,
  KMS_KEY,
  KMS_REQUESTS,
  type Price,
  QUEUE_REQUESTS,
  SECRET,
  SECRETS_MANAGER_CALLS,
  WEB_ACL,
  WEB_ACL_RULE,
} from './prices';
import { sum } from './sum';
import { adoptedSecrets, monthlyUseOf, sizeOf } from './usage';

export interface PriceItem {
  what: string;
  /** In the price's unit. */
  quantity: number;
  price: Price;
  monthlyUsd: number;
}

export interface MonthlyPrice {
  /** Most expensive first. */
  items: PriceItem[];
  totalUsd: number;
}

/**
 * The monthly price of a deployment, without failures, rotations and restores. Resources are counted in the templates;
 * usage is calculated in ./usage.ts. Functions, schedules and logs are left out: less than 1 % of the total.
 * @param templates of the deployment's stack and its tenant stacks
 */
export function monthlyPrice(
  deployment: DeploymentConfiguration,
  templates: readonly CountedTemplate[],
): MonthlyPrice {
  const { secrets, replicas, keys, alarmMetrics, compositeAlarms, dashboards, webAcls, webAclRules } =
    inventoryOf(templates);
  const use = monthlyUseOf(sizeOf(deployment));
  const items = [
    item('secrets', secrets + adoptedSecrets(deployment), SECRET),
    item('Secrets Manager calls', use.secretCalls / 10_000, SECRETS_MANAGER_CALLS),
    item('KMS keys', keys, KMS_KEY),
    item('KMS requests', use.keyRequests / 10_000, KMS_REQUESTS),
    item('alarms', alarmMetrics, ALARM_METRIC),
    item('composite alarms', compositeAlarms, COMPOSITE_ALARM),
    item('custom metrics', use.metricSeries, CUSTOM_METRIC),
    ...(dashboards === 0 ? [] : [item('dashboard', dashboards, DASHBOARD)]),
    ...(use.queueRequests === 0
      ? []
      : [item('queue requests', use.queueRequests / 1_000_000, QUEUE_REQUESTS)]),
    ...(deployment.events === undefined
      ? []
      : [item('custom events', use.renewals / 1_000_000, CUSTOM_EVENTS)]),
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
  return sum(
    [...used].map(([price, quantity]) => Math.max(0, quantity - (price.freePerMonth ?? 0)) * price.usd),
  );
}

function item(what: string, quantity: number, price: Price): PriceItem {
  return { what, quantity, price, monthlyUsd: quantity * price.usd };
}
