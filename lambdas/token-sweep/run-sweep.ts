import { type DeploymentFile } from '../../core/deployment/deployment-file';
import { type SweepAnswer } from '../../core/tokens/token-refresh';
import { type AbandonedRotationPorts, endAbandonedRotations } from '../token-refresh/end-abandoned-rotations';
import { type RefreshTokenPorts } from '../token-refresh/refresh-token';
import { sweep } from '../token-refresh/sweep';

/**
 * A run of token-sweep: renews tokens and ends abandoned rotations, at the same time, because renewing the tokens of thousands
 * of tenants leaves no time afterwards. A failure of one does not stop the other.
 * @param endsAtMs deadline, in ms by the monotonic clock
 */
export async function runSweep(
  ports: RefreshTokenPorts & AbandonedRotationPorts,
  deployment: DeploymentFile,
  endsAtMs: number,
): Promise<SweepAnswer> {
  const [swept, checked] = await Promise.allSettled([
    sweep(ports, deployment, endsAtMs),
    endAbandonedRotations(ports, deployment, endsAtMs),
  ]);
  if (swept.status === 'rejected') throw swept.reason;
  if (checked.status === 'rejected') throw checked.reason;
  return swept.value;
}
