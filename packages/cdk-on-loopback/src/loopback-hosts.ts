/**
 * The values of `Host` with which a loopback server is meant. Any other one may be a name that a foreign page made lead here
 * (DNS rebinding).
 */
export function loopbackHosts(port: number | undefined): readonly string[] {
  return [`127.0.0.1:${port}`, `localhost:${port}`];
}

/** Whether a request means this server. @param host its `Host` header */
export function isLoopbackHost(host: string | undefined, port: number | undefined): boolean {
  return host !== undefined && loopbackHosts(port).includes(host);
}

/** Whether a request means this machine, at whatever port: a forwarded request keeps the `Host` that its caller signed. */
export function hasLoopbackName(host: string | undefined): boolean {
  return host !== undefined && /^(127\.0\.0\.1|localhost)(:\d+)?$/.test(host);
}
