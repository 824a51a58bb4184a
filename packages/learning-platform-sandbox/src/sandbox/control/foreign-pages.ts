import { type HttpBindings } from '@hono/node-server';
import { type Context, type MiddlewareHandler } from 'hono';
import { RefusedRequestError } from '../errors';

/**
 * Refuses what a page in a browser of this machine sends to the control, which has no authentication. `Host` reveals DNS
 * rebinding; `Origin` and `Sec-Fetch-Site`, which scripts cannot set, reveal other sites. Programs send neither.
 * @see Fetch standard, "Origin" header; W3C Fetch Metadata Request Headers
 */
export const refuseForeignPages: MiddlewareHandler = async (c, next) => {
  const { host, origin, 'sec-fetch-site': site } = c.req.header();
  // Undefined for requests inside this process, which no page sends.
  const port = (c as Context<{ Bindings?: Partial<HttpBindings> }>).env?.incoming?.socket.localPort;
  const hosts = [`127.0.0.1:${port}`, `localhost:${port}`];
  if (port !== undefined && !hosts.includes(host ?? ''))
    throw refusal(`accepts requests for ${hosts.join(' and ')} only`);
  if (origin !== undefined && origin !== `https://${host}`)
    throw refusal('rejects requests from other origins');
  if (site !== undefined && site !== 'same-origin' && site !== 'none')
    throw refusal('rejects requests from other sites');
  await next();
};

function refusal(what: string): RefusedRequestError {
  return new RefusedRequestError(403, `the control ${what}`);
}
