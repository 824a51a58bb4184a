/** The credential that a caller presents. */
export type Presented =
  { scheme: 'basic'; tenantId: string; apiKey: string } | { scheme: 'bearer'; token: string };

/** Control characters of ASCII and Latin-1, which user-id and password must not contain. */
// eslint-disable-next-line no-control-regex -- the pattern looks for them
const CONTROL = /[\u0000-\u001f\u007f-\u009f]/;

/**
 * Parses the Authorization headers of a request, strictly: exactly one header, with one canonical encoding.
 * @param values every value of every Authorization header, whatever the case of its name
 * @returns undefined for anything else
 * @see RFC 7617, section 2 (Basic: split at the first colon); RFC 6750, section 2.1 (Bearer); RFC 9110, section 11.4
 */
export function parseAuthorization(values: readonly string[]): Presented | undefined {
  if (values.length !== 1) return undefined;
  const match = /^(basic|bearer) ([a-z0-9+/._~-]+=*)$/i.exec(values[0]!);
  if (match === null) return undefined;
  const [scheme, credentials] = [match[1]!, match[2]!];
  return scheme.toLowerCase() === 'basic'
    ? parseBasic(credentials)
    : { scheme: 'bearer', token: credentials };
}

function parseBasic(credentials: string): Presented | undefined {
  const bytes = Buffer.from(credentials, 'base64');
  // Canonical base64 only: a lenient decoder would accept several spellings of one credential.
  // eslint-disable-next-line no-restricted-syntax -- compares the caller's text with itself
  if (bytes.toString('base64') !== credentials) return undefined;
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
  const colon = text.indexOf(':');
  if (colon < 1 || colon === text.length - 1 || CONTROL.test(text)) return undefined;
  return { scheme: 'basic', tenantId: text.slice(0, colon), apiKey: text.slice(colon + 1) };
}
