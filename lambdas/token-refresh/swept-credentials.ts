import { type TenantKey } from '../../core/tokens/token-key';
import {
  type ClientCredentials,
  type Clock,
  type CredentialStore,
  type FormerCredentials,
} from '../shared/ports';
import { NO_VERSION, type RefreshMemory } from './refresh-memory';

/** As long as a single renewal takes at most. */
const SHARED_MS = 10_000;

interface SharedRead {
  /** By the monotonic clock. */
  untilMs: number;
  credentials: Promise<ClientCredentials>;
}

/**
 * The credentials of one sweep. A tenant's tokens that are renewed within ten seconds share one read. Each read also tells
 * {@link RefreshMemory} which version is current.
 */
export class SweptCredentials implements CredentialStore {
  private readonly store: CredentialStore;
  private readonly clock: Clock;
  private readonly memory: RefreshMemory;
  /** By tenant id, oldest first. */
  private readonly reads = new Map<string, SharedRead>();

  constructor(store: CredentialStore, { clock, memory }: { clock: Clock; memory: RefreshMemory }) {
    this.store = store;
    this.clock = clock;
    this.memory = memory;
  }

  read(tenant: TenantKey, timeoutMs?: number): Promise<ClientCredentials> {
    const nowMs = this.clock.monotonicMs();
    for (const [tenantId, { untilMs }] of this.reads) {
      if (nowMs < untilMs) break;
      this.reads.delete(tenantId);
    }
    const shared = this.reads.get(tenant.tenantId);
    if (shared !== undefined) {
      return shared.credentials.then((credentials) => ({ ...credentials, isShared: true }));
    }
    const credentials = this.store.read(tenant, timeoutMs).then((read) => {
      this.memory.sawCredential(tenant.tenantId, read.versionId, this.clock.monotonicMs());
      return read;
    });
    this.reads.set(tenant.tenantId, { untilMs: nowMs + SHARED_MS, credentials });
    return credentials;
  }

  forget({ tenantId }: TenantKey): void {
    this.reads.delete(tenantId);
  }

  async currentVersionId(tenant: TenantKey, timeoutMs?: number): Promise<string | undefined> {
    const versionId = await this.store.currentVersionId(tenant, timeoutMs);
    this.memory.sawCredential(tenant.tenantId, versionId ?? NO_VERSION, this.clock.monotonicMs());
    return versionId;
  }

  former(tenant: TenantKey, versionId: string, timeoutMs?: number): Promise<FormerCredentials | undefined> {
    return this.store.former(tenant, versionId, timeoutMs);
  }
}
