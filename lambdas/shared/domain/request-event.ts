import { isJsonObject } from '../../../contract/json-object';
import { wrongValue } from './event-values';

/** An event that the function does not accept. The message names the field, the value found and the allowed ones. */
export class RequestEventError extends Error {
  override readonly name = 'RequestEventError';
  readonly code = 'invalid_event';
}

/** The allowed types of what the functions read without further checks; anything else in an event is not read. */
const FIELDS: Record<string, { isAllowed: (value: unknown) => boolean; allowed: string }> = {
  requestContext: { isAllowed: isJsonObject, allowed: 'an object' },
  path: { isAllowed: (value) => value === undefined || typeof value === 'string', allowed: 'a string' },
  body: { isAllowed: isOptional((value) => typeof value === 'string'), allowed: 'a string, or null' },
  multiValueHeaders: {
    isAllowed: isOptional((value) => isJsonObject(value) && Object.values(value).every(isListOfStrings)),
    allowed: 'an object with lists of strings, or null',
  },
};

/**
 * Checks that API Gateway sent an event, as far as its functions rely on that. Every principal that may invoke a function
 * can send it anything, and a crash would say nothing about the cause.
 * @throws {RequestEventError}
 * @see https://docs.aws.amazon.com/lambda/latest/dg/services-apigateway.html (event format)
 */
export function requireRequestEvent(event: unknown): asserts event is Record<string, unknown> {
  if (!isJsonObject(event)) throw wrong('event', event, 'an object');
  for (const [field, { isAllowed, allowed }] of Object.entries(FIELDS)) {
    if (!isAllowed(event[field])) throw wrong(field, event[field], allowed);
  }
}

function isOptional(isAllowed: (value: unknown) => boolean): (value: unknown) => boolean {
  return (value) => value === undefined || value === null || isAllowed(value);
}

function isListOfStrings(value: unknown): boolean {
  return Array.isArray(value) && value.every((each) => typeof each === 'string');
}

function wrong(field: string, found: unknown, allowed: string): RequestEventError {
  return new RequestEventError(wrongValue(field, found, `${allowed}, as API Gateway sends it`));
}
