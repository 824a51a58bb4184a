import { changedTenants } from '../../core/events/secret-change';
import { type ProveAnswer } from '../../core/rotation/api-key-proof';
import { proveKeys, type ProvePorts } from './prove-keys';

/**
 * Tries the API keys of the tenants whose secrets changed, by the events of a queue.
 * @param endsAtMs deadline, in ms by the monotonic clock
 * @throws {Error} if a key was not judged, so that the queue sends the events again: another process may do the next run
 */
export async function proveChanged(
  ports: ProvePorts,
  event: { Records: unknown[] },
  endsAtMs: number,
): Promise<ProveAnswer> {
  const tenantIds = changedTenants(event, ports.deployment);
  const answer = await proveKeys(ports, { action: 'prove', tenantIds }, endsAtMs);
  const failed = answer.tenants.filter(({ outcome }) => outcome === 'could_not_test' || outcome === 'failed');
  if (failed.length > 0)
    throw new Error(`${failed.length} of ${answer.tenants.length} API keys were not judged`);
  return answer;
}
