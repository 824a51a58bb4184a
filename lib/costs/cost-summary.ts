import { deploymentText } from '../../core/tokens/token-key';
import { type DeploymentConfiguration } from '../options/schema';
import { type MonthlyPrice } from './monthly-price';
import { notableUses, type QuotaUse } from './quotas';
import { sizeOf } from './usage';

/** The most expensive items, listed by name; the rest is summed up as `other`. */
const NAMED_ITEMS = 5;
const QUOTAS_PER_LINE = 3;

export function costSummary(
  deployment: DeploymentConfiguration,
  { items, totalUsd }: MonthlyPrice,
): string[] {
  const { tenants, tokens } = sizeOf(deployment);
  const named = items.slice(0, NAMED_ITEMS);
  const restUsd = named.reduce((left, { monthlyUsd }) => left - monthlyUsd, totalUsd);
  const parts = [
    ...named.map(({ what, monthlyUsd }) => `${what} ${usd(monthlyUsd)}`),
    `other ${usd(restUsd)}`,
  ];
  return [
    `${deploymentText(deployment)}: ${count(tenants, 'tenant')}, ${count(tokens, 'token')}`,
    `  about USD ${usd(totalUsd)} a month: ${parts.join(', ')}`,
  ];
}

/**
 * The lines about the quotas of one account and AWS region.
 * @param location as in `in eu-west-1 of account 111122223333`
 */
export function quotaSummary(uses: readonly QuotaUse[], location: string): string[] {
  const parts = uses.map(({ used, limit, what }) => `${grouped(used)} of ${grouped(limit)} ${what}`);
  const notable = notableUses(uses);
  return [
    `Quotas ${location}`,
    ...lines(parts).map((line) => `  ${line}`),
    ...(notable.length === 0 ? ['  ✓ None is used above 80 %'] : notable.map(notableLine)),
  ];
}

function notableLine({ used, limit, what, isRate, advice }: QuotaUse): string {
  if (limit === 0) return `  ! ${grouped(used)} of 0 ${what}`;
  const share = `${Math.round((100 * used) / limit)} %`;
  if (advice !== undefined) {
    return `  ! ${share} of Latchkey’s limit: ${grouped(used)} of ${grouped(limit)} ${what}. ${advice}`;
  }
  if (isRate !== true) return `  ! ${share} of the quota: ${grouped(used)} of ${grouped(limit)} ${what}`;
  return `  ! ${share} of the quota at most: ${what}. AWS throttles the excess, and the functions retry`;
}

/** Joins the parts, {@link QUOTAS_PER_LINE} per line. */
function lines(parts: readonly string[]): string[] {
  const lineCount = Math.ceil(parts.length / QUOTAS_PER_LINE);
  return Array.from({ length: lineCount }, (_, line) =>
    parts.slice(line * QUOTAS_PER_LINE, (line + 1) * QUOTAS_PER_LINE).join(', '),
  );
}

/** `12.30` */
export function usd(amount: number): string {
  return amount.toFixed(2);
}

/** `1 tenant`, `2 tenants` */
export function count(number: number, thing: string): string {
  return `${number} ${thing}${number === 1 ? '' : 's'}`;
}

/** `10,000`, regardless of the machine's locale. */
export function grouped(number: number): string {
  return number.toLocaleString('en-US');
}
