import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { DEFAULT_TOKEN_REQUESTS_PER_SEC } from '../../contract/deployment-file';
import { type ScaleResult } from '../../test/simulation/scale/simulate-scale';
import { type WatchResult } from '../../test/simulation/scale/simulate-watch';

export const RESULTS_FILE = join(__dirname, 'scale-results.json');

/** A simulation's figures, as docs/limits.md shows them. Times are in seconds, unless the name says something else. */
export interface ScaleRecord {
  tenants: number;
  /** Token requests per second of the platform and of the deployment. @default 10 */
  requestsPerSec?: number;
  days: number;
  avoidableExpired: number;
  leastLifeMin: number;
  mostRequestsPerMin: number;
  loadedAfter: number;
  recoveredAfter: number;
  sweepMedian: number;
  sweepMost: number;
}

/** All results: of deployments, and of runs of credential-watch by number of tenants. */
export interface ScaleResults {
  deployments: ScaleRecord[];
  watch: (WatchResult & { tenants: number })[];
}

export function recordOf(result: ScaleResult): ScaleRecord {
  const { tenants, days, expired, requests, sweepsMs } = result;
  const sorted = [...sweepsMs].sort((a, b) => a - b);
  return {
    tenants,
    ...(result.requestsPerSec !== DEFAULT_TOKEN_REQUESTS_PER_SEC && {
      requestsPerSec: result.requestsPerSec,
    }),
    days,
    avoidableExpired: expired.avoidable,
    leastLifeMin: rounded(expired.leastLifeMs / 60_000, 1),
    mostRequestsPerMin: requests.most(),
    loadedAfter: rounded(result.loadedAfterMs / 1000),
    recoveredAfter: rounded(Math.max(...result.recoveredAfterMs) / 1000),
    sweepMedian: rounded(sorted[sorted.length >> 1]! / 1000, 1),
    sweepMost: rounded(sorted.at(-1)! / 1000, 1),
  };
}

export function readResults(): ScaleResults {
  return JSON.parse(readFileSync(RESULTS_FILE, 'utf8')) as ScaleResults;
}

function rounded(value: number, digits = 0): number {
  return Number(value.toFixed(digits));
}
