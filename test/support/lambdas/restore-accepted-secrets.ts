import { type TenantKey } from '../../../core/tokens/token-key';
import { type AcceptedSecret } from '../../../core/secrets/accepted-secret';
import { type StoreError } from '../../../core/secrets/store-error';
import { type AcceptedSecrets } from '../../../lambdas/shared/ports';

export class AcceptedInMemory implements AcceptedSecrets {
  readonly keys = new Map<string, AcceptedSecret[]>();
  readonly tokens = new Map<string, AcceptedSecret[]>();
  readonly calls: string[] = [];
  failure: StoreError | undefined;

  apiKeys(tenant: TenantKey): Promise<AcceptedSecret[]> {
    return this.#lookUp('apiKeys', this.keys, tenant);
  }

  contentTokens(tenant: TenantKey): Promise<AcceptedSecret[]> {
    return this.#lookUp('contentTokens', this.tokens, tenant);
  }

  async #lookUp(
    name: keyof AcceptedSecrets,
    loaded: Map<string, AcceptedSecret[]>,
    { environment, platformRegion, tenantId }: TenantKey,
  ): Promise<AcceptedSecret[]> {
    this.calls.push(`${name} ${environment} ${platformRegion} ${tenantId}`);
    if (this.failure !== undefined) throw this.failure;
    return loaded.get(tenantId) ?? [];
  }
}
