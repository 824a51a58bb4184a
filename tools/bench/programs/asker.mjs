/**
 * One of several processes that need the same token: `node asker.mjs DESIGN CLIENT_BUNDLE REQUEST`.
 * Takes `{ ready: true }`, then `{ asks }`, and responds with how many of them failed.
 */
import { createRequire } from 'node:module';

import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';

const [design, clientFile, requestJson] = process.argv.slice(2);
const { key, tokenRefresh, tokenUrl, clientCredentialsArn } = JSON.parse(requestJson);

const DESIGNS = {
  /** Every request goes to the platform, with credentials that all processes read. */
  'nothing shared': () => requestToken,
  /** What the best libraries do. */
  'single flight in each process': () => {
    let flight;
    return () => (flight ??= requestToken());
  },
  'latchkey/client over token-refresh': () => {
    const { createTokenSource } = createRequire(import.meta.url)(clientFile);
    const tokens = createTokenSource({ tokenRefresh });
    return async () => (await tokens.getToken(key)).accessToken;
  },
};

const secretsManager = new SecretsManagerClient({});
let credentials;

async function requestToken() {
  credentials ??= secretsManager
    .send(new GetSecretValueCommand({ SecretId: clientCredentialsArn }))
    .then(({ SecretString }) => JSON.parse(SecretString));
  const { clientId, clientSecret } = await credentials;
  const answer = await fetch(tokenUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      grant_type: 'client_credentials',
      scope: key.scope,
      client_id: clientId,
      client_secret: clientSecret,
    }),
  });
  if (!answer.ok) throw new Error(`status ${answer.status}`);
  return (await answer.json()).access_token;
}

const ask = DESIGNS[design]();
// The timers of some libraries would keep the process running after its parent has exited.
process.once('disconnect', () => process.exit());
process.on('message', async ({ ready, asks }) => {
  if (ready) return process.send({ ready });
  const results = await Promise.allSettled(Array.from({ length: asks }, () => ask()));
  process.send({ failed: results.filter(({ value }) => typeof value !== 'string').length });
});
