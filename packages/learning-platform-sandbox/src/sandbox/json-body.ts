import { RefusedRequestError } from './errors';

/** Whether a Content-Type is JSON, with or without parameters such as a charset. @see RFC 9110, section 8.3.1 */
export function isJsonMediaType(contentType: string | undefined): boolean {
  return contentType?.split(';')[0]?.trim().toLowerCase() === 'application/json';
}

/**
 * Parses the body of a request.
 * @throws {RefusedRequestError} 400 for malformed JSON; the message does not quote it
 */
export function parseJsonBody(body: string, refusal = 'the body is not well-formed JSON'): unknown {
  try {
    return JSON.parse(body);
  } catch {
    throw new RefusedRequestError(400, refusal);
  }
}
