import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
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

/**
 * A stand-in for the HTTP interface of AWS's caches, written from their documents; it is not AWS's program. It never forgets a value by
 * itself, which is the worst that a cache can do.
 * @see https://docs.aws.amazon.com/lambda/latest/dg/with-secrets-manager.html
 * @see https://docs.aws.amazon.com/secretsmanager/latest/userguide/secrets-manager-agent.html
 */
export class LocalSecretCache {
  readonly #server: Server;
  readonly #values = new Map<string, string>();

  private constructor(server: Server) {
    this.#server = server;
  }

  static async start(options: LocalSecretCacheOptions): Promise<LocalSecretCache> {
    const server = createServer((request, response) => {
      const { status, body } = cache.#answer(request, options);
      response.writeHead(status).end(body);
    });
    const cache = new LocalSecretCache(server);
    await once(server.listen(0, '127.0.0.1'), 'listening');
    return cache;
  }

  get port(): string {
    return String((this.#server.address() as AddressInfo).port);
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #answer(
    { headers, method, url = '' }: IncomingMessage,
    { parameters, readSecret, token }: LocalSecretCacheOptions,
  ): { status: number; body: string } {
    const { pathname, searchParams } = new URL(url, 'http://localhost');
    if (headers['x-forwarded-for'] !== undefined) return { status: 400, body: 'Forwarded' };
    if (headers['x-aws-parameters-secrets-token'] !== token) return { status: 403, body: 'Bad Token' };
    if (method !== 'GET') return { status: 405, body: 'Not allowed' };
    if (pathname !== '/secretsmanager/get') return { status: 404, body: 'Not found' };
    const unknown = [...searchParams.keys()].find((name) => !['secretId', ...parameters].includes(name));
    if (unknown !== undefined) return { status: 400, body: `unknown parameter: ${unknown}` };
    const secretId = searchParams.get('secretId') ?? '';
    if (searchParams.get('refreshNow') === 'true') this.#values.delete(secretId);
    const SecretString = this.#values.get(secretId) ?? readSecret(secretId);
    if (SecretString === undefined) return { status: 400, body: 'ResourceNotFoundException' };
    this.#values.set(secretId, SecretString);
    return {
      status: 200,
      body: JSON.stringify({ Name: secretId, SecretString, VersionStages: ['AWSCURRENT'] }),
    };
  }
}
