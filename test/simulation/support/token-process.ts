import { type DeploymentFile } from '../../../core/deployment/deployment-file';
import { PlatformTokenIssuer } from '../../../lambdas/shared/adapters/platform-token-issuer';
import { SecretsManagerCredentialStore } from '../../../lambdas/shared/adapters/secrets-manager-credential-store';
import { SecretsManagerTokenStore } from '../../../lambdas/shared/adapters/secrets-manager-token-store';
import { type Clock, type Log, type Random } from '../../../lambdas/shared/ports';
import { RefreshMemory } from '../../../lambdas/token-refresh/refresh-memory';
import { type RefreshTokenPorts } from '../../../lambdas/token-refresh/refresh-token';
import { CountingMetrics } from '../../support/lambdas/counting-metrics';
import { type SendRequest } from './simulated-platform';
import { clientOf, type Send } from '../../support/aws/simulated-secrets-manager';

/** A process's access to the outside. */
export interface Outside {
  clock: Clock;
  random: Random;
  send: Send;
  sendRequest: SendRequest;
}

const SILENT: Log = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** A new process of the token functions, with real adapters and empty caches. */
export function startProcess(
  { clock, random, send, sendRequest }: Outside,
  deployment: DeploymentFile,
): RefreshTokenPorts & { log: Log } {
  const client = clientOf(send);
  return {
    platform: deployment.platform,
    tokens: new SecretsManagerTokenStore(client, deployment.prefix),
    credentials: new SecretsManagerCredentialStore(client, deployment),
    issuer: new PlatformTokenIssuer(clock, sendRequest),
    clock,
    random,
    memory: new RefreshMemory(),
    log: SILENT,
    metrics: new CountingMetrics(),
  };
}
