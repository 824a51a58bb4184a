import { Agent } from 'node:https';
import { z } from 'zod';
import { ENVIRONMENTS, PLATFORM_REGIONS } from '../core/deployment/platform';
import { callHttps, HostError } from 'cdk-on-loopback';

const tenantsSchema = z.object({
  tenants: z.array(
    z.object({
      environment: z.enum(ENVIRONMENTS),
      platformRegion: z.enum(PLATFORM_REGIONS),
      tenantId: z.string(),
      archivedContentIds: z.array(z.string()),
      authorRefs: z.array(z.string()),
      collaborationIds: z.array(z.string()),
    }),
  ),
});

const faultPointSchema = z.enum(['token', 'content', 'tenants', 'webhooks', 'resource']);

const faultEffect = {
  status: z.int().optional(),
  delayMs: z.int().optional(),
  reset: z.enum(['before', 'after']).optional(),
  dependency: z.enum(['directory', 'store', 'audit']).optional(),
};

const requestsSchema = z.object({
  requests: z.array(
    z.object({
      at: z.iso.datetime(),
      target: faultPointSchema,
      method: z.string(),
      path: z.string(),
      status: z.int(),
      durationMs: z.int(),
      tenantId: z.string().optional(),
      fault: z.object(faultEffect).optional(),
    }),
  ),
});

/** A recent request to the platform, as the sandbox recorded it. */
export type SandboxRequest = z.output<typeof requestsSchema>['requests'][number];

const faultsSchema = z.object({
  faults: z.array(
    z.object({
      target: faultPointSchema,
      match: z
        .object({
          environment: z.enum(ENVIRONMENTS),
          platformRegion: z.enum(PLATFORM_REGIONS),
          issuer: z.string(),
          tenantId: z.string(),
        })
        .partial()
        .optional(),
      ...faultEffect,
      times: z.int().optional(),
    }),
  ),
});

/** An active fault, without the body and headers of its response. */
export type SandboxFault = z.output<typeof faultsSchema>['faults'][number];

/** The sandbox's data about one tenant. */
export type SandboxTenant = z.output<typeof tenantsSchema>['tenants'][number];

/** Client of the sandbox's control API, over TLS. Its methods throw {@link HostError} `sandbox_failed`. */
export class SandboxControl {
  /** `https://127.0.0.1:PORT/_sandbox` */
  readonly url: string;
  private readonly caCertificate: string;
  /** One connection for all calls, since a TLS handshake takes longer than any call. */
  private readonly agent = new Agent({ keepAlive: true, maxSockets: 1 });

  constructor({ origin, caCertificate }: { origin: string; caCertificate: string }) {
    this.url = `${origin}/_sandbox`;
    this.caCertificate = caCertificate;
  }

  async tenants(): Promise<SandboxTenant[]> {
    return (await this.read('/tenants', tenantsSchema)).tenants;
  }

  /** Advances the platform's clock. */
  async advance(sec: number): Promise<void> {
    await this.call('POST', '/clock', JSON.stringify({ advanceSec: sec }));
  }

  /** The most recent requests to the platform, oldest first. */
  async recentRequests(): Promise<SandboxRequest[]> {
    return (await this.read('/requests', requestsSchema)).requests;
  }

  /** The active faults. */
  async faults(): Promise<SandboxFault[]> {
    return (await this.read('/faults', faultsSchema)).faults;
  }

  private async read<Schema extends z.ZodType>(path: string, schema: Schema): Promise<z.output<Schema>> {
    return schema.parse(JSON.parse(await this.call('GET', path)));
  }

  private async call(method: string, path: string, body?: string): Promise<string> {
    const failed = (reason: string, cause?: unknown): HostError =>
      new HostError('sandbox_failed', `the sandbox failed to answer ${method} ${path}: ${reason}`, { cause });
    const { status, text } = await callHttps({
      method,
      url: `${this.url}${path}`,
      ca: this.caCertificate,
      agent: this.agent,
      headers: { 'Content-Type': 'application/json' },
      ...(body !== undefined && { body }),
      timeoutMs: 10_000,
    }).catch((error: Error) => {
      throw failed(error.message, error);
    });
    if (status >= 300) throw failed(`status ${status}`);
    return text;
  }
}
