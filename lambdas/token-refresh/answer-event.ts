import { type Context } from 'aws-lambda';

import { type FailedAnswer } from '../../core/tokens/token-refresh';
import { TokenError } from '../../core/tokens/token-errors';
import { type TokenRefreshPorts } from './compose';
import { describeFailure } from './ensure';

/** Time reserved to answer before Lambda's timeout. */
const RESERVE_MS = 1_500;

/**
 * Runs one invocation. Returns expected failures in the answer; a function error means a bug.
 * @param answer gets the latest time to answer, in ms by the monotonic clock
 */
export async function answerEvent<Answer>(
  { clock, log, metrics, events }: TokenRefreshPorts,
  context: Context,
  answer: (endsAtMs: number) => Promise<Answer>,
): Promise<Answer | FailedAnswer> {
  log.addContext(context);
  const endsAtMs = clock.monotonicMs() + context.getRemainingTimeInMillis() - RESERVE_MS;
  try {
    return await answer(endsAtMs);
  } catch (error) {
    if (!(error instanceof TokenError)) throw error;
    return { ok: false, error: describeFailure(error) };
  } finally {
    await events?.settle();
    metrics.flush();
  }
}
