import { type IssuerProfile, type RequestField } from './issuer-profile';
import { readPlaceholders, type PlaceholderValues } from './template';

/** The error codes of RFC 6749, section 5.2, that the sandbox returns. */
type RefusalCode = 'invalid_request' | 'invalid_client' | 'unsupported_grant_type' | 'invalid_scope';

export class IssuerRefusal extends Error {
  readonly code: RefusalCode;

  /** @param message the `error_description`, which may hold no quotation mark, backslash or non-ASCII character */
  constructor(code: RefusalCode, message: string) {
    super(message);
    this.name = 'IssuerRefusal';
    this.code = code;
  }
}

interface IssuerRequest {
  /** Values of the placeholders, by name. Present even if the request is refused. */
  readonly values: PlaceholderValues;
  readonly refusal: IssuerRefusal | undefined;
}

type Refuse = (code: RefusalCode, message: string) => undefined;

const SPACE_FREE_ASCII = '[\\x21-\\x7e]+';
/** @see RFC 6749, section 3.3 */
const SCOPE_TOKEN = /^[\x21\x23-\x5b\x5d-\x7e]+$/;

/**
 * Reads a token request in the form that the issuer's profile describes. Unknown fields and headers are ignored (RFC 6749,
 * section 3.2).
 * @param path below the issuer's base URL
 * @returns undefined if `path` is not the token endpoint's
 */
export function readIssuerRequest(
  { tokenEndpoint, request, parameters }: IssuerProfile,
  path: string,
  headers: Headers,
  body: string,
): IssuerRequest | undefined {
  const values: PlaceholderValues = new Map();
  if (!readPath(tokenEndpoint.path, path, values)) return undefined;
  const refusals: IssuerRefusal[] = [];
  const refuse: Refuse = (code, message) => void refusals.push(new IssuerRefusal(code, message));

  for (const [name, template] of Object.entries(request.headers)) {
    if (!readPlaceholders(template, headers.get(name) ?? '', values))
      refuse('invalid_request', `wrong header ${name}`);
  }
  const fields = parseFields(request.body, headers.get('content-type') ?? '', body, refuse);
  if (fields) readFields(request.fields, fields, values, refuse);

  const basic = readBasic(headers.get('authorization') ?? undefined);
  const hasBodySecret = values.has('clientSecret') || (fields !== undefined && 'client_secret' in fields);
  if (basic && hasBodySecret) refuse('invalid_request', 'more than one client authentication');
  if (request.clientAuthentication === 'client_secret_basic') {
    if (!basic) refuse('invalid_client', 'no client authentication with the Basic scheme');
    else if (basic.clientId !== (values.get('clientId') ?? basic.clientId))
      refuse('invalid_client', 'the Basic credentials belong to another client');
    for (const [name, value] of Object.entries(basic ?? {})) values.set(name, value);
  }
  for (const [name, { pattern = SPACE_FREE_ASCII }] of Object.entries(parameters)) {
    const value = values.get(name);
    if (value !== undefined && !new RegExp(`^(?:${pattern})$`).test(value)) {
      refuse('invalid_request', `wrong value of ${name}`);
    }
  }
  return { values, refusal: refusals[0] };
}

/**
 * The scopes of a request.
 * @param allowed undefined if the issuer accepts all scopes
 * @throws {IssuerRefusal} `invalid_scope`
 */
export function requestedScopes(
  scope: string | undefined,
  { scopeSeparator, oneScope }: IssuerProfile['request'],
  allowed: readonly string[] | undefined,
): string[] {
  const scopes = scope === undefined ? [] : scope.split(scopeSeparator);
  const isRefused = (token: string) => !SCOPE_TOKEN.test(token) || allowed?.includes(token) === false;
  if (scopes.some(isRefused))
    throw new IssuerRefusal('invalid_scope', 'a scope that the issuer does not have');
  if (oneScope && scopes.length > 1) throw new IssuerRefusal('invalid_scope', 'more than one scope');
  return scopes;
}

function readPath(template: string, path: string, values: PlaceholderValues): boolean {
  const [templates, segments] = [template.split('/'), path.split('/')];
  return (
    templates.length === segments.length &&
    templates.every((each, n) => readPlaceholders(each, percentDecoded(segments[n]!) ?? '', values))
  );
}

/** Reads the values of placeholders from the fields of a body into `values`, and refuses fields that do not fit. */
function readFields(
  templates: Readonly<Record<string, RequestField>>,
  fields: Readonly<Record<string, unknown>>,
  values: PlaceholderValues,
  refuse: Refuse,
): void {
  for (const [name, template] of Object.entries(templates)) {
    const value = Object.hasOwn(fields, name) ? fields[name] : undefined;
    // A parameter without a value is treated as omitted (RFC 6749, section 3.2).
    const isMissing = value === undefined || value === '';
    if (template === '{scope}' && isMissing) continue;
    if (typeof template !== 'string') {
      if (isJsonObject(value)) readFields(template, value, values, refuse);
      else refuse('invalid_request', `${name} must be an object`);
    } else if (typeof value !== 'string' || !readPlaceholders(template, value, values)) {
      refuse(codeFor(name, template, isMissing), `${name} is ${isMissing ? 'missing' : 'wrong'}`);
    }
  }
}

function codeFor(name: string, template: string, isMissing: boolean): RefusalCode {
  if (/\{client(Id|Secret)\}/.test(template)) return 'invalid_client';
  if (isMissing) return 'invalid_request';
  if (/^grant_?type$/i.test(name)) return 'unsupported_grant_type';
  return name === 'scope' ? 'invalid_scope' : 'invalid_request';
}

/** The fields of a body; undefined if it is refused. */
function parseFields(
  bodyFormat: 'form' | 'json',
  contentType: string,
  body: string,
  refuse: Refuse,
): Record<string, unknown> | undefined {
  const mediaType = bodyFormat === 'json' ? 'application/json' : 'application/x-www-form-urlencoded';
  if (contentType.split(';')[0]!.trim().toLowerCase() !== mediaType)
    return refuse('invalid_request', `Content-Type is not ${mediaType}`);
  if (bodyFormat === 'form') {
    const pairs = [...new URLSearchParams(body)];
    // RFC 6749, section 3.2
    const isRepeated = new Set(pairs.map(([name]) => name)).size < pairs.length;
    if (isRepeated) return refuse('invalid_request', 'a parameter is included more than once');
    return Object.fromEntries(pairs);
  }
  try {
    const json: unknown = JSON.parse(body);
    if (isJsonObject(json)) return json;
  } catch {
    // Falls through: the parser's own message would quote the body.
  }
  return refuse('invalid_request', 'the body is not a JSON object');
}

function isJsonObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The client's identifier and secret, each form-encoded. @see RFC 6749, section 2.3.1; RFC 7617 */
function readBasic(authorization = ''): { clientId: string; clientSecret: string } | undefined {
  const [, encoded] = /^basic +([\w+/=-]+)$/i.exec(authorization) ?? [];
  if (encoded === undefined) return undefined;
  const [encodedId = '', ...secretParts] = Buffer.from(encoded, 'base64').toString('utf8').split(':');
  const [clientId, clientSecret] = [encodedId, secretParts.join(':')].map((part) =>
    percentDecoded(part.replaceAll('+', ' ')),
  );
  return clientId === undefined || clientSecret === undefined ? undefined : { clientId, clientSecret };
}

function percentDecoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
