import { type DeploymentFile } from '../../../core/deployment/deployment-file';
import { type TokenType } from '../../../core/deployment/platform';
import { type Clock } from '../../../lambdas/shared/ports';
import { deploymentOf } from '../../support/lambdas/token-functions';

export const DAY_MS = 24 * 3_600_000;
export const START_MS = Date.UTC(2026, 0, 5);

/** Least and most time of a call of Secrets Manager, in ms; AWS publishes none. */
export const CALL_MS = [10, 40] as const;

/**
 * Processor time of a call, assumed as one ms of a whole processor, on the share of it that 512 MB get.
 * @see https://docs.aws.amazon.com/lambda/latest/dg/configuration-memory.html (1,769 MB are one vCPU)
 */
const CALL_CPU_MS = 1 / (512 / 1769);

const TOKENS: TokenType[] = [
  { interface: 'content', scope: 'api/read' },
  { interface: 'content', scope: 'api/write' },
  { interface: 'webhooks', scope: 'api/webhooks' },
];

/** A deployment with three tokens per tenant. */
export function deploymentFor(tenants: number): DeploymentFile {
  const tenantIds = Array.from({ length: tenants }, (_, index) => `tenant-${index + 1}`);
  return {
    ...deploymentOf([]),
    tenants: tenantIds.map((tenantId) => ({ tenantId, tokens: TOKENS, adopted: {} })),
  };
}

/** Time until the processor of a function has done the work of one more call, in ms. */
export type Processor = () => number;

/** A processor that does one call's work after another. */
export function oneProcessor(clock: Pick<Clock, 'monotonicMs'>): Processor {
  let freeAtMs = 0;
  return () => {
    const nowMs = clock.monotonicMs();
    freeAtMs = Math.max(nowMs, freeAtMs) + CALL_CPU_MS;
    return freeAtMs - nowMs;
  };
}
