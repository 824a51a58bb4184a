import { type IncomingMessage } from 'node:http';
import { type TLSSocket } from 'node:tls';
import { type SignedRequest } from '../iam/canonical-request';
import { readBody } from '../loopback-server';
import { GatewayFailure } from './gateway-response';

/** @see API Gateway developer guide, limits (REST APIs): payload size, and size of request line and header values */
const MAX_BODY_BYTES = 10 * 1024 * 1024;
const MAX_HEADER_BYTES = 10_240;

/** Each name with its values, in the order received. */
export type MultiValues = ReadonlyMap<string, readonly string[]>;

/** A parsed request to a stage, independent of its API. */
export interface ApiRequest {
  /** The parts that a signature covers, with method and URL as sent. */
  signed: SignedRequest;
  /** The method sent, or the one in `X-HTTP-Method-Override`. */
  method: string;
  /** The rest of the path after the stage, as sent, but with one slash at its beginning. */
  path: string;
  /** The same with all slashes at its beginning, as `$context.path` has it. */
  sentPath: string;
  /** Headers as the client spelled them. If spellings differ, the first is kept. */
  headers: MultiValues;
  query: MultiValues;
  body: Buffer;
  sourceIp: string;
  tlsVersion: string | undefined;
  cipherSuite: string | undefined;
}

/** The API, stage and path in a request's URL. */
interface ApiAddress extends Pick<ApiRequest, 'path' | 'sentPath'> {
  apiId: string;
  stageName: string;
  query: string;
}

/**
 * Parses `/{restApiId}/{stage}/…?…`; undefined if the URL has another form. For AWS's host name of an API, the id is in
 * the `Host` header. Several slashes before the stage, or before the rest of the path, count as one.
 * @see https://github.com/localstack/localstack (AWS's answers, recorded by its test_lambda_aws_proxy_integration)
 */
export function parseAddress({ url = '', headers: { host = '' } }: IncomingMessage): ApiAddress | undefined {
  const [, idInHost] = /^([a-z0-9]+)\.execute-api\.[^:]+$/.exec(host) ?? [];
  const [, apiId, stageName, sentPath = '/', query = ''] =
    /^\/([^/?]+)\/+([^/?]+)(\/[^?]*)?(?:\?(.*))?$/s.exec(
      idInHost === undefined ? url : `/${idInHost}${url}`,
    ) ?? [];
  return apiId === undefined || stageName === undefined
    ? undefined
    : { apiId, stageName, path: sentPath.replace(/^\/+/, '/'), sentPath, query };
}

/**
 * Reads a whole request.
 * @throws {GatewayFailure} for headers over 10,240 bytes, a body over 10 MB, or a query that is not valid percent-encoding
 * @throws a Node error if the client disconnects
 */
export async function readRequest(incoming: IncomingMessage, address: ApiAddress): Promise<ApiRequest> {
  const { method = 'GET', url = '/', rawHeaders, headersDistinct } = incoming;
  const socket = incoming.socket as TLSSocket;
  const body = await readBody(incoming, MAX_BODY_BYTES);
  if (!body) throw new GatewayFailure('REQUEST_TOO_LARGE', 'RequestTooLargeException', 'Request Too Long');
  if (sizeOfHead(method, url, rawHeaders) > MAX_HEADER_BYTES) {
    const message = 'Request Header Fields Too Large';
    throw new GatewayFailure('DEFAULT_4XX', 'RequestHeaderFieldsTooLargeException', message, {
      statusCode: 431,
    });
  }
  const headers = collect(pairs(rawHeaders), (name) => name.toLowerCase());
  return {
    signed: { method, url, headers: headersDistinct, body },
    method: valueOf(headers, 'x-http-method-override')?.toUpperCase() ?? method,
    path: address.path,
    sentPath: address.sentPath,
    headers,
    query: parseQuery(address.query),
    body,
    sourceIp: socket.remoteAddress ?? '',
    tlsVersion: socket.getProtocol() ?? undefined,
    cipherSuite: socket.getCipher()?.name,
  };
}

/** The last value of a header or parameter, which API Gateway uses for single values. Names are not case-sensitive. */
export function valueOf(values: MultiValues, name: string): string | undefined {
  const lower = name.toLowerCase();
  for (const [key, found] of values) if (key.toLowerCase() === lower) return found.at(-1);
  return undefined;
}

/** @throws {GatewayFailure} 400 if the text is not percent-encoded UTF-8 */
export function decodePercent(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch (cause) {
    throw new GatewayFailure('DEFAULT_4XX', 'BadRequestException', 'Bad Request', { cause });
  }
}

function sizeOfHead(method: string, url: string, rawHeaders: readonly string[]): number {
  const requestLine = Buffer.byteLength(`${method} ${url} HTTP/1.1`);
  return pairs(rawHeaders).reduce((sum, [, value]) => sum + Buffer.byteLength(value), requestLine);
}

/** A semicolon separates parameters as `&` does. @see API Gateway developer guide, api-gateway-known-issues */
function parseQuery(query: string): MultiValues {
  const decode = (text: string): string => decodePercent(text.replaceAll('+', ' '));
  const parameters = query
    .split(/[&;]/)
    .filter((part) => part !== '')
    .map((part): [string, string] => {
      const at = part.indexOf('=');
      return at < 0 ? [decode(part), ''] : [decode(part.slice(0, at)), decode(part.slice(at + 1))];
    });
  return collect(parameters, (name) => name);
}

function pairs(rawHeaders: readonly string[]): [string, string][] {
  return Array.from({ length: rawHeaders.length / 2 }, (_, n) => [
    rawHeaders[2 * n]!,
    rawHeaders[2 * n + 1]!,
  ]);
}

function collect(entries: readonly [string, string][], identity: (name: string) => string): MultiValues {
  const names = new Map<string, string>();
  const values = new Map<string, string[]>();
  for (const [name, value] of entries) {
    const kept = names.get(identity(name)) ?? name;
    names.set(identity(name), kept);
    values.set(kept, [...(values.get(kept) ?? []), value]);
  }
  return values;
}
