import { addressFault } from '../deployment/platform-address';
import { TokenError } from '../tokens/token-errors';
import { type IssuerProfile, type RequestField, type TokenEndpoint } from './issuer-profile';

/** The token to request, and with which credential. */
export interface RequestedToken {
  tenantId: string;
  /** Its scopes, with spaces between; empty for none. */
  scope: string;
  clientId: string;
  clientSecret: string;
  /** What the tenant or the token says besides. */
  parameters: Readonly<Record<string, string>>;
}

/** An HTTP request for a token, always POST. */
export interface HttpTokenRequest {
  url: string;
  headers: Record<string, string>;
  body: string;
}

const GRANT = { grant_type: 'client_credentials', scope: '{scope}' };
const SECRET = { client_id: '{clientId}', client_secret: '{clientSecret}' };
/** Of a host or of a segment of a path. */
const PART_OF_BASE = /^[\w.~-]+$/;
/** RFC 9110, section 5.5, without the bytes beyond ASCII, of which servers make different things. */
const HEADER_VALUE = /^[\t\x20-\x7e]*$/;
const CONTENT_TYPES = { form: 'application/x-www-form-urlencoded', json: 'application/json' };

/**
 * The request for a token.
 * @param baseUrl of the token endpoint; may have placeholders
 * @throws {TokenError} `unknown_token_key` if the address could send a credential elsewhere, `not_loaded` if a credential is for a
 *   header and cannot be in one; the message does not show it
 * @see RFC 6749, sections 2.3.1 and 4.4.2
 */
export function tokenRequestOf(
  { tokenEndpoint, request = {} }: Pick<IssuerProfile, 'tokenEndpoint' | 'request'>,
  baseUrl: string,
  token: RequestedToken,
): HttpTokenRequest {
  const { body: form = 'form', clientAuthentication, headers = {}, scopeSeparator = ' ' } = request;
  const isBasic = clientAuthentication === 'client_secret_basic';
  const { tenantId, clientId, clientSecret, parameters } = token;
  const scope = token.scope.replaceAll(' ', scopeSeparator);
  const values = { ...parameters, tenantId, clientId, clientSecret, scope };
  const fill = (template: string) => filled(template, values);
  const { url, fault } = tokenAddressOf(tokenEndpoint, baseUrl, token);
  if (fault !== undefined)
    throw new TokenError('unknown_token_key', `the address of the token endpoint ${fault}`);
  const fields = (given: Readonly<Record<string, RequestField>>): Record<string, unknown> =>
    Object.fromEntries(
      Object.entries(given)
        .filter(([, field]) => field !== '{scope}' || scope !== '')
        .map(([name, field]) => [name, typeof field === 'string' ? fill(field) : fields(field)]),
    );
  const body = fields(request.fields ?? (isBasic ? GRANT : { ...GRANT, ...SECRET }));
  return {
    url,
    headers: {
      'content-type': CONTENT_TYPES[form],
      accept: 'application/json',
      ...Object.fromEntries(
        Object.entries(headers).map(([name, value]) => [name, headerValue(name, fill(value))]),
      ),
      ...(isBasic && { authorization: basic(clientId, clientSecret) }),
    },
    body: form === 'json' ? JSON.stringify(body) : encoded(body as Record<string, string>),
  };
}

/**
 * Where a token is requested, and what is wrong with the address; undefined if nothing is.
 * @param baseUrl may have placeholders: their values cannot add a path, so that they stay in the host where they stand
 * @throws {TokenError} `unknown_token_key` if a placeholder has no value
 */
export function tokenAddressOf(
  { path }: Pick<TokenEndpoint, 'path'>,
  baseUrl: string,
  { tenantId, parameters }: Pick<RequestedToken, 'tenantId' | 'parameters'>,
): { url: string; fault: string | undefined } {
  const place = { ...parameters, tenantId };
  let isWhole = true;
  const base = filled(baseUrl, place, (value) => {
    isWhole &&= PART_OF_BASE.test(value);
    return value;
  });
  const url = base + filled(path, place, encodeURIComponent);
  return {
    url,
    fault: isWhole ? addressFault(url) : 'has a value with a character that could lead elsewhere',
  };
}

/** @throws {TokenError} if a placeholder has no value */
function filled(
  template: string,
  values: Readonly<Record<string, string>>,
  encode = (value: string) => value,
): string {
  return template.replace(/\{(\w+)\}/g, (_, name: string) => {
    if (!Object.hasOwn(values, name))
      throw new TokenError('unknown_token_key', `the configuration has no ${name} for this token`);
    return encode(values[name]!);
  });
}

/** @throws {TokenError} `not_loaded` for a character that no header can have: Node would throw an error of its own */
function headerValue(name: string, value: string): string {
  if (HEADER_VALUE.test(value)) return value;
  throw new TokenError(
    'not_loaded',
    `the header ${name} can hold ASCII characters without line breaks only`,
    {
      fault: 'credential_malformed',
    },
  );
}

function basic(clientId: string, clientSecret: string): string {
  const pair = [clientId, clientSecret].map((part) => encoded({ part }).slice('part='.length)).join(':');
  return `Basic ${Buffer.from(pair).toString('base64')}`;
}

function encoded(fields: Record<string, string>): string {
  return new URLSearchParams(fields).toString();
}
