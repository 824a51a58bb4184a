import { existsSync, writeFileSync } from 'node:fs';

import { format } from 'prettier';

import { scaleOf, simulateScale } from '../../test/simulation/scale/simulate-scale';
import { simulateWatch } from '../../test/simulation/scale/simulate-watch';
import { parseScaleArguments, SCALE_USAGE } from './scale-arguments';
import { readResults, recordOf, RESULTS_FILE, type ScaleResults } from './scale-results';

const WATCH_TIMEOUT_MS = 300_000;

/**
 * `npm run simulate -- [--days 7] [--rate 10] TENANTS…` simulates deployments and puts the results into
 * scale-results.json, from which `npm run docs` writes the tables of docs/limits.md. 5,000 tenants over seven days take about ten
 * minutes of processor time.
 */
async function main(): Promise<void> {
  const parsed = parseScaleArguments(process.argv.slice(2));
  if (typeof parsed === 'string') {
    console.error(`${parsed}\nUsage: ${SCALE_USAGE}`);
    process.exitCode = 2;
    return;
  }
  const { days, rate, counts } = parsed;
  for (const tenants of counts) {
    const record = recordOf(await simulateScale(scaleOf(tenants, days, 1, rate)));
    const watch = { tenants, ...(await simulateWatch(tenants, WATCH_TIMEOUT_MS)) };
    const all: ScaleResults = existsSync(RESULTS_FILE) ? readResults() : { deployments: [], watch: [] };
    all.deployments = withRecord(all.deployments, record);
    all.watch = withRecord(all.watch, watch);
    writeFileSync(RESULTS_FILE, await format(JSON.stringify(all), { parser: 'json', printWidth: 110 }));
    console.log(JSON.stringify({ ...record, watch }));
  }
}

/** Replaces the record of as many tenants at the same rate. */
function withRecord<Item extends { tenants: number; requestsPerSec?: number }>(
  records: readonly Item[],
  record: Item,
): Item[] {
  const isOther = ({ tenants, requestsPerSec }: Item) =>
    tenants !== record.tenants || requestsPerSec !== record.requestsPerSec;
  return [...records.filter(isOther), record].sort((a, b) => a.tenants - b.tenants);
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
