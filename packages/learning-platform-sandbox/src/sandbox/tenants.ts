import { type DeploymentKey, deploymentName } from './deployment-key';
import { Contents } from './content/contents';
import { contentFrom, DEFAULT_CONTENTS } from './content/seeded-contents';
import { type Seed, type SeedTenant } from './seed';
import { type SeedContent } from './seed-content';
import { type TakenNames } from './seed-rules';
import { seededReferences } from './seeded-ids';
import { InvalidInputError, issueLine } from './validation';

/** One customer of the platform in one deployment. */
export interface Tenant extends DeploymentKey {
  readonly tenantId: string;
  readonly authorRefs: readonly string[];
  readonly collaborationIds: readonly string[];
  contents: Contents;
}

/** The tenants of all deployments: those of the seed, and those added later. */
export class Tenants {
  readonly #byName = new Map<string, { readonly tenant: Tenant; readonly seed: SeedTenant }>();

  constructor(seed: Seed) {
    for (const { environment, platformRegion, tenants } of seed.deployments) {
      for (const tenant of tenants) this.add({ environment, platformRegion }, tenant);
    }
  }

  /** @param seed must not use any of {@link takenNames} */
  add(deploymentKey: DeploymentKey, seed: SeedTenant): Tenant {
    const tenant: Tenant = {
      ...deploymentKey,
      ...seededReferences(deploymentKey, seed.tenantId),
      ...(seed.authorRefs && { authorRefs: seed.authorRefs }),
      ...(seed.collaborationIds && { collaborationIds: seed.collaborationIds }),
      tenantId: seed.tenantId,
      contents: new Contents(),
    };
    tenant.contents = seededContents(tenant, seed);
    this.#byName.set(tenantName(deploymentKey, seed.tenantId), { tenant, seed });
    return tenant;
  }

  all(): readonly Tenant[] {
    return [...this.#byName.values()].map(({ tenant }) => tenant);
  }

  find(deploymentKey: DeploymentKey, tenantId: string): Tenant | undefined {
    return this.#byName.get(tenantName(deploymentKey, tenantId))?.tenant;
  }

  /** @throws {InvalidInputError} if the deployment has no such tenant; the message lists its tenants */
  require(deploymentKey: DeploymentKey, tenantId: string): Tenant {
    const tenant = this.find(deploymentKey, tenantId);
    if (tenant) return tenant;
    const known = this.all().filter((other) => deploymentName(other) === deploymentName(deploymentKey));
    const names = known.map((other) => other.tenantId).join(', ') || 'none';
    throw new InvalidInputError([
      issueLine(['tenantId'], tenantId, `tenants of ${deploymentName(deploymentKey)}: ${names}`),
    ]);
  }

  /** The tenant and content identifiers in use. */
  takenNames(): TakenNames {
    const tenants = this.all();
    const contents = tenants.flatMap((tenant) => tenant.contents.all());
    return {
      tenantIds: new Set(tenants.map(({ tenantId }) => tenantId)),
      contentIds: new Set(contents.map(({ id }) => id)),
    };
  }

  /** Adds `count` equal contents to a tenant until the next reset, and returns their ids. */
  addContents(tenant: Tenant, seed: SeedContent, count: number): string[] {
    const first = tenant.contents.added;
    return Array.from({ length: count }, (_, n) => {
      const content = contentFrom(seed, tenant, first + n);
      tenant.contents.put(content);
      return content.id;
    });
  }

  snapshot() {
    return {
      tenants: [...this.#byName.values()].map(({ tenant, seed }) => ({
        environment: tenant.environment,
        platformRegion: tenant.platformRegion,
        seed,
        contents: tenant.contents.snapshot(),
      })),
    };
  }

  restore({ tenants }: ReturnType<Tenants['snapshot']>): void {
    this.#byName.clear();
    for (const { environment, platformRegion, seed, contents } of tenants) {
      this.add({ environment, platformRegion }, seed).contents = Contents.restored(contents);
    }
  }

  /** Restores all contents to the seed. */
  resetContents(): void {
    for (const { tenant, seed } of this.#byName.values()) tenant.contents = seededContents(tenant, seed);
  }
}

function tenantName(deploymentKey: DeploymentKey, tenantId: string): string {
  return `${deploymentName(deploymentKey)}/${tenantId}`;
}

function seededContents(tenant: Tenant, { contents = DEFAULT_CONTENTS }: SeedTenant): Contents {
  return new Contents(contents.map((content, n) => contentFrom(content, tenant, n)));
}
