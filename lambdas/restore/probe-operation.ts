import { type ProbeAnswer } from '../../core/restore/restore-operation';
import { UpstreamTokenError } from '../../core/tokens/upstream-token-error';
import { tenantKeyOf } from '../../core/tokens/token-key';
import { type UpstreamTokens } from '../shared/ports';
import { type RestorePorts } from './restore-content';

export interface ProbePorts extends Pick<RestorePorts, 'deployment' | 'availability'> {
  /** Reads stored tokens, and has none renewed. Apart from those of restores, which would remember that one is missing. */
  storedTokens: UpstreamTokens;
}

/** Tenants whose token is tried: one may not be loaded yet, or refused. */
const MAX_TENANTS = 3;

/**
 * Finds out whether the platform offers the restore operation, with the token of some tenant. Modifies nothing.
 * @param deadlineMs by the monotonic clock
 */
export async function probeOperation(
  { deployment, storedTokens, availability }: ProbePorts,
  deadlineMs: number,
): Promise<ProbeAnswer> {
  const able = deployment.tenants.filter((tenant) =>
    tenant.tokens.some((token) => token.interface === 'content' && token.scope === 'api/write'),
  );
  let reason = 'it was not asked, because no tenant has a content token api/write';
  for (const { tenantId } of able.slice(0, MAX_TENANTS)) {
    try {
      const token = await storedTokens.get(tenantKeyOf(deployment, tenantId), deadlineMs);
      return await availability.find(token, deadlineMs);
    } catch (error) {
      if (!(error instanceof UpstreamTokenError)) throw error;
      reason = `it was not asked, because no token is available (${error.code})`;
    }
  }
  return { availability: 'undetermined', reason };
}
