import { type DeploymentFile } from '../../../core/deployment/deployment-file';
import { deploymentPath } from '../../../core/secrets/secret-names';
import { type Configured, TENANT_IDS } from '../../support/live/configured';
import { LiveAccount } from '../../support/live/live-account';
import { Traffic } from './traffic';

const MINUTE_MS = 60_000;
/** Long enough for two sweeps, and for an alarm that evaluates three periods. */
const AFTERWARDS_MS = 12 * MINUTE_MS;

/** What a life cycle has done to its callers and secrets. */
interface Outcome {
  failed: string[];
  /** Names of secrets that are gone, were replaced, or have lost their value. */
  lost: string[];
  alarms: string[];
}

export const UNNOTICED: Outcome = { failed: [], lost: [], alarms: [] };

/** A deployment that changes while it has callers. */
export class Life {
  readonly live: LiveAccount;
  readonly traffic: Traffic;
  /** What was stored before the first change. */
  readonly #before: ReturnType<LiveAccount['stored']>;

  private constructor(live: LiveAccount, traffic: Traffic) {
    this.live = live;
    this.traffic = traffic;
    const own = Object.entries(live.stored()).filter(([name]) => name.startsWith(`${traffic.path}/`));
    this.#before = Object.fromEntries(own);
  }

  /** Deploys for the first time, loads all credentials, and lets callers of the first deployment in. */
  static async begin(first: Configured): Promise<Life> {
    const tenantIds = first.deployments.flatMap(({ tenants }) => tenants.map(({ tenantId }) => tenantId));
    const live = new LiveAccount([...TENANT_IDS, ...tenantIds]);
    await live.deploy(first);
    return Life.of(live, first.deployments[0]!);
  }

  /** Loads the credentials of a deployment that exists, and lets its callers in. */
  static async of(live: LiveAccount, deployment: DeploymentFile): Promise<Life> {
    return new Life(live, await Traffic.begin(live, deployment));
  }

  /** Deploys a change. Callers stop using what it removes before it, and use what it adds once that is there. */
  async deploy(next: Configured): Promise<void> {
    const deployment = next.deployments.find(
      (each) => deploymentPath(each.prefix, each) === this.traffic.path,
    )!;
    this.traffic.useOnly(deployment);
    await this.live.deploy(next);
    await this.traffic.use(deployment);
  }

  /** Waits until the last change has had its effects, and ends. */
  async outcome(): Promise<Outcome> {
    const { live, traffic } = this;
    await live.time.advance(AFTERWARDS_MS);
    await traffic.end();
    return { failed: traffic.failed, lost: this.#lost(), alarms: live.notified };
  }

  #lost(): string[] {
    const after = this.live.stored();
    return Object.entries(this.#before).flatMap(([name, { arn, values }]) => {
      const now = after[name];
      const isToken = name.includes('/token/');
      const isKept = isToken || now?.values.AWSCURRENT === values.AWSCURRENT;
      return now?.arn === arn && now.values.AWSCURRENT && isKept ? [] : [name];
    });
  }
}
