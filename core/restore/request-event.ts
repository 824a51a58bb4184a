import { isJsonObject } from '../json/json-object';
import { wrongValue } from '../events/event-values';

/** An event that the function does not accept. The message names the field, the value found, and the allowed values. */
export class RequestEventError extends Error {
  override readonly name = 'RequestEventError';
  readonly code = 'invalid_event';
}

/**
 * Checks the fields of an API Gateway event that its functions read. Every principal that may invoke a function can send it
 * anything, and without this check the function would crash without naming the cause.
 * @throws {RequestEventError}
 * @see https://docs.aws.amazon.com/lambda/latest/dg/services-apigateway.html (event format)
 */
export function requireRequestEvent(event: unknown): asserts event is Record<string, unknown> {
  if (!isJsonObject(event)) throw wrongField('event', event, 'an object');
  const { requestContext, path, body, multiValueHeaders } = event;
  if (!isJsonObject(requestContext)) throw wrongField('requestContext', requestContext, 'an object');
  if (path !== undefined && typeof path !== 'string') throw wrongField('path', path, 'a string');
  if (!isAbsent(body) && typeof body !== 'string') throw wrongField('body', body, 'a string, or null');
  if (!isAbsent(multiValueHeaders) && !isObjectOfLists(multiValueHeaders)) {
    throw wrongField('multiValueHeaders', multiValueHeaders, 'an object with lists of strings, or null');
  }
}

function isAbsent(value: unknown): boolean {
  return value === undefined || value === null;
}

function isObjectOfLists(value: unknown): boolean {
  if (!isJsonObject(value)) return false;
  for (const name in value) if (!isListOfStrings(value[name])) return false;
  return true;
}

function isListOfStrings(value: unknown): boolean {
  return Array.isArray(value) && value.every((each) => typeof each === 'string');
}

function wrongField(field: string, found: unknown, allowed: string): RequestEventError {
  return new RequestEventError(wrongValue(field, found, `${allowed}, as API Gateway sends it`));
}
