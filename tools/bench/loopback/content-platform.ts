import { once } from 'node:events';
import { createServer, type Server } from 'node:https';
import { type AddressInfo } from 'node:net';

import { createTlsIdentity } from '../../../platform/sandbox/tls-identity';

/** The platform's content API, over TLS. Every restore succeeds at once, with the same record. */
export class LoopbackContentPlatform {
  /** PEM of the CA that clients must trust. */
  readonly caCertificate: string;
  private readonly server: Server;

  private constructor(
    { caCertificate, certificate, privateKey }: Awaited<ReturnType<typeof createTlsIdentity>>,
    record: string,
  ) {
    this.caCertificate = caCertificate;
    this.server = createServer({ cert: certificate, key: privateKey }, (request, response) => {
      request.resume();
      request.once('end', () => {
        response.writeHead(200, {
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(record),
        });
        response.end(record);
      });
    });
    // No candidate's connection is closed while the others run.
    this.server.keepAliveTimeout = 0;
  }

  /** @param record the response to every restore, as JSON */
  static async start(record: string): Promise<LoopbackContentPlatform> {
    const started = new LoopbackContentPlatform(await createTlsIdentity(), record);
    started.server.listen(0, '127.0.0.1');
    await once(started.server, 'listening');
    return started;
  }

  get url(): string {
    return `https://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  stop(): void {
    this.server.close();
    this.server.closeAllConnections();
  }
}
