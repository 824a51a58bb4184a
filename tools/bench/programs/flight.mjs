/**
 * Many simultaneous requests for one token: `node flight.mjs CLIENT_BUNDLE FUNCTION_BUNDLE KEY`, with the token endpoint at
 * `TOKEN_URL`. Takes `{ names: true }`, or `{ candidate, asks, isNew }` and responds with `{ wallMs, failed }`.
 */
import { createRequire } from 'node:module';

import { OAuth2Client, OAuth2Fetch } from '@badgateway/oauth2-client';

const [clientFile, functionFile, key] = process.argv.slice(2);
const { TOKEN_URL } = process.env;
const context = { awsRequestId: 'any', getRemainingTimeInMillis: () => 15_000 };

/** Each as in its own documentation: creates an instance without a token, and returns a function that requests one. */
const candidates = {
  'latchkey/client over token-refresh': latchkey(),
  'promise kept in memory, 8 lines (ideal in one process)': () => {
    let token;
    let flight;
    return async () => {
      if (token !== undefined && token.expiryMs > Date.now()) return token;
      flight ??= requestToken()
        .then((body) => (token = { ...body, expiryMs: Date.now() + body.expires_in * 1_000 }))
        .finally(() => (flight = undefined));
      return flight;
    };
  },
  '@badgateway/oauth2-client': () => {
    const credential = { clientId: 'id', clientSecret: 'secret' };
    const client = new OAuth2Client({ ...credential, tokenEndpoint: TOKEN_URL });
    const wrapper = new OAuth2Fetch({ client, getNewToken: () => client.clientCredentials() });
    return () => wrapper.getAccessToken();
  },
};

/** The client library and the real token-refresh function, both as deployed. Lambda's Invoke is a direct call of the handler. */
function latchkey() {
  const load = createRequire(import.meta.url);
  const { createTokenSource, SecretsManagerClient } = load(clientFile);
  // A service whose token has expired has read it before, so its client is already connected.
  const secretsManager = new SecretsManagerClient({});
  const { handler } = load(functionFile);
  const lambda = {
    send: async ({ input }) => {
      const event = JSON.parse(Buffer.from(input.Payload).toString('utf8'));
      return { StatusCode: 200, Payload: Buffer.from(JSON.stringify(await handler(event, context))) };
    },
  };
  return () => {
    const tokens = createTokenSource({ tokenRefresh: 'token-refresh', secretsManager, lambda });
    return () => tokens.getToken(JSON.parse(key));
  };
}

/** The usual first implementation. */
async function requestToken() {
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(TOKEN_URL, {
    method: 'POST',
    headers,
    body: '{"grant_type":"client_credentials"}',
  });
  const body = await answer.json();
  if (!answer.ok) throw new Error(`status ${answer.status}`);
  return body;
}

let ask;
// The timers of some libraries would keep the process running after its parent has exited.
process.once('disconnect', () => process.exit());
process.on('message', async ({ names, candidate, asks, isNew }) => {
  if (names) return process.send(Object.keys(candidates));
  if (isNew) ask = candidates[candidate]();
  const startedMs = performance.now();
  const results = await Promise.allSettled(Array.from({ length: asks }, () => ask()));
  const wallMs = performance.now() - startedMs;
  process.send({ wallMs, failed: results.filter(({ status }) => status === 'rejected').length });
});
