import { parseArgs } from 'node:util';

import { DEFAULT_TOKEN_REQUESTS_PER_SEC } from '../../core/deployment/deployment-file';
import { type ScaleResult, simulateScale } from '../../test/simulation/scale/simulate-scale';
import { simulateWatch } from '../../test/simulation/scale/simulate-watch';

const USAGE = 'npm run simulate -- [--days 7] [--rate 10] TENANTS…';
const WATCH_TIMEOUT_MS = 300_000;

/**
 * `npm run simulate -- [--days 7] [--rate 10] TENANTS…` simulates deployments, and prints for each its rows of the tables in
 * docs/limits.md. 5,000 tenants over seven days take about ten minutes of processor time.
 */
async function main(): Promise<void> {
  const options = {
    days: { type: 'string', default: '7' },
    rate: { type: 'string', default: String(DEFAULT_TOKEN_REQUESTS_PER_SEC) },
  } as const;
  const { values, positionals } = parseArgs({ allowPositionals: true, options });
  const [days, rate, ...counts] = [values.days, values.rate, ...positionals].map(Number);
  // An outage, a refusal and the time after each fit into no less than half a day.
  const areWhole = [days! * 2, rate!, ...counts].every((number) => Number.isInteger(number) && number > 0);
  if (!areWhole || counts.length === 0) throw new Error(`found something else than numbers\nUsage: ${USAGE}`);
  for (const tenants of counts) {
    const result = await simulateScale({ tenants, days: days!, seed: 1, requestsPerSec: rate });
    const { durationMs, calls, unavailable, reportBytes } = await simulateWatch(tenants, WATCH_TIMEOUT_MS);
    const watched = [
      `${Math.round(durationMs / 1000)} s`,
      grouped(calls),
      grouped(unavailable),
      `${(reportBytes / 1e6).toFixed(1)} MB`,
    ];
    for (const cells of [[String(days), ...tokenCells(result)], watched])
      console.log(`| ${[grouped(tenants), ...cells].join(' | ')} |`);
  }
}

/** Avoidable expired reads, most requests a minute, first load, after the outage, sweep: median, longest, least life. */
function tokenCells(result: ScaleResult): string[] {
  const { expired, mostRequestsAMinute, loadedAfterMs, recoveredAfterMs } = result;
  const sweepsMs = [...result.sweepsMs].sort((a, b) => a - b);
  return [
    grouped(expired.avoidable.length),
    grouped(mostRequestsAMinute),
    time(loadedAfterMs / 1000),
    time(recoveredAfterMs / 1000),
    `${rounded(sweepsMs[sweepsMs.length >> 1]! / 1000, 1)} s`,
    `${rounded(sweepsMs.at(-1)! / 1000, 1)} s`,
    expired.minLifeMs < 0 ? 'expired' : `${rounded(expired.minLifeMs / 60_000, 1)} min`,
  ];
}

function time(sec: number): string {
  if (sec >= 3 * 3600) return `${(sec / 3600).toFixed(1)} h`;
  return sec < 90 ? `${Math.round(sec)} s` : `${Math.round(sec / 60)} min`;
}

const grouped = (number: number) => Math.round(number).toLocaleString('en-US');
const rounded = (value: number, digits: number) => Number(value.toFixed(digits));

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
