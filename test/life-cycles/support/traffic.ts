import { createTokenSource } from '../../../client';
import { type DeploymentFile } from '../../../contract/deployment-file';
import { parameterName } from '../../../contract/parameter-names';
import { type TenantKey, type TokenKey } from '../../../contract/token-key';
import { lambdaOf } from '../../simulation/support/replay/programs';
import { clientOf } from '../../support/aws/simulated-secrets-manager';
import { apiKeyIn, type LiveAccount } from './live-account';

const EVERY_MS = 5_000;
const MINUTE_MS = 60_000;

type GetToken = (key: TokenKey) => Promise<unknown>;

/**
 * Callers of a deployment, every 5 s: a program that begins anew and one that has run since the beginning get each token
 * from the client library, and each tenant has content restored through the API.
 */
export class Traffic {
  reads = 0;
  restores = 0;
  /** What went wrong, with its time. */
  readonly failed: string[] = [];
  readonly #live: LiveAccount;
  readonly #deployment: DeploymentFile;
  readonly #apiKeys = new Map<string, string>();
  readonly #programs: GetToken[];
  /** Tenants without callers. */
  readonly #quiet = new Set<string>();
  #isOver = false;

  private constructor(live: LiveAccount, deployment: DeploymentFile) {
    this.#live = live;
    this.#deployment = deployment;
    const longRunning = this.#newProgram();
    this.#programs = [(key) => this.#newProgram()(key), longRunning];
  }

  /** Loads the credentials of a deployment's tenants, waits for the first sweep, and starts. */
  static async begin(live: LiveAccount, deployment: DeploymentFile): Promise<Traffic> {
    const traffic = new Traffic(live, deployment);
    await traffic.join(deployment.tenants.map(({ tenantId }) => tenantId));
    void traffic.#run();
    return traffic;
  }

  /** Loads the credentials of tenants; then they have callers. */
  async join(tenantIds: readonly string[]): Promise<void> {
    const { prefix } = this.#deployment;
    for (const tenantId of tenantIds) {
      const tenant = this.#tenant(tenantId);
      this.#live.load(prefix, tenant, 'client-credentials');
      this.#apiKeys.set(tenantId, apiKeyIn(this.#live.load(prefix, tenant, 'api-key')));
    }
    await this.#live.time.advance(6 * MINUTE_MS);
    for (const tenantId of tenantIds) this.#quiet.delete(tenantId);
  }

  /** Ends the callers of a tenant. */
  leave(tenantId: string): void {
    this.#quiet.add(tenantId);
  }

  async end(): Promise<void> {
    this.#isOver = true;
    await this.#live.time.advance(MINUTE_MS);
  }

  #tenant(tenantId: string): TenantKey {
    const { environment, platformRegion } = this.#deployment;
    return { environment, platformRegion, tenantId };
  }

  #parameter(leaf: 'token-refresh-arn' | 'restore-api-url'): string {
    const name = parameterName(this.#deployment.prefix, this.#deployment, leaf);
    return this.#live.account.parameters.get(name)!.value;
  }

  #newProgram(): GetToken {
    const { outside, invoker } = this.#live;
    const source = createTokenSource({
      ...{ prefix: this.#deployment.prefix, tokenRefresh: this.#parameter('token-refresh-arn') },
      ...{ random: outside.random, clock: outside.clock },
      secretsManager: clientOf(outside.send),
      lambda: lambdaOf(invoker),
    });
    return (key) => source.getToken(key);
  }

  async #run(): Promise<void> {
    const { time } = this.#live;
    while (!this.#isOver) {
      for (const { tenantId, tokens } of this.#deployment.tenants) {
        if (this.#quiet.has(tenantId)) continue;
        for (const tokenType of tokens) void this.#read({ ...this.#tenant(tenantId), ...tokenType });
        void this.#restore(tenantId);
      }
      await time.sleep(EVERY_MS);
    }
  }

  async #read(key: TokenKey): Promise<void> {
    for (const getToken of this.#programs) {
      this.reads += 1;
      await getToken(key).catch((error: Error) =>
        this.#fail(`read ${JSON.stringify(key)}: ${String(error)}`),
      );
    }
  }

  async #restore(tenantId: string): Promise<void> {
    this.restores += 1;
    const url = this.#parameter('restore-api-url');
    const status = await this.#live.restore({ url, tenantId, apiKey: this.#apiKeys.get(tenantId)! });
    if (status !== 200) this.#fail(`restore for ${tenantId}: ${status}`);
  }

  #fail(what: string): void {
    this.failed.push(`${new Date(this.#live.time.nowMs()).toISOString()} ${what}`);
  }
}
