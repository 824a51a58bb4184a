import { createServer, type RequestListener, type Server } from 'node:http';
import * as https from 'node:https';
import { once } from 'node:events';
import { type AddressInfo } from 'node:net';
import { randomUUID } from 'node:crypto';

import { createTlsIdentity } from '../../../platform/sandbox/tls-identity';

interface Stored {
  VersionId: string;
  SecretString: string;
}

/**
 * The parts of Secrets Manager that reading and writing a token needs, without delays or permission checks. Unlike the one
 * in `local/`, it adds almost no time of its own to the measurements.
 */
export class LoopbackSecretsManager {
  readonly secrets = new Map<string, Stored>();
  /** PEM of the CA that clients must trust; undefined without TLS. */
  readonly caCertificate: string | undefined;
  private readonly server: Server;

  private constructor(identity?: Awaited<ReturnType<typeof createTlsIdentity>>) {
    this.caCertificate = identity?.caCertificate;
    const listener: RequestListener = (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.once('end', () => {
        const operation = String(request.headers['x-amz-target']).replace('secretsmanager.', '');
        const { status, body } = this.answer(
          operation,
          JSON.parse(Buffer.concat(chunks).toString('utf8')) as Record<string, string>,
        );
        response.writeHead(status, { 'content-type': 'application/x-amz-json-1.1' });
        response.end(JSON.stringify(body));
      });
    };
    this.server =
      identity === undefined
        ? createServer({ keepAliveTimeout: 0 }, listener)
        : https.createServer(
            { keepAliveTimeout: 0, cert: identity.certificate, key: identity.privateKey },
            listener,
          );
  }

  static async start(): Promise<LoopbackSecretsManager> {
    return LoopbackSecretsManager.listen(new LoopbackSecretsManager());
  }

  /** With TLS, as on AWS, for figures that include a connection. */
  static async startWithTls(): Promise<LoopbackSecretsManager> {
    return LoopbackSecretsManager.listen(new LoopbackSecretsManager(await createTlsIdentity()));
  }

  private static async listen(started: LoopbackSecretsManager): Promise<LoopbackSecretsManager> {
    started.server.listen(0, '127.0.0.1');
    await once(started.server, 'listening');
    return started;
  }

  get url(): string {
    const scheme = this.caCertificate === undefined ? 'http' : 'https';
    return `${scheme}://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  put(name: string, value: object): void {
    this.secrets.set(name, { VersionId: randomUUID(), SecretString: JSON.stringify(value) });
  }

  stop(): void {
    this.server.close();
    this.server.closeAllConnections();
  }

  private answer(operation: string, input: Record<string, string>): { status: number; body: object } {
    const name = input.SecretId ?? '';
    const secret = this.secrets.get(name);
    if (secret === undefined) return { status: 400, body: { __type: 'ResourceNotFoundException' } };
    if (operation === 'PutSecretValue') {
      secret.VersionId = input.ClientRequestToken ?? '';
      secret.SecretString = input.SecretString ?? '';
    }
    const VersionStages = ['AWSCURRENT'];
    const VersionIdsToStages = { [secret.VersionId]: VersionStages };
    return { status: 200, body: { ARN: name, Name: name, ...secret, VersionStages, VersionIdsToStages } };
  }
}
