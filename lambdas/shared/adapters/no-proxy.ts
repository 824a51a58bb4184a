import { BlockList, isIP } from 'node:net';

/**
 * Whether a call bypasses the proxy, by a list as `NO_PROXY` has it. `example.com` stands for the host and those below it,
 * `.example.com` for those below it alone, `*` for every host; addresses may be CIDR ranges, and each entry may end with a
 * port. Names are not resolved.
 * @param host without the brackets of an IPv6 address
 * @see https://pkg.go.dev/golang.org/x/net/http/httpproxy#Config
 * @see https://curl.se/libcurl/c/CURLOPT_NOPROXY.html
 */
export function bypassesProxy(host: string, port: number, noProxy: readonly string[]): boolean {
  const name = host.toLowerCase().replace(/\.$/, '');
  return noProxy.some((entry) => {
    const { host: listedHost, port: listedPort } = parseEntry(entry.trim().toLowerCase());
    if (listedPort !== undefined && listedPort !== port) return false;
    if (listedHost === '*') return true;
    if (listedHost === '') return false;
    if (isIP(name) !== 0) return isInRange(name, listedHost);
    // Some tools write a suffix as *.example.com.
    const suffix = listedHost.replace(/^\*\./, '.');
    return suffix.startsWith('.') ? name.endsWith(suffix) : name === suffix || name.endsWith(`.${suffix}`);
  });
}

/** An entry without its port. An IPv6 address needs brackets to have one. */
function parseEntry(entry: string): { host: string; port: number | undefined } {
  const [, bracketed, plain, port] = /^(?:\[([^\]]+)\]|([^:]*))(?::(\d+))?$/.exec(entry) ?? [];
  const host = bracketed ?? plain ?? entry;
  return { host, port: port === undefined ? undefined : Number(port) };
}

function isInRange(address: string, range: string): boolean {
  const [base = '', bits] = range.split('/');
  const family = isIP(base) === 6 ? 'ipv6' : 'ipv4';
  if (isIP(base) === 0 || isIP(base) !== isIP(address)) return false;
  const longest = family === 'ipv6' ? 128 : 32;
  const length = bits === undefined ? longest : Number(bits);
  // An empty length would be 0, and every address in its range.
  if (bits === '' || !Number.isInteger(length) || length < 0 || length > longest) return false;
  const list = new BlockList();
  list.addSubnet(base, length, family);
  return list.check(address, family);
}
