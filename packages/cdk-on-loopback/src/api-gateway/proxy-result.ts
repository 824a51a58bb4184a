import { validateHeaderName, validateHeaderValue } from 'node:http';
import { z } from 'zod';

import { parseJsonObject } from '../json-object';

export interface Answer {
  statusCode: number;
  headers: [name: string, value: string][];
  body: Buffer;
}

const headerValue = z.union([z.string(), z.boolean()]).transform(String);
/** The members, each of which may be absent or null. Any other member makes the result malformed. */
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

/** Headers that API Gateway renames when a function returns them. */
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
  // Set by API Gateway itself.
  'x-amz-apigw-id',
  'x-amzn-requestid',
];

/**
 * Parses the result of a function in a Lambda proxy integration. A body in base64 stays as it is: no media type is binary here.
 * @returns undefined if the result is malformed, which leads to a 502
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
  return { statusCode: statusCode ?? 200, headers: merged, body: Buffer.from(body ?? '') };
}

/**
 * Merges both kinds of headers. A single value whose name also has multiple values is added to them, in their spelling,
 * unless it is among them.
 * @see API Gateway developer guide, set-up-lambda-proxy-integrations
 * @see https://github.com/localstack/localstack (test_aws_proxy_response_payload_format_validation, recorded from AWS)
 */
function mergeHeaders(
  single: Record<string, string>,
  multiple: Record<string, string[]>,
): [name: string, value: string][] {
  const several = new Map(Object.entries(multiple));
  const spellings = new Map([...several.keys()].map((name) => [name.toLowerCase(), name]));
  for (const [name, value] of Object.entries(single)) {
    const spelled = spellings.get(name.toLowerCase()) ?? name;
    const values = several.get(spelled) ?? [];
    if (!values.includes(value)) several.set(spelled, [...values, value]);
  }
  return [...several]
    .flatMap(([name, values]) => values.map((value): [string, string] => [name, value]))
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
