import { type DeploymentFile } from '../../../core/deployment/deployment-file';
import { type TokenType } from '../../../core/deployment/platform';
import { CREDENTIAL_KINDS, credentialSecretName, tokenSecretName } from '../../../core/secrets/secret-names';
import { tenantKeyOf } from '../../../core/tokens/token-key';
import { SimulatedSecretsManager } from '../../support/aws/simulated-secrets-manager';
import { deploymentOf, MINUTE_MS } from '../../support/lambdas/token-functions';
import { VirtualClock } from '../../support/lambdas/virtual-clock';
import { LivePlatform } from '../../support/live/live-platform';
import { SeededRandom } from '../../support/live/seeded-random';
import { type Outside } from '../../support/live/token-process';
import { virtualTransport } from '../../support/platform/virtual-transport';

export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** Time of each call. */
const SECRETS_MANAGER_MS = 20;
const PLATFORM_MS = 200;

const CONTENT: TokenType[] = [
  { interface: 'content', scope: 'api/read' },
  { interface: 'content', scope: 'api/write' },
];
const WEBHOOKS: TokenType = { interface: 'webhooks', scope: 'api/webhooks' };

/** A deployment with loaded credentials on a day without faults. Every other tenant has a third token. */
export class QuietDay {
  readonly clock = new VirtualClock();
  readonly secrets = new SimulatedSecretsManager(this.clock);
  readonly startMs = this.clock.nowMs();
  readonly deployment: DeploymentFile;
  readonly outside: Outside;

  constructor(tenantCount: number) {
    const { clock, secrets } = this;
    const tenantIds = Array.from({ length: tenantCount }, (_, index) => `tenant-${index + 1}`);
    const platform = new LivePlatform(tenantIds, () => clock.nowMs());
    this.deployment = deploymentOf(tenantIds, {
      platform: {
        contentTokenBaseUrl: 'https://platform.example/content',
        webhooksTokenBaseUrl: 'https://platform.example/webhooks',
      },
      tenants: tenantIds.map((tenantId, index) => ({
        tenantId,
        tokens: index % 2 === 0 ? CONTENT : [...CONTENT, WEBHOOKS],
        adopted: {},
      })),
    });
    this.outside = {
      clock,
      random: new SeededRandom(1).next,
      send: async (command) => {
        await clock.sleep(SECRETS_MANAGER_MS);
        return secrets.send(command);
      },
      sendRequest: virtualTransport(platform, clock, PLATFORM_MS),
    };
    const { prefix, tenants } = this.deployment;
    for (const { tenantId, tokens } of tenants) {
      const tenantKey = tenantKeyOf(this.deployment, tenantId);
      for (const token of tokens) secrets.create(tokenSecretName(prefix, { ...tenantKey, ...token }));
      for (const kind of CREDENTIAL_KINDS) {
        const { name } = secrets.create(credentialSecretName(prefix, tenantKey, kind));
        secrets.put(name, platform.issueValue(tenantId, kind));
      }
    }
  }

  /** Lets time pass; false once the day ends. */
  async wait(ms: number): Promise<boolean> {
    if (this.clock.nowMs() + ms >= this.startMs + DAY_MS) return false;
    await this.clock.sleep(ms);
    return true;
  }
}
