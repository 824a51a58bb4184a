import { type Context } from 'aws-lambda';

import { type ProveAnswer } from '../../core/rotation/api-key-proof';
import { type AnnounceAnswer } from '../../core/events/change-events';
import { isQueueEvent } from '../../core/events/secret-change';
import { parseTenantsEvent } from '../../core/events/tenants-event';
import { inInitPhase } from '../shared/adapters/init-phase';
import { composePorts, type RotateCredentialsPorts } from './compose';
import { proveChanged } from './prove-changed';
import { proveKeys } from './prove-keys';
import { rotate } from './rotate';

/** Time reserved to report the outcome before Lambda's timeout. */
const RESERVE_MS = 1_500;

let ports: RotateCredentialsPorts | undefined = inInitPhase(composePorts);

/**
 * Handler of rotate-credentials: runs one step of a rotation, tries the API keys that nobody has proven or that changed,
 * or announces what a command changed.
 * @throws {RotationError} on every failure of a step, because Secrets Manager only distinguishes success and failure
 * @throws {EventError}
 */
export async function handler(
  event: unknown,
  context: Context,
): Promise<ProveAnswer | AnnounceAnswer | void> {
  return handle((ports ??= composePorts()), event, context);
}

export async function handle(
  ports: RotateCredentialsPorts,
  event: unknown,
  context: Context,
): Promise<ProveAnswer | AnnounceAnswer | void> {
  const { announce, clock, deployment, events, log, metrics } = ports;
  log.addContext(context);
  const deadlineMs = clock.monotonicMs() + context.getRemainingTimeInMillis() - RESERVE_MS;
  try {
    if (isQueueEvent(event)) return await proveChanged(ports, event, deadlineMs);
    const { action } = (event ?? {}) as { action?: unknown };
    // Steps of a rotation have no action.
    if (action === undefined) return await rotate(ports, event, deadlineMs);
    if (action === 'announce' && announce) return await announce(event as { action: 'announce' }, deadlineMs);
    return await proveKeys(ports, parseTenantsEvent(event, ['prove'], deployment), deadlineMs);
  } finally {
    await events?.settle();
    metrics.flush();
  }
}
