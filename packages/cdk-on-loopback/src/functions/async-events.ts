import { randomUUID } from 'node:crypto';
import { type LambdaFunction } from '../account';
import { type ClockTimer, type RunClock } from '../run-clock';
import { type InvocationOptions, type InvocationResult } from '../interfaces';

/** Delays before the second and third attempts after a function error. */
const ERROR_DELAYS_SEC = [60, 120];
/** The delay after a throttle starts at 1 s and doubles up to this. */
const MAX_THROTTLE_DELAY_SEC = 300;

/** Why an event was discarded, as its record states it. */
type DiscardCondition = 'RetriesExhausted' | 'EventAgeExceeded' | 'ZeroReservedConcurrency';

interface QueuedEvent {
  fn: LambdaFunction;
  payload: Buffer;
  options: InvocationOptions;
  requestId: string;
  receivedAtMs: number;
  invokeCount: number;
  throttleCount: number;
  lastError?: Buffer;
}

interface AsyncEventsOptions {
  clock: RunClock;
  run: (
    fn: LambdaFunction,
    payload: Buffer,
    requestId: string,
    options: InvocationOptions,
  ) => Promise<InvocationResult>;
  /** The function as it is now; undefined if it was deleted. */
  current: (fn: LambdaFunction) => LambdaFunction | undefined;
  /** Called with the record of a discarded event, for the function's on-failure destination. */
  discarded: (fn: LambdaFunction, record: Buffer) => void;
}

/**
 * Asynchronous events: retried after function errors and throttles, and discarded at the function's limits.
 * @see AWS Lambda Developer Guide, "How Lambda handles errors and retries with asynchronous invocation"
 */
export class AsyncEvents {
  private readonly options: AsyncEventsOptions;
  private readonly timers = new Set<ClockTimer>();

  constructor(options: AsyncEventsOptions) {
    this.options = options;
  }

  enqueue(fn: LambdaFunction, payload: Buffer, options: InvocationOptions = {}): { requestId: string } {
    const { clock } = this.options;
    const requestId = randomUUID();
    const counts = { invokeCount: 0, throttleCount: 0 };
    clock.hold(this.attempt({ fn, payload, options, requestId, receivedAtMs: clock.nowMs(), ...counts }));
    return { requestId };
  }

  /** Drops the events that wait for a retry. */
  close(): void {
    for (const timer of this.timers) timer.cancel();
    this.timers.clear();
  }

  private async attempt(event: QueuedEvent): Promise<void> {
    const { payload, requestId, options } = event;
    const { clock, run, current } = this.options;
    const fn = current(event.fn);
    if (!fn) return;
    event.fn = fn;
    if (fn.reservedConcurrency === 0) return this.discard(event, 'ZeroReservedConcurrency');
    if (clock.nowMs() >= expiryMs(event)) return this.discard(event, 'EventAgeExceeded');
    const result = await run(fn, payload, requestId, options);
    if (result.kind === 'ok') return;
    if (result.kind === 'throttled') {
      const delaySec = Math.min(2 ** event.throttleCount, MAX_THROTTLE_DELAY_SEC);
      event.throttleCount += 1;
      return this.retry(event, delaySec);
    }
    event.invokeCount += 1;
    event.lastError = result.payload;
    if (event.invokeCount > fn.asyncInvoke.maximumRetryAttempts)
      return this.discard(event, 'RetriesExhausted');
    this.retry(event, ERROR_DELAYS_SEC[event.invokeCount - 1] ?? 0);
  }

  private retry(event: QueuedEvent, delaySec: number): void {
    const { clock } = this.options;
    const dueMs = Math.min(clock.nowMs() + delaySec * 1000, expiryMs(event));
    const timer = clock.at(dueMs, () => {
      this.timers.delete(timer);
      return this.attempt(event);
    });
    this.timers.add(timer);
  }

  /** @see AWS Lambda Developer Guide, "Capturing records of Lambda asynchronous invocations" */
  private discard(event: QueuedEvent, condition: DiscardCondition): void {
    const { fn, requestId, payload, invokeCount, lastError } = event;
    const record = {
      version: '1.0',
      timestamp: new Date(this.options.clock.nowMs()).toISOString(),
      requestContext: {
        requestId,
        functionArn: `${fn.arn}:$LATEST`,
        condition,
        approximateInvokeCount: invokeCount,
      },
      requestPayload: jsonOf(payload),
      ...(lastError && {
        responseContext: { statusCode: 200, executedVersion: '$LATEST', functionError: 'Unhandled' },
        responsePayload: jsonOf(lastError),
      }),
    };
    this.options.discarded(fn, Buffer.from(JSON.stringify(record)));
  }
}

function expiryMs({ fn, receivedAtMs }: QueuedEvent): number {
  return receivedAtMs + fn.asyncInvoke.maximumEventAgeSec * 1000;
}

/** Parses a payload. A schedule may send one that is not JSON. */
function jsonOf(payload: Buffer): unknown {
  try {
    return JSON.parse(payload.toString());
  } catch {
    return payload.toString();
  }
}
