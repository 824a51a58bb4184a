import { requireRequestEvent } from '../../../core/restore/request-event';

const EVENT = { requestContext: {}, path: '/', body: '{}', multiValueHeaders: { accept: ['a', 'b'] } };

test.each([
  {},
  { path: undefined, body: null, multiValueHeaders: null },
  { body: undefined, multiValueHeaders: undefined },
])('an event of API Gateway may have %j', (change) => {
  expect(() => requireRequestEvent({ ...EVENT, ...change })).not.toThrow();
});

test.each<[string, unknown, string]>([
  ['event', undefined, 'an object'],
  ['requestContext', { ...EVENT, requestContext: undefined }, 'an object'],
  ['path', { ...EVENT, path: 7 }, 'a string'],
  ['body', { ...EVENT, body: {} }, 'a string, or null'],
  ...[[], { accept: 'a' }, { accept: ['a', 7] }].map((headers): [string, unknown, string] => [
    'multiValueHeaders',
    { ...EVENT, multiValueHeaders: headers },
    'an object with lists of strings, or null',
  ]),
])('an event with another %s is refused, and the error says what it must be', (field, event, allowed) => {
  expect(() => requireRequestEvent(event)).toThrow(
    expect.objectContaining({
      code: 'invalid_event',
      message: expect.stringMatching(
        `^${field}: found .*; allowed: ${allowed}, as API Gateway sends it$`,
      ) as string,
    }) as Error,
  );
});
