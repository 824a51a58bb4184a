/**
 * A service in its own process, with the client library. It acts when the test tells it to, and learns only
 * the address of a running system.
 */
import { readFileSync } from 'node:fs';

import { LambdaClient } from '@aws-sdk/client-lambda';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';

import { createTokenSource, type TokenSource } from '../../../client';
import { type LocalRun } from '../../../core/deployment/local-run';
import { type TokenKey } from '../../../core/tokens/public-keys';
import { type LoadReport, SteadyLoad } from './steady-load';

/** An order from the test. */
export type CallerOrder =
  | { type: 'begin'; localJson: string; key: TokenKey }
  /** Sends this many GET requests a second to the platform from now on. */
  | { type: 'begin load'; perSec: number; url: string }
  | { type: 'end load' };

/** A caller's answer, without secrets. */
export type CallerReport = { type: 'ready' } | { type: 'loading' } | ({ type: 'loaded' } & LoadReport);

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

async function fetchOnce(url: string): Promise<number> {
  const answer = await source.authorizedFetch(key, url);
  await answer.arrayBuffer();
  return answer.status;
}
