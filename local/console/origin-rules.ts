import { type IncomingHttpHeaders } from 'node:http';

/**
 * Why a request is refused that another site may have sent; undefined for one that the page itself, a typed address or
 * a program sent. A site whose name leads to this machine (DNS rebinding) is told by `Host`, a foreign page by `Origin`
 * and `Sec-Fetch-Site`, which scripts cannot change.
 * @param port that the console listens on
 * @see Fetch standard, "Origin" header; W3C Fetch Metadata Request Headers
 */
export function originRefusal(headers: IncomingHttpHeaders, port: number): string | undefined {
  const { host, origin, 'sec-fetch-site': site } = headers;
  const hosts = [`127.0.0.1:${port}`, `localhost:${port}`];
  if (host === undefined || !hosts.includes(host)) {
    return `the console answers only to ${hosts.join(' and ')}`;
  }
  if (origin !== undefined && origin !== `http://${host}`) {
    return 'the console takes no requests from other origins';
  }
  if (site !== undefined && site !== 'same-origin' && site !== 'none') {
    return 'the console takes no requests from other sites';
  }
  return undefined;
}
