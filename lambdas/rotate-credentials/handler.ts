import { type Context } from 'aws-lambda';

import { composePorts, type RotateCredentialsPorts } from './compose';
import { rotate } from './rotate';

/** Left at the end of an invocation, so that its outcome is told before Lambda would end it. */
const RESERVE_MS = 1_500;

let ports: RotateCredentialsPorts | undefined;

/**
 * Entry of rotate-credentials: one step of a rotation.
 * @throws {RotationError} on every failure, since Secrets Manager knows success and failure only
 */
export async function handler(event: unknown, context: Context): Promise<void> {
  ports ??= composePorts();
  const { clock, log, metrics } = ports;
  log.addContext(context);
  const deadlineMs = clock.monotonicMs() + context.getRemainingTimeInMillis() - RESERVE_MS;
  try {
    await rotate(ports, event, deadlineMs);
  } finally {
    metrics.flush();
  }
}
