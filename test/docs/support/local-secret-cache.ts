import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { type AddressInfo } from 'node:net';

/** What a cache on this machine is asked for, and holds. */
interface LocalSecretCacheOptions {
  /** The parameters that its documents name, besides `secretId`. */
  readonly parameters: readonly string[];
  /** The value of the header that every request needs. */
  readonly token: string;
  /** Reads a secret, as the cache does from Secrets Manager; undefined if there is none. */
  readonly readSecret: (secretId: string) => string | undefined;
}

export interface LocalSecretCache {
  readonly port: string;
  stop(): Promise<unknown>;
}

/**
 * A stand-in for the HTTP interface of AWS's caches, written from their documents; it is not AWS's program. It never forgets a value by
 * itself, which is the worst that a cache can do.
 * @see https://docs.aws.amazon.com/lambda/latest/dg/with-secrets-manager.html
 * @see https://docs.aws.amazon.com/secretsmanager/latest/userguide/secrets-manager-agent.html
 */
export async function startLocalSecretCache(options: LocalSecretCacheOptions): Promise<LocalSecretCache> {
  const values = new Map<string, string>();
  const server = createServer((request, response) => {
    const { status, body } = answerOf(request, options, values);
    response.writeHead(status).end(body);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    port: String((server.address() as AddressInfo).port),
    stop: () => {
      server.closeAllConnections();
      return once(server.close(), 'close');
    },
  };
}

function answerOf(
  { headers, method, url = '' }: IncomingMessage,
  { parameters, readSecret, token }: LocalSecretCacheOptions,
  values: Map<string, string>,
): { status: number; body: string } {
  const { pathname, searchParams } = new URL(url, 'http://localhost');
  if (headers['x-forwarded-for'] !== undefined) return { status: 400, body: 'Forwarded' };
  if (headers['x-aws-parameters-secrets-token'] !== token) return { status: 403, body: 'Bad Token' };
  if (method !== 'GET' || pathname !== '/secretsmanager/get') return { status: 404, body: 'Not found' };
  const unknown = [...searchParams.keys()].find((name) => !['secretId', ...parameters].includes(name));
  if (unknown !== undefined) return { status: 400, body: `unknown parameter: ${unknown}` };
  const secretId = searchParams.get('secretId') ?? '';
  if (searchParams.get('refreshNow') === 'true') values.delete(secretId);
  const SecretString = values.get(secretId) ?? readSecret(secretId);
  if (SecretString === undefined) return { status: 400, body: 'ResourceNotFoundException' };
  values.set(secretId, SecretString);
  return {
    status: 200,
    body: JSON.stringify({ Name: secretId, SecretString, VersionStages: ['AWSCURRENT'] }),
  };
}
