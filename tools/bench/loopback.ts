import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:https';
import { type AddressInfo } from 'node:net';

import { createTlsIdentity } from 'learning-platform-sandbox/testing';

/** All servers share it, so that one file has every certificate to trust. */
const identity = createTlsIdentity();

/** PEM of the certificate that clients of the servers must trust. */
export const caCertificate = async (): Promise<string> => (await identity).caCertificate;

interface Request {
  readonly path: string;
  /** Of AWS's JSON protocol, such as `secretsmanager.GetSecretValue`. */
  readonly target: string;
  readonly body: string;
}

type Answer = (request: Request) => { status: number; body: object };

/** A server on loopback with TLS, which adds almost no time of its own to the measurements. */
export class LoopbackServer {
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
  }

  /** @param latencyMs from the last byte of a request to its response */
  static async start(answer: Answer, latencyMs = 0): Promise<LoopbackServer> {
    const { certificate: cert, privateKey: key } = await identity;
    // No candidate's connection is closed while the others run.
    const server = createServer({ cert, key, keepAliveTimeout: 0 }, (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.once('end', () => {
        const { status, body } = answer({
          path: request.url ?? '',
          target: String(request.headers['x-amz-target']),
          body: Buffer.concat(chunks).toString('utf8'),
        });
        const text = JSON.stringify(body);
        const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) };
        const send = () => response.writeHead(status, headers).end(text);
        if (latencyMs === 0) send();
        else setTimeout(send, latencyMs);
      });
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new LoopbackServer(server);
  }

  get url(): string {
    return `https://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  stop(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }
}

/** The parts of Secrets Manager that reading and writing a token needs, without permission checks. */
export class LoopbackSecrets {
  readonly #secrets = new Map<string, { VersionId: string; SecretString: string }>();

  put(name: string, value: object): void {
    this.#secrets.set(name, { VersionId: randomUUID(), SecretString: JSON.stringify(value) });
  }

  readonly answer: Answer = ({ target, body }) => {
    const input = JSON.parse(body) as Record<string, string>;
    const name = input.SecretId ?? '';
    const secret = this.#secrets.get(name);
    if (secret === undefined) return { status: 400, body: { __type: 'ResourceNotFoundException' } };
    if (target === 'secretsmanager.PutSecretValue') {
      secret.VersionId = input.ClientRequestToken ?? '';
      secret.SecretString = input.SecretString ?? '';
    }
    const VersionStages = ['AWSCURRENT'];
    const VersionIdsToStages = { [secret.VersionId]: VersionStages };
    return { status: 200, body: { ARN: name, Name: name, ...secret, VersionStages, VersionIdsToStages } };
  };
}

/** The environment of programs and functions that use the servers. @param caFile with {@link caCertificate} */
export const awsEnvironment = (secretsManager: LoopbackServer, caFile: string) => ({
  NODE_EXTRA_CA_CERTS: caFile,
  AWS_ENDPOINT_URL: secretsManager.url,
  AWS_REGION: 'eu-west-1',
  AWS_ACCESS_KEY_ID: 'any',
  AWS_SECRET_ACCESS_KEY: 'any',
  AWS_LAMBDA_FUNCTION_NAME: 'any',
  TOKEN_REFRESH_ARN: 'any',
});
