import { GUARANTEED_LIFE_SEC } from '../../contract/lifetimes';
import { cellName } from '../../contract/token-key';
import { type Finding } from './finding';
import { cellOf, type Outline } from './outline';

/** What is wrong with single deployments, and between them. */
export function deploymentFindings({ deployments, endpoints, local }: Outline): Finding[] {
  const seen = new Set<string>();
  return deployments.flatMap((deployment, index) => {
    if (deployment === null) return [];
    const path = ['deployments', index];
    const findings: Finding[] = [];
    const cell = cellOf(deployment);
    if (cell !== undefined) {
      const found = cellName(cell);
      if (seen.has(found)) findings.push({ path, found, allowed: 'each environment × platform region once' });
      seen.add(found);
      if (endpoints[cell.environment]?.[cell.platformRegion] === undefined) {
        const allowed = `a cell with addresses in endpoints.${cell.environment}.${cell.platformRegion}`;
        findings.push({ path, found, allowed });
      }
    }
    const { readerCacheSec } = deployment;
    if (readerCacheSec !== undefined && readerCacheSec >= GUARANTEED_LIFE_SEC) {
      const allowed = `less than the ${GUARANTEED_LIFE_SEC} s that a stored token is guaranteed to live`;
      findings.push({ path: [...path, 'readerCacheSec'], found: readerCacheSec, allowed });
    }
    for (const field of ['account', 'region'] as const) {
      if (local && deployment[field] !== undefined) {
        const allowed = 'nothing: a configuration marked local is never deployed to an account';
        findings.push({ path: [...path, field], found: deployment[field], allowed });
      }
    }
    return findings;
  });
}
