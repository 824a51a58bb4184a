import { type Context } from 'aws-lambda';

import { composePorts, type RotateCredentialsPorts } from './compose';
import { rotate } from './rotate';

/** Time reserved to report the outcome before Lambda's timeout. */
const RESERVE_MS = 1_500;

let ports: RotateCredentialsPorts | undefined;

/**
 * Handler of rotate-credentials: runs one step of a rotation.
 * @throws {RotationError} on every failure, because Secrets Manager only distinguishes success and failure
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
