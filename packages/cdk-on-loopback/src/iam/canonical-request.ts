import { createHmac } from 'node:crypto';

import { sha256Hex } from '../sha256';

/** The parts of an HTTP request that a signature covers. */
export interface SignedRequest {
  method: string;
  /** Path and query, exactly as sent. */
  url: string;
  /** Each header with all its values; names in lower case (like Node's `headersDistinct`). */
  headers: Readonly<Record<string, readonly string[] | undefined>>;
  body: Buffer;
}

/** Date (`YYYYMMDD`), region and service that a signing key is bound to. */
export interface CredentialScope {
  date: string;
  region: string;
  service: string;
}

/** A header's value, with the values of a repeated header joined by commas; undefined if absent. */
export function headerOf(request: SignedRequest, name: string): string | undefined {
  return request.headers[name]?.join(',');
}

/**
 * The signature that the request must have: 32 bytes.
 * @throws {URIError} if the query is not valid percent-encoding
 * @see IAM user guide, reference_sigv-create-signed-request
 */
export function signatureOf(
  request: SignedRequest,
  signedHeaders: readonly string[],
  scope: CredentialScope,
  timestamp: string,
  secretAccessKey: string,
): Buffer {
  const canonical = [
    request.method,
    canonicalPath(request.url),
    canonicalQuery(request.url),
    ...signedHeaders.map((name) => `${name}:${canonicalHeader(headerOf(request, name) ?? '')}`),
    '',
    signedHeaders.join(';'),
    sha256Hex(request.body),
  ].join('\n');
  const scopeText = `${scope.date}/${scope.region}/${scope.service}/aws4_request`;
  const stringToSign = ['AWS4-HMAC-SHA256', timestamp, scopeText, sha256Hex(canonical)].join('\n');
  return hmac(signingKey(scope, secretAccessKey), stringToSign);
}

/** By secret key and scope, with which a client signs all day. */
const signingKeys = new Map<string, Buffer>();
const MAX_CACHED_SIGNING_KEYS = 1000;

function signingKey({ date, region, service }: CredentialScope, secretAccessKey: string): Buffer {
  const name = [secretAccessKey, date, region, service].join('\n');
  const cached = signingKeys.get(name);
  if (cached) return cached;
  const key = [region, service, 'aws4_request'].reduce(
    (last, part) => hmac(last, part),
    hmac(`AWS4${secretAccessKey}`, date),
  );
  if (signingKeys.size >= MAX_CACHED_SIGNING_KEYS) signingKeys.clear();
  signingKeys.set(name, key);
  return key;
}

/** Normalizes the path and encodes it a second time, as every service except S3 does. */
function canonicalPath(url: string): string {
  const [path = '/'] = url.split('?');
  const kept: string[] = [];
  for (const segment of path.split('/')) {
    if (segment === '..') kept.pop();
    else if (segment !== '' && segment !== '.') kept.push(segment);
  }
  const trailing = kept.length > 0 && path.endsWith('/') ? '/' : '';
  return `/${kept.map(percentEncode).join('/')}${trailing}`;
}

function canonicalQuery(url: string): string {
  const start = url.indexOf('?');
  if (start < 0 || start === url.length - 1) return '';
  return url
    .slice(start + 1)
    .split('&')
    .map((pair) => {
      const at = pair.indexOf('=');
      const [name, value] = at < 0 ? [pair, ''] : [pair.slice(0, at), pair.slice(at + 1)];
      return [percentEncode(decodeURIComponent(name)), percentEncode(decodeURIComponent(value))] as const;
    })
    .sort(([name, value], [otherName, otherValue]) => compare(name, otherName) || compare(value, otherValue))
    .map(([name, value]) => `${name}=${value}`)
    .join('&');
}

function canonicalHeader(value: string): string {
  return value.trim().replace(/\s+/g, ' ');
}

function percentEncode(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/** Compares by code point, not by locale. */
function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function hmac(key: Buffer | string, data: string): Buffer {
  return createHmac('sha256', key).update(data).digest();
}
