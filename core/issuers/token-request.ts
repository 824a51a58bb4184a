import { addressFault } from '../deployment/platform-address';
import { TokenError } from '../tokens/token-errors';
import { type IssuerProfile, type RequestField, type TokenEndpoint } from './issuer-profile';

/** The token to request, and the credential to request it with. */
export interface RequestedToken {
  tenantId: string;
  /** Its scopes, separated by spaces; empty for a token without a scope. */
  scope: string;
  clientId: string;
  clientSecret: string;
  /** Values of the profile's parameters for this token. */
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
const PLACEHOLDER = /\{(\w+)\}/g;
/** A value that stays within a host or a segment of a path. */
const URL_PART = /^[\w.~-]+$/;
/** RFC 9110, section 5.5, but only ASCII: servers decode other bytes differently. */
const HEADER_VALUE = /^[\t\x20-\x7e]*$/;
const CONTENT_TYPES = { form: 'application/x-www-form-urlencoded', json: 'application/json' };

/**
 * Fills a profile's request with the values of one token.
 * @param baseUrl of the token endpoint; may have placeholders
 * @throws {TokenError} `unknown_token_key` if the address could send a credential elsewhere, `not_loaded` if a credential for a
 *   header has a character that headers cannot have; the message does not show it
 * @see RFC 6749, sections 2.3.1 and 4.4.2
 */
export function tokenRequestOf(
  { tokenEndpoint, request = {} }: Pick<IssuerProfile, 'tokenEndpoint' | 'request'>,
  baseUrl: string,
  token: RequestedToken,
): HttpTokenRequest {
  const { body: bodyType = 'form', clientAuthentication, headers = {}, scopeSeparator = ' ' } = request;
  const isBasic = clientAuthentication === 'client_secret_basic';
  const { tenantId, clientId, clientSecret, parameters } = token;
  const scope = token.scope.replaceAll(' ', scopeSeparator);
  const values = { ...parameters, tenantId, clientId, clientSecret, scope };
  const { url, fault } = tokenAddressOf(tokenEndpoint, baseUrl, token);
  if (fault !== undefined)
    throw new TokenError('unknown_token_key', `the address of the token endpoint ${fault}`);
  const body = filledFields(request.fields ?? (isBasic ? GRANT : { ...GRANT, ...SECRET }), values);
  return {
    url,
    headers: {
      'content-type': CONTENT_TYPES[bodyType],
      accept: 'application/json',
      ...Object.fromEntries(
        Object.entries(headers).map(([name, text]) => [name, headerValue(name, filled(text, values))]),
      ),
      ...(isBasic && { authorization: basic(clientId, clientSecret) }),
    },
    body: bodyType === 'json' ? JSON.stringify(body) : formEncoded(body as Record<string, string>),
  };
}

function filledFields(
  templates: Readonly<Record<string, RequestField>>,
  values: Values,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(templates)
      .filter(([, template]) => template !== '{scope}' || values.scope !== '')
      .map(([name, template]) => [
        name,
        typeof template === 'string' ? filled(template, values) : filledFields(template, values),
      ]),
  );
}

type Values = Readonly<Record<string, string>>;

/**
 * The address to request a token at. `fault` says what is wrong with it; undefined if nothing is.
 * @param baseUrl may have placeholders, whose values cannot change the host or add a path
 * @throws {TokenError} `unknown_token_key` if a placeholder has no value
 */
export function tokenAddressOf(
  { path }: Pick<TokenEndpoint, 'path'>,
  baseUrl: string,
  { tenantId, parameters }: Pick<RequestedToken, 'tenantId' | 'parameters'>,
): { url: string; fault: string | undefined } {
  const values: Values = { ...parameters, tenantId };
  const url = filled(baseUrl, values) + filled(path, values, encodeURIComponent);
  const isContained = [...baseUrl.matchAll(PLACEHOLDER)].every(([, name]) => URL_PART.test(values[name!]!));
  return {
    url,
    fault: isContained ? addressFault(url) : 'has a value with a character that could lead elsewhere',
  };
}

/** @throws {TokenError} if a placeholder has no value */
function filled(template: string, values: Values, encode = (value: string) => value): string {
  return template.replace(PLACEHOLDER, (_, name: string) => {
    if (!Object.hasOwn(values, name))
      throw new TokenError('unknown_token_key', `the configuration has no ${name} for this token`);
    return encode(values[name]!);
  });
}

/** @throws {TokenError} `not_loaded` for a character that no header can have, instead of Node's own error */
function headerValue(name: string, value: string): string {
  if (HEADER_VALUE.test(value)) return value;
  const message = `the header ${name} can hold ASCII characters without line breaks only`;
  throw new TokenError('not_loaded', message, { fault: 'credential_malformed' });
}

function basic(clientId: string, clientSecret: string): string {
  const pair = [clientId, clientSecret].map((part) => formEncoded({ part }).slice('part='.length)).join(':');
  return `Basic ${Buffer.from(pair).toString('base64')}`;
}

function formEncoded(fields: Record<string, string>): string {
  return new URLSearchParams(fields).toString();
}
