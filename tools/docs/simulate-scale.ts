import { existsSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';

import { format } from 'prettier';

import { scaleOf, simulateScale } from '../../test/simulation/scale/simulate-scale';
import { simulateWatch } from '../../test/simulation/scale/simulate-watch';
import { readResults, recordOf, RESULTS_FILE, type ScaleResults } from './scale-results';

const WATCH_TIMEOUT_MS = 300_000;

/**
 * `npm run simulate -- [--days 7] [--as after|before] TENANTS…` simulates deployments and puts the results into
 * scale-results.json, from which `npm run docs` makes docs/scale.md and its pictures. 5,000 tenants over seven days take about ten
 * minutes of processor time.
 */
async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { days: { type: 'string', default: '7' }, as: { type: 'string', default: 'after' } },
  });
  for (const tenants of positionals.map(Number)) {
    const record = recordOf(await simulateScale(scaleOf(tenants, Number(values.days), 1)));
    const watch = { tenants, ...(await simulateWatch(tenants, WATCH_TIMEOUT_MS)) };
    const all: ScaleResults = existsSync(RESULTS_FILE) ? readResults() : { before: [], after: [], watch: [] };
    if (values.as === 'before') all.before = withRecord(all.before, record);
    else {
      all.after = withRecord(all.after, record);
      all.watch = withRecord(all.watch, watch);
    }
    writeFileSync(RESULTS_FILE, await format(JSON.stringify(all), { parser: 'json', printWidth: 110 }));
    const { firstRequests, outageRequests, outageExpired, ...figures } = record;
    console.log(
      JSON.stringify({
        ...figures,
        minutes: [firstRequests, outageRequests, outageExpired].map((c) => c.length),
        watch,
      }),
    );
  }
}

/** Replaces the record of as many tenants. */
function withRecord<Item extends { tenants: number }>(records: readonly Item[], record: Item): Item[] {
  return [...records.filter(({ tenants }) => tenants !== record.tenants), record].sort(
    (a, b) => a.tenants - b.tenants,
  );
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
