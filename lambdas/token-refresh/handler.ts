import { type Context } from 'aws-lambda';

import { type EnsureAnswer, type SweepAnswer } from '../../contract/token-refresh';
import { TokenError } from '../shared/domain/token-errors';
import { composePorts, type TokenRefreshPorts } from './compose';
import { describeFailure, ensure } from './ensure';
import { endAbandonedRotations } from './end-abandoned-rotations';
import { parseEvent } from './ensure-event';
import { sweep } from './sweep';

/** Time reserved to answer before Lambda's timeout. */
const RESERVE_MS = 1_500;

let ports: TokenRefreshPorts | undefined;

/**
 * Handler of token-refresh and token-sweep. Returns expected failures in the answer; a function error means a bug.
 */
export async function handler(event: unknown, context: Context): Promise<EnsureAnswer | SweepAnswer> {
  ports ??= composePorts();
  const { clock, deployment, log, metrics } = ports;
  log.addContext(context);
  const endsAtMs = clock.monotonicMs() + context.getRemainingTimeInMillis() - RESERVE_MS;
  try {
    const request = parseEvent(event, deployment);
    if (request.action !== 'sweep') return await ensure(ports, request, endsAtMs);
    const answer = await sweep(ports, deployment, endsAtMs);
    await endAbandonedRotations(ports, deployment, endsAtMs);
    return answer;
  } catch (error) {
    if (!(error instanceof TokenError)) throw error;
    return { ok: false, error: describeFailure(error) };
  } finally {
    metrics.flush();
  }
}
