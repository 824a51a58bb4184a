import { type LambdaFunction } from '../../src/account';
import { standingClock } from '../../src/testing/standing-clock';
import { AsyncEvents } from '../../src/functions/async-events';
import { type InvocationResult } from '../../src/interfaces';
import { FunctionHost } from '../support/function-host';
import { NOW_MS } from '../../src/testing/stacks';
import { failure, THROTTLED } from '../support/invocation-results';

const FAILURE = failure('no');

/** A queue whose function returns `results` in turn, then keeps returning the last one. */
const queue = (
  results: InvocationResult[],
  asyncInvoke: Partial<LambdaFunction['asyncInvoke']> = {},
  reservedConcurrency?: number,
) => {
  const clock = standingClock(NOW_MS);
  const triedAtSec: number[] = [];
  const records: Record<string, unknown>[] = [];
  const requestIds = new Set<string>();
  const handlers: string[] = [];
  let exists = true;
  let fn = {
    arn: 'arn:f',
    handler: 'first',
    asyncInvoke: { maximumRetryAttempts: 2, maximumEventAgeSec: 21_600, ...asyncInvoke },
    reservedConcurrency,
  } as LambdaFunction;
  const events = new AsyncEvents({
    clock,
    run: async (run, _payload, requestId) => {
      handlers.push(run.handler);
      requestIds.add(requestId);
      triedAtSec.push((clock.nowMs() - NOW_MS) / 1000);
      return results[Math.min(triedAtSec.length, results.length) - 1]!;
    },
    current: () => (exists ? fn : undefined),
    discarded: (_fn, record) => void records.push(JSON.parse(record.toString()) as Record<string, unknown>),
  });
  const remove = (): void => void (exists = false);
  const update = (handler: string): void => void (fn = { ...fn, handler });
  return { clock, events, fn, triedAtSec, records, requestIds, handlers, remove, update };
};
const EVENT = Buffer.from('{"action":"sweep"}');

describe('an asynchronous event', () => {
  test('is retried with the function as it is by then', async () => {
    const { clock, events, fn, handlers, update } = queue([FAILURE]);
    events.enqueue(fn, EVENT);
    await clock.idle();

    update('second');
    await clock.advance(60);

    expect(handlers).toEqual(['first', 'second']);
  });

  // AWS Lambda Developer Guide, "How Lambda handles errors and retries with asynchronous invocation".
  test('is retried one minute and two minutes after function errors, then discarded', async () => {
    const { clock, events, fn, triedAtSec, records, requestIds } = queue([FAILURE]);

    const { requestId } = events.enqueue(fn, EVENT);
    await clock.advance(1000);

    expect(triedAtSec).toEqual([0, 60, 180]);
    expect([...requestIds]).toEqual([requestId]);
    expect(records).toEqual([
      {
        version: '1.0',
        timestamp: new Date(NOW_MS + 180_000).toISOString(),
        requestContext: {
          requestId,
          functionArn: 'arn:f:$LATEST',
          condition: 'RetriesExhausted',
          approximateInvokeCount: 3,
        },
        requestPayload: { action: 'sweep' },
        responseContext: { statusCode: 200, executedVersion: '$LATEST', functionError: 'Unhandled' },
        responsePayload: { errorType: 'Error', errorMessage: 'no' },
      },
    ]);
  });

  const OK: InvocationResult = { kind: 'ok', payload: Buffer.from('1'), logTail: '', requestId: 'r' };
  test.each<[string, InvocationResult[], number, number[], number]>([
    ['is not retried if no retries are allowed', [FAILURE], 0, [0], 1],
    ['that succeeds on a retry leaves no record', [FAILURE, OK], 2, [0, 60], 0],
  ])('%s', async (_, results, maximumRetryAttempts, triedAt, recordCount) => {
    const { clock, events, fn, triedAtSec, records } = queue(results, { maximumRetryAttempts });

    events.enqueue(fn, EVENT);
    await clock.advance(1000);

    expect(triedAtSec).toEqual(triedAt);
    expect(records).toHaveLength(recordCount);
  });

  test('waits longer after each throttle, without using up retries, until it is too old', async () => {
    const { clock, events, fn, triedAtSec, records } = queue([THROTTLED], {
      maximumRetryAttempts: 0,
      maximumEventAgeSec: 60,
    });

    events.enqueue(fn, EVENT);
    await clock.advance(1000);

    expect(triedAtSec).toEqual([0, 1, 3, 7, 15, 31]);
    expect(records).toMatchObject([
      { requestContext: { condition: 'EventAgeExceeded', approximateInvokeCount: 0 } },
    ]);
    expect(records[0]).not.toHaveProperty('responsePayload');
    expect(records[0]?.timestamp).toBe(new Date(NOW_MS + 60_000).toISOString());
  });

  test('for a function without any concurrency is discarded at once', async () => {
    const { clock, events, fn, triedAtSec, records } = queue([THROTTLED], {}, 0);

    events.enqueue(fn, EVENT);
    await clock.idle();

    expect(triedAtSec).toEqual([]);
    expect(records).toMatchObject([{ requestContext: { condition: 'ZeroReservedConcurrency' } }]);
  });

  test.each(['removed', 'closed'])(
    'is dropped when its function is deleted or the run ends: %s',
    async (how) => {
      const { clock, events, fn, triedAtSec, records, remove } = queue([FAILURE]);
      events.enqueue(fn, EVENT);
      await clock.idle();

      if (how === 'removed') remove();
      else events.close();
      await clock.advance(1000);

      expect(triedAtSec).toEqual([0]);
      expect(records).toEqual([]);
    },
  );
});

describe('the on-failure destination', () => {
  let host: FunctionHost;
  afterEach(() => host.close());
  const failOnce = async (onFailureArn?: string): Promise<void> => {
    const fn = host.add('exports.handler = async () => { throw new Error("no"); };', {
      asyncInvoke: { maximumRetryAttempts: 0, maximumEventAgeSec: 60, ...(onFailureArn && { onFailureArn }) },
    });
    host.invoker.invokeAsync(fn.arn, EVENT);
    await host.clock.idle();
  };

  test("gets the record with the permissions of the function's role", async () => {
    host = new FunctionHost();

    await failOnce('arn:aws:sqs:eu-west-1:111111111111:failed');

    expect(host.sent).toHaveLength(1);
    expect(host.sent[0]).toMatchObject({
      queueArn: 'arn:aws:sqs:eu-west-1:111111111111:failed',
      roleArn: expect.stringContaining('function-1-role') as unknown,
    });
    expect(JSON.parse(host.sent[0]!.body)).toMatchObject({ requestPayload: { action: 'sweep' } });
  });

  test('that denies the role loses the event, with a warning that says why', async () => {
    host = new FunctionHost({
      queueSender: {
        send: () => {
          throw new Error('not authorized to perform: sqs:SendMessage on resource: arn:q');
        },
      },
    });

    await failOnce('arn:q');

    expect(host.reporter.warnings).toEqual([
      'lost an event of function-1: not authorized to perform: sqs:SendMessage on resource: arn:q',
    ]);
  });

  test('may be missing, which causes a warning', async () => {
    host = new FunctionHost();

    await failOnce();

    expect(host.reporter.warnings).toEqual([
      'discarded an event of function-1, which has no on-failure destination',
    ]);
  });
});
