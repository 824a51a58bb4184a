/**
 * A service in its own process, with the client library. It acts when the test tells it to, and learns only
 * the address of a running system.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { inspect } from 'node:util';

import { LambdaClient } from '@aws-sdk/client-lambda';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';

import { createTokenSource, type TokenSource } from '../../../client';
import { type LocalRun } from '../../../contract/local-run';
import { type TokenKey } from '../../../contract/token-key';
import { type LoadReport, SteadyLoad } from './steady-load';

/** An order from the test. */
export type CallerOrder =
  | { type: 'begin'; localJson: string; key: TokenKey }
  /** Asks for the token in this many parallel calls. */
  | { type: 'ask'; callers: number }
  /** Sends this many parallel GET requests to the platform. */
  | { type: 'fetch'; callers: number; url: string }
  /** Sends this many GET requests a second to the platform from now on. */
  | { type: 'begin load'; perSec: number; url: string }
  | { type: 'end load' };

/** A caller's answer, without secrets. */
export type CallerReport =
  | { type: 'ready' }
  | { type: 'asked'; tokenDigests: string[]; leastLifeLeftSec: number; failures: string[] }
  | { type: 'fetched'; statuses: number[]; failures: string[] }
  | { type: 'loading' }
  | ({ type: 'loaded' } & LoadReport);

let source: TokenSource;
let key: TokenKey;
let load: SteadyLoad;

process.on('message', (order: CallerOrder) => {
  void obey(order).then((report) => process.send!(report));
});

async function obey(order: CallerOrder): Promise<CallerReport> {
  switch (order.type) {
    case 'begin':
      begin(order.localJson, order.key);
      return { type: 'ready' };
    case 'ask':
      return ask(order.callers);
    case 'fetch':
      return fetchAll(order.callers, order.url);
    case 'begin load':
      load = new SteadyLoad(order.perSec, () => fetchOnce(order.url));
      return { type: 'loading' };
    case 'end load':
      return { type: 'loaded', ...(await load.end()) };
  }
}

function begin(localJson: string, tokenKey: TokenKey): void {
  const { aws, deployments } = JSON.parse(readFileSync(localJson, 'utf8')) as LocalRun;
  const options = { endpoint: aws.endpoint, region: aws.region, credentials: aws };
  key = tokenKey;
  source = createTokenSource({
    tokenRefresh: ({ environment, platformRegion }) =>
      deployments.find((each) => each.environment === environment && each.platformRegion === platformRegion)
        ?.functions.tokenRefresh,
    secretsManager: new SecretsManagerClient(options),
    lambda: new LambdaClient({ ...options, maxAttempts: 1 }),
  });
}

async function ask(callers: number): Promise<CallerReport> {
  const { values, failures } = await allAtOnce(callers, () => source.getToken(key));
  return {
    type: 'asked',
    tokenDigests: [...new Set(values.map(({ accessToken }) => sha256(accessToken)))],
    leastLifeLeftSec: Math.min(...values.map(({ expiresAt }) => (Date.parse(expiresAt) - Date.now()) / 1000)),
    failures,
  };
}

async function fetchAll(callers: number, url: string): Promise<CallerReport> {
  const { values, failures } = await allAtOnce(callers, () => fetchOnce(url));
  return { type: 'fetched', statuses: values, failures };
}

async function fetchOnce(url: string): Promise<number> {
  const answer = await source.authorizedFetch(key, url);
  await answer.arrayBuffer();
  return answer.status;
}

async function allAtOnce<T>(callers: number, call: () => Promise<T>) {
  const results = await Promise.allSettled(Array.from({ length: callers }, call));
  return {
    values: results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : [])),
    failures: results.flatMap((result) => (result.status === 'rejected' ? [reasonOf(result.reason)] : [])),
  };
}

/** Of a failed fetch, only the cause tells what happened. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause === undefined ? String(error) : `${String(error)}: ${inspect(cause)}`;
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
