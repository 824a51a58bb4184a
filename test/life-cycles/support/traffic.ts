import { createTokenSource } from '../../../client';
import { adoptedSecret, type DeploymentFile } from '../../../core/deployment/deployment-file';
import { parameterName } from '../../../core/deployment/parameter-names';
import {
  CREDENTIAL_KINDS,
  type CredentialKind,
  credentialSecretName,
  deploymentPath,
} from '../../../core/secrets/secret-names';
import { type TenantKey, type TokenKey } from '../../../core/tokens/published-keys';
import { isSameTokenType, tenantKeyOf, tokenKeyOf } from '../../../core/tokens/token-key';
import { lambdaOf } from '../../support/live/programs';
import { clientOf } from '../../support/aws/simulated-secrets-manager';
import { type LiveAccount } from '../../support/live/live-account';

const EVERY_MS = 5_000;
const MINUTE_MS = 60_000;

type GetToken = (key: TokenKey) => Promise<unknown>;

/**
 * Callers of a deployment, every 5 s: a program that begins anew and one that has run since the beginning get each token
 * from the client library, and each tenant has content restored through the API.
 */
export class Traffic {
  /** What went wrong, with its time. */
  readonly failed: string[] = [];
  readonly #live: LiveAccount;
  /** The tenants and tokens that callers use. */
  #used: DeploymentFile;
  readonly #apiKeys = new Map<string, string>();
  readonly #programs: GetToken[];
  #isOver = false;

  private constructor(live: LiveAccount, deployment: DeploymentFile) {
    this.#live = live;
    this.#used = { ...deployment, tenants: [] };
    const longRunning = this.#newProgram();
    this.#programs = [(key) => this.#newProgram()(key), longRunning];
  }

  /** Callers of everything in a deployment. */
  static async begin(live: LiveAccount, deployment: DeploymentFile): Promise<Traffic> {
    const traffic = new Traffic(live, deployment);
    await traffic.use(deployment);
    void traffic.#run();
    return traffic;
  }

  /** The start of the deployment's secret names. */
  get path(): string {
    return deploymentPath(this.#used.prefix, this.#used);
  }

  /** Loads the credentials that are missing, waits for a sweep, and lets callers use everything in the deployment. */
  async use(deployment: DeploymentFile): Promise<void> {
    for (const { tenantId } of deployment.tenants) {
      const [, apiKey] = CREDENTIAL_KINDS.map((kind) => this.#loaded(deployment, tenantId, kind));
      this.#apiKeys.set(tenantId, (JSON.parse(apiKey!) as { apiKey: string }).apiKey);
    }
    await this.#live.time.advance(6 * MINUTE_MS);
    this.#used = deployment;
  }

  /** Lets callers use only what is in this deployment, too. */
  useOnly(deployment: DeploymentFile): void {
    const tenants = this.#used.tenants.flatMap((tenant) => {
      const kept = deployment.tenants.find(({ tenantId }) => tenantId === tenant.tenantId);
      const tokens = tenant.tokens.filter((type) =>
        kept?.tokens.some((other) => isSameTokenType(type, other)),
      );
      return kept ? [{ ...tenant, tokens }] : [];
    });
    this.#used = { ...this.#used, tenants };
  }

  async end(): Promise<void> {
    this.#isOver = true;
    await this.#live.time.advance(MINUTE_MS);
  }

  #tenant(tenantId: string): TenantKey {
    return tenantKeyOf(this.#used, tenantId) as TenantKey;
  }

  /** The value of a credential, which is issued and loaded if there is none. */
  #loaded(deployment: DeploymentFile, tenantId: string, kind: CredentialKind): string {
    const { secrets, platform } = this.#live;
    const tenant = this.#tenant(tenantId);
    const name =
      adoptedSecret(deployment, tenant, kind)?.arn ?? credentialSecretName(deployment.prefix, tenant, kind);
    const current = () => secrets.versionWith(name, 'AWSCURRENT')?.secretString;
    if (current() === undefined) secrets.put(name, platform.issueValue(tenantId, kind));
    return current()!;
  }

  #parameter(leaf: 'token-refresh-arn' | 'restore-api-url'): string {
    const name = parameterName(this.#used.prefix, this.#used, leaf);
    return this.#live.account.parameters.get(name)!.value;
  }

  #newProgram(): GetToken {
    const { outside, functions } = this.#live;
    const source = createTokenSource({
      prefix: this.#used.prefix,
      tokenRefresh: this.#parameter('token-refresh-arn'),
      random: outside.random,
      clock: outside.clock,
      secretsManager: clientOf(outside.send),
      lambda: lambdaOf(functions),
    });
    return (key) => source.getToken(key);
  }

  async #run(): Promise<void> {
    const { time } = this.#live;
    while (!this.#isOver) {
      for (const { tenantId, tokens } of this.#used.tenants) {
        for (const tokenType of tokens)
          void this.#read(tokenKeyOf(this.#tenant(tenantId), tokenType) as TokenKey);
        void this.#restore(tenantId);
      }
      await time.sleep(EVERY_MS);
    }
  }

  async #read(key: TokenKey): Promise<void> {
    for (const getToken of this.#programs) {
      await getToken(key).catch((error) => this.#fail(`read ${JSON.stringify(key)}: ${String(error)}`));
    }
  }

  async #restore(tenantId: string): Promise<void> {
    const url = this.#parameter('restore-api-url');
    const status = await this.#live.restore({ url, tenantId, apiKey: this.#apiKeys.get(tenantId)! });
    if (status !== 200) this.#fail(`restore for ${tenantId}: ${status}`);
  }

  #fail(what: string): void {
    this.failed.push(`${new Date(this.#live.time.nowMs()).toISOString()} ${what}`);
  }
}
