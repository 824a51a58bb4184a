import { type IncomingHttpHeaders } from 'node:http';
import { isLoopbackHost, loopbackHosts } from 'cdk-on-loopback';

/**
 * Returns why a request is refused that another site may have sent, or undefined if the page itself, a typed address
 * or a program sent it. `Host` reveals DNS rebinding; `Origin` and `Sec-Fetch-Site`, which scripts cannot set, reveal
 * other sites.
 * @param port the console's port
 * @see Fetch standard, "Origin" header; W3C Fetch Metadata Request Headers
 */
export function originRefusal(headers: IncomingHttpHeaders, port: number): string | undefined {
  const { host, origin, 'sec-fetch-site': site } = headers;
  if (!isLoopbackHost(host, port)) {
    return `the console accepts requests for ${loopbackHosts(port).join(' and ')} only`;
  }
  if (origin !== undefined && origin !== `http://${host}`) {
    return 'the console rejects requests from other origins';
  }
  if (site !== undefined && site !== 'same-origin' && site !== 'none') {
    return 'the console rejects requests from other sites';
  }
  return undefined;
}
