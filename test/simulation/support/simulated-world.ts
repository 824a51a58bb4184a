import { type DeploymentFile } from '../../../core/deployment/deployment-file';
import { type TokenType } from '../../../core/deployment/platform';
import { credentialSecretName, tokenSecretName } from '../../../core/secrets/secret-names';
import { tenantKeyOf } from '../../../core/tokens/token-key';
import { deploymentOf, MINUTE_MS } from '../../support/lambdas/token-functions';
import { VirtualClock } from '../../support/lambdas/virtual-clock';
import { SeededRandom } from '../../support/live/seeded-random';
import { SimulatedPlatform } from './simulated-platform';
import { SimulatedSecretsManager } from '../../support/aws/simulated-secrets-manager';
import { type Outside } from '../../support/live/token-process';

export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** Time of each call. */
const SECRETS_MANAGER_MS = 20;
const PLATFORM_MS = 200;

/** A deployment with its loaded tenants on a day without faults, and everything outside its processes, on one clock. */
export class SimulatedWorld {
  readonly clock = new VirtualClock();
  readonly secrets = new SimulatedSecretsManager(this.clock);
  readonly startMs = this.clock.nowMs();
  readonly endMs = this.startMs + DAY_MS;
  readonly deployment: DeploymentFile;
  readonly outside: Outside;

  constructor(tenants: number) {
    const { clock, secrets } = this;
    const platform = new SimulatedPlatform(clock);
    this.deployment = deploymentFor(tenants);
    this.outside = {
      clock,
      random: new SeededRandom(1).next,
      send: async (command) => {
        await clock.sleep(SECRETS_MANAGER_MS);
        return secrets.send(command);
      },
      sendRequest: async (request) => {
        await clock.sleep(PLATFORM_MS);
        return platform.sendRequest(request);
      },
    };
    const { prefix } = this.deployment;
    for (const { tenantId, tokens } of this.deployment.tenants) {
      const tenantKey = tenantKeyOf(this.deployment, tenantId);
      for (const token of tokens) secrets.create(tokenSecretName(prefix, { ...tenantKey, ...token }));
      const clientSecret = `secret of ${tenantId}`;
      platform.accept(tenantId, clientSecret);
      const name = credentialSecretName(prefix, tenantKey, 'client-credentials');
      secrets.create(name);
      secrets.put(name, JSON.stringify({ clientId: tenantId, clientSecret }));
    }
  }

  /** Lets time pass; false once the day ends. */
  async wait(ms: number): Promise<boolean> {
    if (this.clock.nowMs() + ms >= this.endMs) return false;
    await this.clock.sleep(ms);
    return true;
  }
}

const CONTENT: TokenType[] = [
  { interface: 'content', scope: 'api/read' },
  { interface: 'content', scope: 'api/write' },
];
const WEBHOOKS: TokenType = { interface: 'webhooks', scope: 'api/webhooks' };

/** Tenants with two tokens; every other tenant has a third on the other interface. */
function deploymentFor(tenants: number): DeploymentFile {
  const deployment = deploymentOf(Array.from({ length: tenants }, (_, index) => `tenant-${index + 1}`));
  return {
    ...deployment,
    tenants: deployment.tenants.map((tenant, index) => ({
      ...tenant,
      tokens: index % 2 === 0 ? CONTENT : [...CONTENT, WEBHOOKS],
    })),
  };
}
