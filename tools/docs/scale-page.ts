import { readResults, type ScaleRecord } from './scale-results';

/** The tables of large deployments in docs/limits.md, from the results of simulations. */
export function scaleTables(): string {
  const { deployments, watch } = readResults();
  const rows = deployments.map((record) => [
    countOf(record),
    `${record.days}`,
    grouped(record.avoidableExpired),
    grouped(record.mostRequestsPerMin),
    minutes(record.loadedAfter),
    minutes(record.recoveredAfter),
    `${record.sweepMedian} s`,
    `${record.sweepMost} s`,
    record.leastLifeMin < 0 ? 'expired' : `${record.leastLifeMin} min`,
  ]);
  const tokens = table(
    [
      'tenants',
      'days',
      'avoidable expired reads',
      'most requests a minute',
      'first load',
      'after the outage',
      'sweep, median',
      'longest',
      'least life',
    ],
    rows,
  );
  const watched = table(
    ['tenants', 'time of a run', 'calls', 'secrets not inspected', 'size of a report'],
    watch.map(({ tenants, durationMs, calls, unavailable, reportBytes }) => [
      grouped(tenants),
      `${Math.round(durationMs / 1000)} s`,
      grouped(calls),
      grouped(unavailable),
      `${(reportBytes / 1e6).toFixed(1)} MB`,
    ]),
  );
  return [
    '**Tokens**',
    tokens,
    '**credential-watch**, if every credential was loaded once and never rotated',
    watched,
  ].join('\n\n');
}

function countOf({ tenants, requestsPerSec }: Pick<ScaleRecord, 'tenants' | 'requestsPerSec'>): string {
  return `${grouped(tenants)}${requestsPerSec === undefined ? '' : ` at ${requestsPerSec} requests a second`}`;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

function minutes(sec: number): string {
  if (sec >= 3 * 3600) return `${(sec / 3600).toFixed(1)} h`;
  return sec < 90 ? `${sec} s` : `${Math.round(sec / 60)} min`;
}

function grouped(number: number): string {
  return number.toLocaleString('en-US');
}
