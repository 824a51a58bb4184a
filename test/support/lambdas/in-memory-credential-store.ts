import { type TenantKey } from '../../../contract/token-key';
import { type StoreError } from '../../../lambdas/shared/domain/store-error';
import { TokenError } from '../../../lambdas/shared/domain/token-errors';
import { type ClientCredentials, type CredentialStore } from '../../../lambdas/shared/ports';

/** Client credentials of tenants, loaded at will. */
export class InMemoryCredentialStore implements CredentialStore {
  /** Tenants whose value was read. */
  readonly reads: string[] = [];
  /** Tenants whose current version was asked for. */
  readonly looks: string[] = [];
  /** By tenant: how every call fails. */
  readonly faults = new Map<string, StoreError | TokenError>();
  /** By tenant: how asking for the current version alone fails. */
  readonly lookFaults = new Map<string, StoreError>();
  readonly #credentials = new Map<string, ClientCredentials>();

  /** Loads a credential; another one replaces it. */
  load(tenantId: string, versionId: string): void {
    this.#credentials.set(tenantId, {
      clientId: `id-of-${tenantId}`,
      clientSecret: `secret-of-${versionId}`,
      versionId,
    });
  }

  /** Loses a credential, as when its secret is replaced by an empty one. */
  unload(tenantId: string): void {
    this.#credentials.delete(tenantId);
  }

  async read({ tenantId }: TenantKey): Promise<ClientCredentials> {
    this.reads.push(tenantId);
    this.#throwFault(tenantId);
    const credentials = this.#credentials.get(tenantId);
    if (credentials === undefined)
      throw new TokenError('not_loaded', `run this to load those of ${tenantId}`);
    return credentials;
  }

  async currentVersionId({ tenantId }: TenantKey): Promise<string | undefined> {
    this.looks.push(tenantId);
    this.#throwFault(tenantId);
    const fault = this.lookFaults.get(tenantId);
    if (fault !== undefined) throw fault;
    return this.#credentials.get(tenantId)?.versionId;
  }

  #throwFault(tenantId: string): void {
    const fault = this.faults.get(tenantId);
    if (fault !== undefined) throw fault;
  }
}
