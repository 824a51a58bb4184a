import { type DeploymentFile } from '../../../core/deployment/deployment-file';
import { type TokenType } from '../../../core/deployment/platform';
import { credentialSecretName, tokenSecretName } from '../../../core/secrets/secret-names';
import { type TokenKey } from '../../../core/tokens/public-keys';
import { tenantKeyOf, tokenKeyOf } from '../../../core/tokens/token-key';
import { deploymentOf, MINUTE_MS } from '../../support/lambdas/token-functions';
import { VirtualClock } from '../../support/lambdas/virtual-clock';
import { type Conditions, Disturbances } from './disturbances';
import { SeededRandom } from './seeded-random';
import { SimulatedPlatform } from './simulated-platform';
import { SimulatedSecretsManager } from '../../support/aws/simulated-secrets-manager';
import { type Outside } from './token-process';

export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** The parameters of a simulation. Times between events are means; 0 disables the events. */
export interface Simulation extends Conditions {
  days: number;
  tenants: number;
  seed: number;
  /** Between rotations of one tenant's credentials. */
  betweenRotationsMs: number;
  /** Between tokens that are refused to a service. */
  betweenRefusalsMs: number;
  /** Share of the sweeps that are late, and share of those that run twice. */
  irregularSweeps: number;
}

/** One deployment with its tenants, and everything outside its processes, on one clock. */
export class SimulatedWorld {
  readonly simulation: Simulation;
  readonly clock = new VirtualClock();
  readonly secrets = new SimulatedSecretsManager(this.clock);
  readonly platform = new SimulatedPlatform(this.clock);
  readonly startMs = this.clock.nowMs();
  readonly endMs: number;
  readonly random: SeededRandom;
  readonly deployment: DeploymentFile;
  /** Every declared token. */
  readonly keys: readonly TokenKey[];
  readonly disturbances: Disturbances;
  readonly outside: Outside;

  private constructor(simulation: Simulation) {
    this.simulation = simulation;
    this.endMs = this.startMs + simulation.days * DAY_MS;
    this.random = new SeededRandom(simulation.seed);
    this.deployment = deploymentFor(simulation.tenants);
    this.keys = this.deployment.tenants.flatMap(({ tenantId, tokens }) =>
      tokens.map((target) => tokenKeyOf(tenantKeyOf(this.deployment, tenantId), target) as TokenKey),
    );
    this.disturbances = new Disturbances(simulation, this.clock, this.random, this.endMs);
    this.outside = {
      clock: this.clock,
      random: this.random.next,
      send: this.disturbances.disturbSend(this.secrets.send),
      sendRequest: this.disturbances.disturbRequests(this.platform.sendRequest),
    };
  }

  /** A world in which every credential is loaded, but no token. */
  static async create(simulation: Simulation): Promise<SimulatedWorld> {
    const world = new SimulatedWorld(simulation);
    for (const key of world.keys) world.secrets.create(world.tokenSecret(key));
    for (const { tenantId } of world.deployment.tenants) {
      world.secrets.create(world.#credentialSecret(tenantId));
      world.#loadCredential(tenantId, 0);
    }
    return world;
  }

  tokenSecret(key: TokenKey): string {
    return tokenSecretName(this.deployment.prefix, key);
  }

  /** Lets time pass; false once the simulation ends. */
  async wait(ms: number): Promise<boolean> {
    if (this.clock.nowMs() + ms >= this.endMs) return false;
    await this.clock.sleep(ms);
    return true;
  }

  /** Rotates a tenant's credential now and then, as an operator. */
  async rotateCredentials(tenantId: string): Promise<void> {
    const { betweenRotationsMs } = this.simulation;
    if (betweenRotationsMs === 0) return;
    for (let number = 1; await this.wait(this.random.untilNext(betweenRotationsMs)); number += 1) {
      this.#loadCredential(tenantId, number);
    }
  }

  /** The previous credential stays valid, as on the platform. */
  #loadCredential(tenantId: string, number: number): void {
    const clientSecret = `secret ${number} of ${tenantId}`;
    this.platform.accept(tenantId, clientSecret);
    const value = JSON.stringify({ clientId: tenantId, clientSecret });
    this.secrets.put(this.#credentialSecret(tenantId), value);
  }

  #credentialSecret(tenantId: string): string {
    const { deployment } = this;
    return credentialSecretName(deployment.prefix, tenantKeyOf(deployment, tenantId), 'client-credentials');
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
