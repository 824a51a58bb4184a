import { type Context } from 'aws-lambda';

import { type FailedAnswer, type SweepAnswer } from '../../contract/token-refresh';
import { answerEvent } from '../token-refresh/answer-event';
import { endAbandonedRotations } from '../token-refresh/end-abandoned-rotations';
import { sweep } from '../token-refresh/sweep';
import { composePorts, type TokenSweepPorts } from './compose';
import { parseSweepEvent } from './sweep-event';

let ports: TokenSweepPorts | undefined;

/** Handler of token-sweep. Its answer is about every tenant, so only the schedule and operators may invoke it. */
export async function handler(event: unknown, context: Context): Promise<SweepAnswer | FailedAnswer> {
  const composed = (ports ??= composePorts());
  return answerEvent(composed, context, async (endsAtMs) => {
    parseSweepEvent(event);
    const answer = await sweep(composed, composed.deployment, endsAtMs);
    await endAbandonedRotations(composed, composed.deployment, endsAtMs);
    return answer;
  });
}
