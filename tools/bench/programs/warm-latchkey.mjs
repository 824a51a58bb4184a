import { createRequire } from 'node:module';

import { END_MS, JWT, MARGIN_MS, REQUESTS, requestOf } from './warm-requests.mjs';

/** The client library: its synchronous lookup, which checks the expiry, and its public method. */
export async function latchkey(clientFile) {
  const { createTokenSource, systemClock, TokenSupply } = createRequire(import.meta.url)(clientFile);
  const supply = new TokenSupply({
    secrets: { read: readVersion },
    tokenRefresh: { serves: () => false },
    clock: systemClock,
    random: Math.random,
    minValidityMs: MARGIN_MS,
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
  const expiry = { wallMs: END_MS, monotonicMs: performance.now() + END_MS - Date.now() };
  const quietUntil = { wallMs: -Infinity, monotonicMs: -Infinity };
  return {
    versionId: 'any',
    cached: {
      key,
      token: { accessToken: JWT },
      sha256: 'any',
      expiry,
      quietUntil,
      fallbackUntil: quietUntil,
    },
  };
}

/** Secrets Manager's response for a token secret. */
async function readSecret({ input }) {
  const key = REQUESTS.find(
    ({ environment, platformRegion, tenantId }) =>
      input.SecretId === `latchkey/${environment}/${platformRegion}/${tenantId}/token/content/api-write`,
  );
  const value = {
    ...key,
    accessToken: JWT,
    tokenType: 'Bearer',
    issuedAt: new Date().toISOString(),
    expiresAt: new Date(END_MS).toISOString(),
    credentialVersionId: 'any',
  };
  return { VersionId: 'any', SecretString: JSON.stringify(value) };
}
