import { changedTenants } from '../../core/events/secret-change';
import { type DeploymentFile } from '../../core/deployment/deployment-file';
import { type SweepAnswer } from '../../core/tokens/token-refresh';
import { type Log } from '../shared/ports';
import { type RefreshTokenPorts } from '../token-refresh/refresh-token';
import { sweep } from '../token-refresh/sweep';

/**
 * Sweeps the tokens of the tenants whose secrets changed, by the events of a queue.
 * @param endsAtMs deadline, in ms by the monotonic clock
 * @throws {Error} if a token was not renewed, so that the queue sends the events again: another process may do the next sweep
 */
export async function sweepChanged(
  ports: RefreshTokenPorts & { deployment: DeploymentFile; log: Log },
  event: { Records: unknown[] },
  endsAtMs: number,
): Promise<SweepAnswer> {
  const { deployment } = ports;
  const changed = changedTenants(event, deployment);
  const tenants = deployment.tenants.filter(({ tenantId }) => changed.includes(tenantId));
  const answer = await sweep(ports, { ...deployment, tenants }, endsAtMs, true);
  if (answer.failed > 0) throw new Error(`${answer.failed} of ${answer.tokens} tokens were not renewed`);
  return answer;
}
