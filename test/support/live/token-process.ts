import { type DeploymentFile } from '../../../core/deployment/deployment-file';
import { type sendHttps } from '../../../lambdas/shared/adapters/https-client';
import { type Clock, type Log, type Random } from '../../../lambdas/shared/ports';
import { portsOver } from '../../../lambdas/token-refresh/compose';
import { CountingMetrics } from '../lambdas/counting-metrics';
import { clientOf, type Send } from '../aws/simulated-secrets-manager';

export interface Outside {
  clock: Clock;
  random: Random;
  send: Send;
  sendRequest: typeof sendHttps;
}

export const SILENT: Log = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** What the ports of a function are made over. */
export function outsideOf({ send, ...outside }: Outside, deployment: DeploymentFile) {
  return { ...outside, deployment, secretsManager: clientOf(send), log: SILENT };
}

/** A new process of the token functions, with empty caches. */
export function startProcess(outside: Outside, deployment: DeploymentFile) {
  return portsOver({ ...outsideOf(outside, deployment), metrics: new CountingMetrics() });
}
