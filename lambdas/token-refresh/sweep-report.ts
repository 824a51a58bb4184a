import { type DeploymentFile } from '../../core/deployment/deployment-file';
import { tokenTypeOf } from '../../core/tokens/token-key';
import { type SweepAnswer } from '../../core/tokens/token-refresh';
import { type Clock, type Log, type Metrics } from '../shared/ports';
import { isFailure, recordSweepMetrics, type TokenReport } from './record-sweep-metrics';
import { type RefreshMemory } from './refresh-memory';

/**
 * Logs the failures of a finished sweep and its totals, records its metrics, and returns its answer.
 * @param reports one for each token, in the order of the deployment file
 */
export function reportSweep(
  ports: { clock: Clock; memory: RefreshMemory; metrics: Metrics; log: Log },
  deployment: DeploymentFile,
  reports: readonly TokenReport[],
  { durationMs, onlyChanged }: { durationMs: number; onlyChanged: boolean },
): SweepAnswer {
  const { log } = ports;
  for (const report of reports.filter(isFailure)) logFailure(log, report);
  const answer = summarize(deployment, reports);
  const { tokens, refreshed, failed } = answer;
  log.info('sweep ended', { tokens, refreshed, failed, durationMs });
  recordSweepMetrics(ports, reports, onlyChanged ? undefined : durationMs, deployment.profile);
  return answer;
}

function logFailure(log: Log, { key, outcome, failure, isRenewed }: TokenReport): void {
  log.error(isRenewed === true ? 'token renewed with the former credential' : 'token not renewed', {
    tenantId: key.tenantId,
    ...tokenTypeOf(key),
    code: outcome,
    detail: failure?.message ?? '',
  });
}

function summarize(deployment: DeploymentFile, reports: readonly TokenReport[]): SweepAnswer {
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
