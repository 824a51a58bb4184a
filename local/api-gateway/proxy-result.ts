import { validateHeaderName, validateHeaderValue } from 'node:http';
import { z } from 'zod';

import { parseJsonObject } from '../../contract/json-object';

/** An answer to a caller. */
export interface Answer {
  statusCode: number;
  headers: [name: string, value: string][];
  body: Buffer;
}

const headerValue = z.union([z.string(), z.boolean()]).transform(String);
/** Members that may be missing, or null; any other makes the result malformed. */
const proxyResult = z.strictObject({
  statusCode: z
    .union([
      z.int(),
      z
        .string()
        .regex(/^\d{3}$/)
        .transform(Number),
    ])
    .pipe(z.int().min(200).max(599))
    .nullish(),
  headers: z.record(z.string(), headerValue).nullish(),
  multiValueHeaders: z.record(z.string(), z.array(headerValue)).nullish(),
  body: z.string().nullish(),
  isBase64Encoded: z.boolean().nullish(),
});

/** Renamed, so that a function can't speak for API Gateway or to the client's HTTP library. */
const REMAPPED = [
  'authorization',
  'connection',
  'content-length',
  'content-md5',
  'date',
  'max-forwards',
  'server',
  'user-agent',
  'www-authenticate',
];
const DROPPED = [
  'expect',
  'host',
  'proxy-authenticate',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'via',
  // API Gateway sets these itself.
  'x-amz-apigw-id',
  'x-amzn-requestid',
];

/**
 * The answer that a function gave through a Lambda proxy integration. A body in base64 is decoded only for binary media types,
 * of which no API here has any, so it goes out as it is.
 * @returns undefined for a malformed result, which gets 502
 * @see API Gateway developer guide, set-up-lambda-proxy-integrations (output format) and api-gateway-known-issues (headers)
 */
export function parseProxyResult(payload: Buffer): Answer | undefined {
  const parsed = proxyResult.safeParse(parseJsonObject(payload.toString()));
  if (!parsed.success) return undefined;
  const { statusCode, headers, multiValueHeaders, body } = parsed.data;
  const merged = mergeHeaders(headers ?? {}, multiValueHeaders ?? {});
  if (!merged.every(([name, value]) => isValidHeader(name, value))) return undefined;
  if (!merged.some(([name]) => name.toLowerCase() === 'content-type'))
    merged.push(['Content-Type', 'application/json']);
  return { statusCode: statusCode ?? 200, headers: merged, body: Buffer.from(body ?? '', 'utf8') };
}

/** A name in both lists has the values of the second. */
function mergeHeaders(
  single: Record<string, string>,
  multiple: Record<string, string[]>,
): [name: string, value: string][] {
  const inBoth = Object.keys(multiple).map((name) => name.toLowerCase());
  const alone = Object.entries(single).filter(([name]) => !inBoth.includes(name.toLowerCase()));
  const several = Object.entries(multiple).flatMap(([name, values]) =>
    values.map((value): [string, string] => [name, value]),
  );
  return [...alone, ...several]
    .filter(([name]) => !DROPPED.includes(name.toLowerCase()))
    .map(([name, value]) => [
      REMAPPED.includes(name.toLowerCase()) ? `x-amzn-Remapped-${name}` : name,
      value,
    ]);
}

function isValidHeader(name: string, value: string): boolean {
  try {
    validateHeaderName(name);
    validateHeaderValue(name, value);
    return true;
  } catch {
    return false;
  }
}
