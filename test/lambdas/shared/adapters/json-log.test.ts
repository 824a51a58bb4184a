import { type Context } from 'aws-lambda';

import { jsonLog } from '../../../../lambdas/shared/adapters/json-log';
import { type LogFields } from '../../../../lambdas/shared/ports';
import { captureOutput, jsonLines } from '../../../support/lambdas/captured-output';

const CANARY = 'canary-secret';

let output: () => string;
beforeEach(() => (output = captureOutput()));
afterEach(() => {
  jest.restoreAllMocks();
  jest.useRealTimers();
});

/** An error like the SDK's: it contains the request and its cause. */
const tellTaleError = () =>
  Object.assign(new Error(CANARY, { cause: new Error(CANARY) }), { request: { body: CANARY }, code: CANARY });

const lines = () => jsonLines(output());

describe('a log line', () => {
  test.each(['info', 'warn', 'error'] as const)(
    'is one JSON object with the level %s, the message and the allowed fields',
    (level) => {
      const detail = '"\r\n\0\u2028{"level":"INFO"}';
      const fields: LogFields = { tenantId: 'eu-west-2_Acme', detail, durationMs: 4 };

      jsonLog()[level]('message', fields);
      jsonLog()[level]('message');

      const line = {
        level: level.toUpperCase(),
        timestamp: expect.any(String) as string,
        message: 'message',
      };
      expect(lines()).toEqual([{ ...line, ...fields }, line]);
    },
  );

  test('has the time in UTC, with milliseconds, whichever line came before', () => {
    const times = [
      '2026-01-31T12:00:00.000Z',
      '2026-01-31T12:00:00.007Z',
      '2026-01-31T12:00:59.999Z',
      '2026-01-31T12:01:00.000Z',
      '2026-01-31T12:00:59.080Z',
      '2027-12-31T23:59:09.100Z',
    ];
    for (const time of times) {
      jest.useFakeTimers({ now: Date.parse(time) });
      jsonLog().info('message');
    }

    expect(lines().map(({ timestamp }) => timestamp)).toEqual(times);
  });

  test('has the request id once it is known, and nothing else of the context', () => {
    const log = jsonLog();
    log.addContext({ awsRequestId: 'request-1', functionName: CANARY, logStreamName: CANARY } as Context);

    log.info('message');

    expect(lines()).toMatchObject([{ requestId: 'request-1' }]);
    expect(output()).not.toContain(CANARY);
  });

  test.each<[string, object]>([
    ['an error', { error: tellTaleError() }],
    ['a further field', { accessToken: CANARY }],
    ['a field with the name of an inherited property', { constructor: CANARY, toString: CANARY }],
    ['an object or a list under the name of an allowed field', { detail: { CANARY }, reason: [CANARY] }],
    ['fields with the names of the line’s own', { level: CANARY, timestamp: CANARY, requestId: CANARY }],
    ['an error spread into the fields', { ...tellTaleError(), stack: CANARY, message: CANARY, code: 'x' }],
  ])('leaves out %s', (_, fields) => {
    const log = jsonLog();

    for (const level of ['info', 'warn', 'error'] as const) log[level]('message', fields);

    expect(output()).toContain('"message":"message"');
    expect(output()).not.toContain(CANARY);
  });
});
