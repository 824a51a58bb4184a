import { type ProbeAnswer } from '../../core/restore/restore-operation';
import { UpstreamTokenError } from '../../core/tokens/upstream-token-error';
import { tenantKeyOf } from '../../core/tokens/token-key';
import { type UpstreamTokens } from '../shared/ports';
import { type RestorePorts } from './restore-content';

export interface ProbePorts extends Pick<RestorePorts, 'deployment' | 'availability'> {
  /** Makes a reader of stored tokens that renews none, and keeps none of another probe: it may have been replaced. */
  readStoredTokens: () => UpstreamTokens;
}

/** Tenants whose token is tried: one may not be loaded yet, or refused. */
const MAX_TENANTS = 3;

/**
 * Finds out whether the platform offers the restore operation, with the token of some tenant. Modifies nothing.
 * @param deadlineMs by the monotonic clock
 */
export async function probeOperation(
  { deployment, readStoredTokens, availability }: ProbePorts,
  deadlineMs: number,
): Promise<ProbeAnswer> {
  const withToken = deployment.tenants.filter((tenant) =>
    tenant.tokens.some((token) => token.interface === 'content' && token.scope === 'api/write'),
  );
  const storedTokens = readStoredTokens();
  let reason = 'it was not asked, because no tenant has a content token api/write';
  for (const { tenantId } of withToken.slice(0, MAX_TENANTS)) {
    try {
      const token = await storedTokens.get(tenantKeyOf(deployment, tenantId), deadlineMs);
      const answer = await availability.find(token, deadlineMs);
      if (answer.availability !== 'refused') return answer;
      return { ...answer, reason: `${answer.reason} to the token content api/write of ${tenantId}` };
    } catch (error) {
      if (!(error instanceof UpstreamTokenError)) throw error;
      reason = `it was not asked, because no token is available (${error.code})`;
    }
  }
  return { availability: 'undetermined', reason };
}
