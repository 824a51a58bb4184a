import { type CredentialKind } from '../../../core/secrets/secret-names';
import { CredentialPlatform, type Platform, type Reply, type Turn } from '../platform/credential-platform';
import { ScriptedPlatform } from '../lambdas/restore-functions';

/** The platform with all tenants: token endpoints, API keys, and content. */
export class LivePlatform implements Platform {
  readonly content = new ScriptedPlatform();
  readonly #issued: { tenantId: string; value: string }[] = [];
  readonly #tenants: ReadonlyMap<string, CredentialPlatform>;

  constructor(tenantIds: readonly string[], nowMs: () => number) {
    this.#tenants = new Map(tenantIds.map((tenantId) => [tenantId, new CredentialPlatform(tenantId, nowMs)]));
  }

  tenant(tenantId: string): CredentialPlatform {
    return this.#tenants.get(tenantId)!;
  }

  /** Handles every authorized request for a token or with an API key from now on; undefined ends that. */
  setTrouble(trouble: Turn | undefined, tenantIds: readonly string[] = [...this.#tenants.keys()]): void {
    for (const tenantId of tenantIds) this.tenant(tenantId).trouble = trouble;
  }

  issueValue(tenantId: string, kind: CredentialKind): string {
    const value = this.tenant(tenantId).issueValue(kind);
    this.#issued.push({ tenantId, value });
    return value;
  }

  /** Refuses all credentials that a tenant has now. */
  revokeAll(tenantId: string): void {
    for (const issued of this.#issued) {
      if (issued.tenantId === tenantId) this.tenant(tenantId).revoke(issued.value);
    }
  }

  reply(path: string, body: string, headers: Readonly<Record<string, unknown>>): Reply {
    // An administrator's session names no tenant. All faults here are of the first one.
    if (path === '/tenants') return this.tenant('tenant-1').reply(path, body, headers);
    const [, user] = /^Basic (.+)$/.exec(String(headers.authorization)) ?? [];
    const tenantId =
      user === undefined ? path.split('/').at(-1)! : Buffer.from(user, 'base64').toString().split(':')[0]!;
    return this.tenant(tenantId).reply(path, body, headers);
  }
}
