import { type DeploymentFile } from '../../core/deployment/deployment-file';
import { type SweepAnswer } from '../../core/tokens/token-refresh';
import { isFailure, type TokenReport } from './record-sweep-metrics';

/** @param reports in the order of {@link tokensOf} */
export function summarize(deployment: DeploymentFile, reports: readonly TokenReport[]): SweepAnswer {
  const failed = reports.filter(isFailure).length;
  const inOrder = reports.values();
  return {
    ok: failed === 0,
    tokens: reports.length,
    refreshed: reports.filter(({ outcome }) => outcome === 'refreshed').length,
    failed,
    tenants: deployment.tenants.map(({ tenantId, tokens }) => ({
      tenantId,
      tokens: tokens.map((tokenType) => {
        const { outcome, failure } = inOrder.next().value!;
        return { ...tokenType, outcome, ...(failure && { message: failure.message }) };
      }),
    })),
  };
}
