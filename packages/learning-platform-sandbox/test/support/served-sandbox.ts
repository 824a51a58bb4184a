import { once } from 'node:events';
import { type AddressInfo } from 'node:net';
import { createAdaptorServer } from '@hono/node-server';
import { Hono } from 'hono';
import { type Send } from '../../src/conformance/https-requests';
import { sandboxApp } from '../../src/sandbox/sandbox';
import { createState } from '../../src/sandbox/sandbox-state';
import { DEFAULT_SEED } from '../../src/sandbox/seed';
import { startServer } from '../../src/sandbox/https-server';

/** A loopback origin where nothing listens. */
export const UNUSED_ORIGIN = 'https://127.0.0.1:1';

/** A sandbox that is served over TLS. */
export interface ServedSandbox {
  readonly controlUrl: string;
  readonly caCertificate: string;
  close(): Promise<void>;
}

/** Serves a sandbox over TLS. */
export async function serveSandbox(): Promise<ServedSandbox> {
  const { origin, caCertificate, close } = await startServer(sandboxApp(createState(DEFAULT_SEED)), 0);
  return { controlUrl: `${origin}/_sandbox`, caCertificate, close };
}

/** Sends requests to a new sandbox in this process, without a connection. */
export function askSandbox(): Send {
  const app = sandboxApp(createState(DEFAULT_SEED));
  return async ({ method, url, headers, body }) => {
    const answer = await app.request(url, { method, headers, body });
    return { status: answer.status, headers: Object.fromEntries(answer.headers), body: await answer.text() };
  };
}

/** Serves plain HTTP on the loopback interface. Every request is answered as `send` answers it over HTTPS. */
export async function servePlainly(send: Send) {
  const app = new Hono().all('*', async ({ req }) => {
    const url = req.url.replace(/^http:/, 'https:');
    const asked = { method: req.method, url, headers: req.header(), body: (await req.text()) || undefined };
    const { status, headers, body } = await send(asked);
    return new Response(body || null, { status, headers: headers as Record<string, string> });
  });
  const server = createAdaptorServer({ fetch: app.fetch }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { origin: `https://127.0.0.1:${port}`, close: () => void server.close() };
}
