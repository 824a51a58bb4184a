import { type Context } from 'aws-lambda';

import { isQueueEvent } from '../../core/events/secret-change';
import { type FailedAnswer, type SweepAnswer } from '../../core/tokens/token-refresh';
import { inInitPhase } from '../shared/adapters/init-phase';
import { answerEvent } from '../token-refresh/answer-event';
import { composePorts, type TokenSweepPorts } from './compose';
import { runSweep } from './run-sweep';
import { sweepChanged } from './sweep-changed';
import { parseSweepEvent } from './sweep-event';

let ports: TokenSweepPorts | undefined = inInitPhase(composePorts);

/**
 * Handler of token-sweep. Its answer is about every tenant, so only the schedule, the queue of changes and operators may
 * invoke it.
 */
export async function handler(event: unknown, context: Context): Promise<SweepAnswer | FailedAnswer> {
  return handle((ports ??= composePorts()), event, context);
}

export async function handle(
  composed: TokenSweepPorts,
  event: unknown,
  context: Context,
): Promise<SweepAnswer | FailedAnswer> {
  return answerEvent(composed, context, async (endsAtMs) => {
    if (isQueueEvent(event)) return sweepChanged(composed, event, endsAtMs);
    parseSweepEvent(event);
    return runSweep(composed, composed.deployment, endsAtMs);
  });
}
