/**
 * The client library with the real token-refresh function, in one process: both as deployed, with Secrets Manager and the
 * token endpoint over loopback, the latter over TLS. Lambda's Invoke is a direct call of the handler.
 */
import { createRequire } from 'node:module';

const load = createRequire(import.meta.url);
const context = { awsRequestId: 'any', getRemainingTimeInMillis: () => 15_000 };

/** @param key the token key to request */
export function latchkey(clientFile, functionFile, key) {
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
    return () => tokens.getToken(key);
  };
}
