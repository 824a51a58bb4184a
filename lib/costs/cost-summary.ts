import { type DeploymentConfiguration } from '../config/schema';
import { type CountedTemplate } from './inventory';
import { monthlyPrice } from './monthly-price';
import { quotaUse } from './quotas';
import { sizeOf } from './usage';

/** The most expensive items, listed by name; the rest is summed up as `other`. */
const NAMED_ITEMS = 5;
const QUOTAS_PER_LINE = 3;

/**
 * The lines that synth prints about a deployment: size, monthly price and quota use.
 * @param templates of the deployment's stack and its tenant stacks
 */
export function costSummary(
  deployment: DeploymentConfiguration,
  templates: readonly CountedTemplate[],
): string[] {
  const { tenants, tokens } = sizeOf(deployment);
  const { items, totalUsd } = monthlyPrice(deployment, templates);
  const named = items.slice(0, NAMED_ITEMS);
  const restUsd = named.reduce((left, { monthlyUsd }) => left - monthlyUsd, totalUsd);
  const quotas = quotaUse(deployment, templates).map(({ what, used, atMost, of }) => {
    const most = atMost === undefined ? '' : `–${atMost}`;
    return `${grouped(used)}${most} of ${grouped(of)} ${what}`;
  });
  const parts = [
    ...named.map(({ what, monthlyUsd }) => `${what} ${usd(monthlyUsd)}`),
    `other ${usd(restUsd)}`,
  ];
  return [
    `${deployment.environment} ${deployment.platformRegion}: ${count(tenants, 'tenant')}, ${count(tokens, 'token')}`,
    `  price   about USD ${usd(totalUsd)} a month: ${parts.join(', ')}`,
    ...lines(quotas).map((line, index) => `  ${index === 0 ? 'quotas' : '      '}  ${line}`),
  ];
}

/** Joins the parts, {@link QUOTAS_PER_LINE} per line. */
function lines(parts: readonly string[]): string[] {
  const count = Math.ceil(parts.length / QUOTAS_PER_LINE);
  return Array.from({ length: count }, (_, line) =>
    parts.slice(line * QUOTAS_PER_LINE, (line + 1) * QUOTAS_PER_LINE).join(', '),
  );
}

/** `12.30` */
export function usd(amount: number): string {
  return amount.toFixed(2);
}

function count(number: number, thing: string): string {
  return `${number} ${thing}${number === 1 ? '' : 's'}`;
}

/** `10,000`, regardless of the machine's locale. */
function grouped(number: number): string {
  return number.toLocaleString('en-US');
}
