import { request } from 'node:https';
import { z } from 'zod';
import { HostError } from './host-error';

const tenantsSchema = z.object({
  tenants: z.array(
    z.object({
      environment: z.string(),
      platformRegion: z.string(),
      tenantId: z.string(),
      archivedContentIds: z.array(z.string()),
      authorRefs: z.array(z.string()),
      collaborationIds: z.array(z.string()),
    }),
  ),
});

/** What the sandbox holds for one tenant. */
export type SandboxTenant = z.output<typeof tenantsSchema>['tenants'][number];

/** The sandbox's own interface, over TLS. Its methods throw {@link HostError} `sandbox_failed`. */
export class SandboxControl {
  /** `https://127.0.0.1:PORT/_sandbox` */
  readonly url: string;
  private readonly caCertificate: string;

  constructor({ origin, caCertificate }: { origin: string; caCertificate: string }) {
    this.url = `${origin}/_sandbox`;
    this.caCertificate = caCertificate;
  }

  async tenants(): Promise<SandboxTenant[]> {
    return tenantsSchema.parse(JSON.parse(await this.call('GET', '/tenants'))).tenants;
  }

  /** Sets the platform's clock forward. */
  async advance(sec: number): Promise<void> {
    await this.call('POST', '/clock', JSON.stringify({ advanceSec: sec }));
  }

  private call(method: string, path: string, body?: string): Promise<string> {
    return new Promise((resolve, reject) => {
      const failed = (reason: string, cause?: unknown): void =>
        reject(
          new HostError('sandbox_failed', `the sandbox does not answer ${method} ${path}: ${reason}`, {
            cause,
          }),
        );
      const sent = request(
        `${this.url}${path}`,
        {
          method,
          ca: this.caCertificate,
          agent: false,
          timeout: 10_000,
          headers: { 'Content-Type': 'application/json' },
        },
        (response) => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.on('error', (error) => failed(error.message, error));
          response.on('end', () => {
            if (response.statusCode !== 200) failed(`status ${response.statusCode}`);
            else resolve(Buffer.concat(chunks).toString());
          });
        },
      );
      sent.on('error', (error) => failed(error.message, error));
      sent.on('timeout', () => sent.destroy(new Error('no answer in 10 s')));
      sent.end(body);
    });
  }
}
