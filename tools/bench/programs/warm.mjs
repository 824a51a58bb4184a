/**
 * Warm reads in one process: each cache is filled once, then read, without network.
 * `node warm.mjs CLIENT_BUNDLE` takes `{ rounds, roundMs }` and responds with the result of `race`.
 */
import { createRequire } from 'node:module';

import { SecretsProvider } from '@aws-lambda-powertools/parameters/secrets';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import middy from '@middy/core';
import secretsManager from '@middy/secrets-manager';

import { race } from './race.mjs';

const EXPIRY_MS = Date.now() + 3_600_000;
/** How long before its expiry a token counts as expired. */
const MARGIN_MS = 300_000;
const CACHE_SEC = 3_300;
/** A token of a usual length. */
const TOKEN = `any-token-${'t'.repeat(600)}`;
/** 64 requests, for 16 tenants in all deployments. */
const REQUESTS = Array.from({ length: 64 }, (_, i) => ({
  environment: i & 1 ? 'production' : 'staging',
  platformRegion: i & 2 ? 'mea' : 'global',
  tenantId: `tenant-${i % 16}`,
  interface: 'content',
  scope: 'api/write',
}));
const requestOf = (i) => REQUESTS[i & 63];
const nameOf = ({ tenantId, environment, platformRegion, interface: platformInterface, scope }) =>
  `${tenantId}|${environment}|${platformRegion}|${platformInterface}|${scope}`;

/** The least code that could do the job. */
function limit() {
  const tokens = new Map(REQUESTS.map((each) => [nameOf(each), { token: TOKEN, expiryMs: EXPIRY_MS }]));
  const find = (i) => {
    const entry = tokens.get(nameOf(requestOf(i)));
    return entry !== undefined && entry.expiryMs - MARGIN_MS > Date.now() ? entry.token : undefined;
  };
  return { name: 'LIMIT: 5 fields joined + Map.get + end', isSync: true, run: find };
}

/** The client library: its synchronous lookup, which checks the expiry, and its public method. */
async function latchkey(clientFile) {
  const { createTokenSource, systemClock, TokenSupply } = createRequire(import.meta.url)(clientFile);
  const supply = new TokenSupply({
    secrets: { read: readVersion },
    tokenRefresh: { isConfiguredFor: () => false },
    clock: systemClock,
    random: Math.random,
    minValidityMs: MARGIN_MS,
    regions: [],
    onEvent: () => undefined,
  });
  const source = createTokenSource({
    secretsManager: { send: readSecret },
    minValiditySec: MARGIN_MS / 1_000,
  });
  for (const key of REQUESTS) await Promise.all([supply.obtain(key), source.getToken(key)]);
  return [
    { name: 'latchkey/client: lookup, synchronous', isSync: true, run: (i) => supply.find(requestOf(i)) },
    { name: 'latchkey/client: getToken(), awaited', run: (i) => source.getToken(requestOf(i)) },
  ];
}

/** A token as the library caches it. */
async function readVersion(key) {
  const expiry = { wallMs: EXPIRY_MS, monotonicMs: performance.now() + EXPIRY_MS - Date.now() };
  const quietUntil = { wallMs: -Infinity, monotonicMs: -Infinity };
  const token = { accessToken: TOKEN };
  const cached = { key, token, sha256: 'any', expiry, quietUntil, fallbackUntil: quietUntil };
  return { versionId: 'any', cached };
}

/** Secrets Manager's response for a token secret. */
async function readSecret({ input }) {
  const key = REQUESTS.find(
    ({ environment, platformRegion, tenantId }) =>
      input.SecretId === `latchkey/${environment}/${platformRegion}/${tenantId}/token/content/api-write`,
  );
  const value = {
    ...key,
    accessToken: TOKEN,
    tokenType: 'Bearer',
    issuedAt: new Date().toISOString(),
    expiresAt: new Date(EXPIRY_MS).toISOString(),
    credentialVersionId: 'any',
  };
  return { VersionId: 'any', SecretString: JSON.stringify(value) };
}

async function powertools() {
  const client = new SecretsManagerClient({ region: 'any' });
  client.send = async () => ({ SecretString: JSON.stringify({ accessToken: TOKEN }) });
  const provider = new SecretsProvider({ awsSdkV3Client: client });
  const options = { maxAge: CACHE_SEC };
  for (const request of REQUESTS) await provider.get(nameOf(request), options);
  return {
    name: 'Powertools, name built from the 5 fields',
    run: (i) => provider.get(nameOf(requestOf(i)), options),
  };
}

function middyHandler() {
  class Client {
    middlewareStack = { add() {}, use() {} };
    send = async () => ({ SecretString: JSON.stringify({ accessToken: TOKEN }) });
  }
  const options = {
    AwsClient: Client,
    fetchData: { token: 'any' },
    cacheKey: 'any',
    cacheExpiry: CACHE_SEC * 1_000,
    setToContext: true,
  };
  const handler = middy({ timeoutEarlyInMillis: 0 })
    .use(secretsManager(options))
    .handler(async (_event, { token }) => token.accessToken);
  const context = () => ({ getRemainingTimeInMillis: () => 3_000, awsRequestId: 'any' });
  return { name: 'middy + @middy/secrets-manager', run: () => handler({}, context()) };
}

// The timers of some libraries would keep the process running after its parent has exited.
process.once('disconnect', () => process.exit());
process.on('message', async ({ rounds, roundMs }) => {
  const candidates = [limit(), ...(await latchkey(process.argv[2])), await powertools(), middyHandler()];
  process.send(await race(candidates, rounds, roundMs));
});
