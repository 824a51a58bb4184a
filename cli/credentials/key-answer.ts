import { isJsonObject, parseJsonObject } from '../../core/json/json-object';
import { type ApiKeyValue } from '../../core/secrets/secret-values';
import { type HttpsAnswer } from '../../lambdas/shared/adapters/https-client';
import { utcTime } from './credential-input';

/** The tenant service's answer to the mutation. Reasons quote nothing from it but an error code. */
export type KeyAnswer =
  | { kind: 'generated'; value: ApiKeyValue }
  /** The session is not a site administrator's, or has expired. */
  | { kind: 'refused'; reason: string }
  | { kind: 'failed'; reason: string }
  /** Throttled; nothing was generated. */
  | { kind: 'unavailable'; reason: string }
  /** A key may have been generated. */
  | { kind: 'unknown'; reason: string };

const SAYS_REFUSED = /unauthori[sz]ed|unauthenticated|forbidden|access.denied|not.(allowed|permitted)/i;

/**
 * Interprets a GraphQL answer: success has both fields and no errors, whatever the HTTP status.
 * @see the platform's specification, "Endpoints" 2
 * @see https://spec.graphql.org/October2021/#sec-Response-Format
 */
export function interpretKeyAnswer({ status, body }: Pick<HttpsAnswer, 'status' | 'body'>): KeyAnswer {
  const reason = `status ${status}`;
  if (status === 401 || status === 403) return { kind: 'refused', reason };
  if (status === 429) return { kind: 'unavailable', reason };
  if (status >= 300 && status < 400)
    return { kind: 'unknown', reason: `${reason}, a redirect that was not followed` };
  if (status < 200 || status >= 500) return { kind: 'unknown', reason };
  const document = parseJsonObject(body);
  const errors = document?.['errors'] ?? undefined;
  if (errors !== undefined) return interpretErrors(errors, reason);
  if (status >= 400) return { kind: 'failed', reason };
  const value = readKey(document?.['data']);
  return value === undefined
    ? { kind: 'unknown', reason: `${reason} without a readable key` }
    : { kind: 'generated', value };
}

function interpretErrors(errors: unknown, status: string): KeyAnswer {
  const list = (Array.isArray(errors) ? errors : [errors]).map((error) => objectOf(error) ?? {});
  const codes = list.map(({ extensions }) => objectOf(extensions)?.['code']);
  const isRefused = [...codes, ...list.map(({ message }) => message)].some(
    (text) => typeof text === 'string' && SAYS_REFUSED.test(text),
  );
  // Codes are safe to show; messages might quote the request.
  const code = codes.find((text) => typeof text === 'string' && /^[A-Z_]{3,40}$/.test(text));
  const reason = `${status} with errors${typeof code === 'string' ? ` (${code})` : ''}`;
  return { kind: isRefused ? 'refused' : 'failed', reason };
}

function readKey(data: unknown): ApiKeyValue | undefined {
  const { apiKey, validUntil } = objectOf(objectOf(data)?.['generateApiKey']) ?? {};
  if (typeof apiKey !== 'string' || apiKey === '' || typeof validUntil !== 'string') return undefined;
  const time = utcTime(validUntil);
  return time === undefined ? undefined : { apiKey, validUntil: time };
}

function objectOf(value: unknown): Record<string, unknown> | undefined {
  return isJsonObject(value) ? value : undefined;
}
