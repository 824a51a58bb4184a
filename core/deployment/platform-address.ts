const LOOPBACK = new Set(['127.0.0.1', '[::1]', 'localhost']);

/** Whether the host of a URL is this machine. @param hostname as `URL` has it */
export function isLoopback(hostname: string): boolean {
  return LOOPBACK.has(hostname);
}

/** Two slashes, an ASCII host and plain path segments: `new URL` would silently rewrite anything else. */
const PLAIN_FORM = /^https:\/\/[a-z0-9.:[\]-]+(\/[a-z0-9._~-]+)*\/?$/i;

/**
 * The fault of a platform address; undefined if it has none. Strict, so that no typo or hostile value sends credentials elsewhere.
 * @param loopback true for a local configuration: only loopback addresses with a port. By default, an address with a port must be
 *   on loopback, because a function does not know for which kind of configuration it runs
 * @see the platform's specification, "Common rules" 1 (HTTPS only)
 */
export function addressFault(address: string, loopback = hasPort(address)): string | undefined {
  let url: URL;
  try {
    url = new URL(address);
  } catch {
    return 'not a URL';
  }
  if (url.protocol !== 'https:') return `scheme ${url.protocol.slice(0, -1)}`;
  if (url.username !== '' || url.password !== '') return 'has user info';
  if (url.search !== '' || url.hash !== '' || address.includes('?') || address.includes('#')) {
    return 'has a query or fragment';
  }
  if (!PLAIN_FORM.test(address) || /\/\.{1,2}(\/|$)/.test(address)) {
    return 'has a character, a dot segment or a form that a parser would repair';
  }
  if (loopback) {
    if (!isLoopback(url.hostname)) return `host ${url.hostname} is not loopback`;
    return hasPort(address) ? undefined : 'has no port other than 443';
  }
  // `new URL` has normalized every notation of an IPv4 address (octal, hexadecimal, one number) to four decimals.
  if (/^[\d.]+$/.test(url.hostname) || url.hostname.startsWith('['))
    return 'an IP address instead of a host name';
  if (url.hostname.split('.').includes('localhost')) return 'on loopback';
  if (!/^([a-z0-9-]+\.)+[a-z0-9-]+$/.test(url.hostname)) return `host ${url.hostname} is not fully qualified`;
  // `new URL` drops the default port, so check the text too.
  if (url.port !== '' || /^https:\/\/[^/]*:/i.test(address)) return 'has a port';
  return undefined;
}

/** Whether an address has a port other than that of https. */
function hasPort(address: string): boolean {
  return URL.canParse(address) && new URL(address).port !== '';
}

/** The rule of {@link addressFault} in words, for messages. */
export const ADDRESS_RULE = 'an https URL with a host name, without user info, port, query or fragment';
/** {@link ADDRESS_RULE} for a local configuration. */
export const LOCAL_ADDRESS_RULE =
  'an https URL on loopback with a port other than 443, because the configuration is local';

/** The address without a trailing slash, so that a path can be appended. */
export function normalizeAddress(address: string): string {
  return new URL(address).href.replace(/\/+$/, '');
}

/** The address for an error message, without the parts that could hold a password: user info, query and fragment. */
export function showAddress(address: string): string {
  return address.replace(/^(https?:\/*)?.*@.*$/is, '$1…').replace(/([?#]).+$/s, '$1…');
}

/**
 * The path of the platform's restore operation, perhaps with a query. It has `{contentId}` once, and no segment `.` or `..`,
 * which a URL parser would resolve.
 */
export const RESTORE_PATH_FORM =
  /^(?=[^{]*\{contentId\}[^{]*$)(\/(?!\.{1,2}(\/|\?|$))([\w.~:@-]|\{contentId\})+)+(\?([\w.~:@=&,/-]|\{contentId\})+)?$/;
