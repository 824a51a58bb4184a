/**
 * The client library over the real token-refresh function, in one process: bundles as they are deployed, Secrets
 * Manager and the token endpoint over loopback, the latter over TLS. Only Lambda's Invoke is a call of the handler.
 */
import { createRequire } from 'node:module';

const load = createRequire(import.meta.url);
const context = { awsRequestId: 'any', getRemainingTimeInMillis: () => 15_000 };

/** @param key the token key that is asked for */
export function latchkey(clientFile, functionFile, key) {
  const { createTokenSource, SecretsManagerClient } = load(clientFile);
  // A process whose token has ended has read it before, with a client that is connected.
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
