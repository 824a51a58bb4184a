import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { DEFAULT_TOKEN_REQUESTS_PER_SEC } from '../../contract/deployment-file';
import { FUNCTION_REQUESTS, FUNCTION_TIME, KEY_REQUESTS, SECRET, SECRET_CALLS } from '../../lib/costs/prices';
import { DAYS_PER_MONTH } from '../../lib/costs/usage';
import { type ScaleResult } from '../../test/simulation/scale/simulate-scale';
import { type WatchResult } from '../../test/simulation/scale/simulate-watch';

export const RESULTS_FILE = join(__dirname, 'scale-results.json');

/** A simulation's figures, as docs/scale.md shows them. Times are in seconds, unless the name says something else. */
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
  allowedRecovery: number;
  sweepMedian: number;
  sweepMost: number;
  sweepsTooLong: number;
  sweepsOverlapping: number;
  limitedShare: number;
  renewalsPerTokenAndDay: number;
  /** In a month. */
  tokenRequests: number;
  secretCalls: number;
  functionHours: number;
  usd: { calls: number; functions: number; secrets: number };
  /** By minute; null where it was not recorded. */
  firstRequests: (number | null)[];
  outageRequests: (number | null)[];
  outageExpired: (number | null)[];
}

/** All results: of the released version and of the one before the rate, and runs of credential-watch by number of tenants. */
export interface ScaleResults {
  before: ScaleRecord[];
  after: ScaleRecord[];
  watch: (WatchResult & { tenants: number })[];
}

/** Minutes of the curves: from the start, and around an outage. */
export const FIRST_MINUTES = 180;
export const MINUTES_BEFORE_OUTAGE = 10;
const OUTAGE_CURVE_MINUTES = 190;

const MEMORY_GB = 0.5;

export function recordOf(result: ScaleResult): ScaleRecord {
  const { tenants, tokens, days, expired, requests, sweepsMs, platform, store } = result;
  const monthly = (count: number) => (count / days) * DAYS_PER_MONTH;
  const sorted = [...sweepsMs].sort((a, b) => a - b);
  const { DescribeSecret, GetSecretValue, PutSecretValue } = store.calls;
  const secretCalls = monthly(DescribeSecret + GetSecretValue + PutSecretValue);
  const keyRequests = monthly(GetSecretValue + PutSecretValue);
  const functionSec = monthly(result.functionMs / 1000);
  const runs = monthly(result.functionRuns);
  const sent = requests.counts.reduce((all, count) => all + count, 0);
  const outageMinute = Math.round(result.outagesMs[0]! / 60_000) - MINUTES_BEFORE_OUTAGE;
  const ofOutage = (counts: number[]) => counts.slice(outageMinute, outageMinute + OUTAGE_CURVE_MINUTES);
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
    allowedRecovery: rounded(result.allowedRecoveryMs / 1000),
    sweepMedian: rounded(sorted[sorted.length >> 1]! / 1000, 1),
    sweepMost: rounded(sorted.at(-1)! / 1000, 1),
    sweepsTooLong: result.sweepsTooLong,
    sweepsOverlapping: result.sweepsOverlapping,
    limitedShare: rounded(platform.limited / sent, 4),
    renewalsPerTokenAndDay: rounded(platform.grants / tokens / days, 1),
    tokenRequests: rounded(monthly(sent)),
    secretCalls: rounded(secretCalls),
    functionHours: rounded(functionSec / 3600, 1),
    usd: {
      calls: rounded((secretCalls * SECRET_CALLS.usd + keyRequests * KEY_REQUESTS.usd) / 10_000, 2),
      functions: rounded(
        functionSec * MEMORY_GB * FUNCTION_TIME.usd + (runs / 1e6) * FUNCTION_REQUESTS.usd,
        2,
      ),
      // Two credentials, and the tokens.
      secrets: rounded((2 * tenants + tokens) * SECRET.usd),
    },
    firstRequests: requests.counts.slice(0, FIRST_MINUTES),
    outageRequests: ofOutage(requests.counts),
    outageExpired: ofOutage(expired.expired.counts),
  };
}

export function readResults(): ScaleResults {
  return JSON.parse(readFileSync(RESULTS_FILE, 'utf8')) as ScaleResults;
}

function rounded(value: number, digits = 0): number {
  return Number(value.toFixed(digits));
}
