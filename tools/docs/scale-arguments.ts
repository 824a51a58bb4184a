import { parseArgs } from 'node:util';

import { DEFAULT_TOKEN_REQUESTS_PER_SEC, MOST_TOKEN_REQUESTS_PER_SEC } from '../../contract/deployment-file';

export const SCALE_USAGE = 'npm run simulate -- [--days 7] [--rate 10] TENANTS…';

/** What to simulate. */
export interface ScaleArguments {
  days: number;
  /** Token requests per second of the platform and of the deployment. */
  rate: number;
  /** Numbers of tenants. */
  counts: number[];
}

/** @returns the first fault as a message, if there is any */
export function parseScaleArguments(args: string[]): ScaleArguments | string {
  const options = {
    days: { type: 'string', default: '7' },
    rate: { type: 'string', default: String(DEFAULT_TOKEN_REQUESTS_PER_SEC) },
  } as const;
  let parsed;
  try {
    parsed = parseArgs({ args, allowPositionals: true, options });
  } catch (error) {
    return (error as Error).message;
  }
  const { values, positionals } = parsed;
  const { days, rate } = values;
  // An outage, a refusal and the time after each fit into no less.
  if (!(Number(days) >= 0.5 && Number.isInteger(Number(days) * 2))) {
    return `--days: found ${days}; allowed: days from 0.5, in half days`;
  }
  if (!isWhole(rate, MOST_TOKEN_REQUESTS_PER_SEC)) {
    return `--rate: found ${rate}; allowed: whole requests per second from 1 to ${MOST_TOKEN_REQUESTS_PER_SEC}`;
  }
  const wrong = positionals.find((text) => !isWhole(text));
  if (wrong !== undefined) return `TENANTS: found ${wrong}; allowed: whole numbers from 1`;
  if (positionals.length === 0) return 'TENANTS: missing; allowed: whole numbers from 1';
  return { days: Number(days), rate: Number(rate), counts: positionals.map(Number) };
}

function isWhole(text: string, most = Number.MAX_SAFE_INTEGER): boolean {
  return /^[1-9]\d*$/.test(text) && Number(text) <= most;
}
