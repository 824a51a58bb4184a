/**
 * The `Host` headers of requests that are meant for a loopback server. Another one may be the name of a foreign page that
 * resolves to 127.0.0.1 (DNS rebinding).
 */
export function loopbackHosts(port: number | undefined): readonly string[] {
  return [`127.0.0.1:${port}`, `localhost:${port}`];
}

/** Whether a request is meant for this server. @param host its `Host` header */
export function isLoopbackHost(host: string | undefined, port: number | undefined): boolean {
  return host !== undefined && loopbackHosts(port).includes(host);
}

/** Whether a request is meant for this machine, at any port: a forwarded request keeps the `Host` that its caller signed. */
export function hasLoopbackName(host: string | undefined): boolean {
  return host !== undefined && /^(127\.0\.0\.1|localhost)(:\d+)?$/.test(host);
}
