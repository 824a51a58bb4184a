import { type Context } from 'aws-lambda';

import { answerEvent } from '../../../lambdas/token-refresh/answer-event';
import { type TokenRefreshPorts } from '../../../lambdas/token-refresh/compose';
import { describeFailure } from '../../../lambdas/token-refresh/ensure';
import { VirtualClock } from '../../support/lambdas/virtual-clock';
import { REFUSED } from './support/token-functions';

const clock = new VirtualClock();
const [addContext, flush, settle] = [jest.fn(), jest.fn(), jest.fn()];
const context = { getRemainingTimeInMillis: () => 30_000 } as Context;

/** Runs an invocation, and checks that it sent its events and metrics. */
async function invoke(answer: (endsAtMs: number) => Promise<unknown>): Promise<unknown> {
  jest.resetAllMocks();
  const ports = { clock, log: { addContext }, metrics: { flush }, events: { settle } };
  try {
    return await answerEvent(ports as unknown as TokenRefreshPorts, context, answer);
  } finally {
    expect(settle).toHaveBeenCalledTimes(1);
    expect(flush).toHaveBeenCalledTimes(1);
  }
}

test('an invocation returns its answer, and ends 1.5 s before the timeout', async () => {
  clock.advance(1_000);

  expect(await invoke(async (endsAtMs) => endsAtMs)).toBe(clock.monotonicMs() + 28_500);
  expect(addContext).toHaveBeenCalledWith(context);
});

test('an expected failure is an answer', async () => {
  const answer = { ok: false, error: describeFailure(REFUSED) };

  expect(await invoke(() => Promise.reject(REFUSED))).toEqual(answer);
});

test('an unexpected error is a bug, and fails the function', async () => {
  await expect(invoke(() => Promise.reject(new TypeError('a bug')))).rejects.toThrow(TypeError);
});
