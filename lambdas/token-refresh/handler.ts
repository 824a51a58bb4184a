import { type Context } from 'aws-lambda';

import { type EnsureAnswer } from '../../core/tokens/token-refresh';
import { inInitPhase } from '../shared/adapters/init-phase';
import { warmedUp } from '../shared/adapters/secrets-manager-client';
import { answerEvent } from './answer-event';
import { composePorts, type TokenRefreshPorts } from './compose';
import { ensure } from './ensure';
import { parseEnsureEvent } from './ensure-event';

let ports: TokenRefreshPorts | undefined = inInitPhase(() => warmedUp(composePorts()));

/**
 * Handler of token-refresh. Readers of a token may invoke it, so it answers about the requested token only; sweeps
 * have a function of their own.
 */
export async function handler(event: unknown, context: Context): Promise<EnsureAnswer> {
  return handle((ports ??= composePorts()), event, context);
}

export async function handle(
  composed: TokenRefreshPorts,
  event: unknown,
  context: Context,
): Promise<EnsureAnswer> {
  return answerEvent(composed, context, async (endsAtMs) =>
    ensure(composed, parseEnsureEvent(event, composed.deployment), endsAtMs),
  );
}
