import { type DeploymentFile } from '../../../core/deployment/deployment-file';
import { type TokenType } from '../../../core/deployment/platform';
import { type TokenKey } from '../../../core/tokens/published-keys';
import { tenantKeyOf, tokenKeyOf } from '../../../core/tokens/token-key';
import { type Clock } from '../../../lambdas/shared/ports';
import { deploymentOf } from '../../support/lambdas/token-functions';

export const MINUTE_MS = 60_000;
export const DAY_MS = 24 * 60 * MINUTE_MS;

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
export function deploymentFor(tenantCount: number): DeploymentFile {
  const deployment = deploymentOf(Array.from({ length: tenantCount }, (_, index) => `tenant-${index + 1}`));
  return { ...deployment, tenants: deployment.tenants.map((tenant) => ({ ...tenant, tokens: TOKENS })) };
}

/** The keys of all its tokens. */
export function keysOf(deployment: DeploymentFile): TokenKey[] {
  return deployment.tenants.flatMap(({ tenantId, tokens }) =>
    tokens.map((tokenType) => tokenKeyOf(tenantKeyOf(deployment, tenantId), tokenType) as TokenKey),
  );
}

/** A processor that does one call's work after another. @returns the time until it has done the work of one more call, in ms */
export function oneProcessor(clock: Pick<Clock, 'nowMs'>): () => number {
  let freeAtMs = 0;
  return () => {
    freeAtMs = Math.max(clock.nowMs(), freeAtMs) + CALL_CPU_MS;
    return freeAtMs - clock.nowMs();
  };
}

/** A limit of calls per second, which lets those of one second come at once. @returns whether one more call is within it */
export function limitOf(clock: Pick<Clock, 'nowMs'>, perSec: number): () => boolean {
  let room = perSec;
  let atMs = clock.nowMs();
  return () => {
    room = Math.min(perSec, room + ((clock.nowMs() - atMs) / 1000) * perSec);
    atMs = clock.nowMs();
    if (room < 1) return false;
    room -= 1;
    return true;
  };
}
