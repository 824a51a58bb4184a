import { type Content, type LifecycleStatus } from './content/records';
import { seededContent, seededContents, seededIds } from './content/seeded-contents';
import { type Cell, cellName, type Seed } from './seed';
import { InvalidInputError, issueLine } from './validation';

/** One customer of the platform in one cell. */
export interface Tenant extends Cell {
  readonly tenantId: string;
  readonly authorRefs: readonly string[];
  readonly collaborationIds: readonly string[];
  contents: Map<string, Content>;
}

/** The tenants of the seed with their contents. */
export class Tenants {
  readonly #byName = new Map<string, Tenant>();

  constructor(seed: Seed) {
    for (const { environment, platformRegion, tenants } of seed.cells) {
      for (const { tenantId } of tenants) {
        const cell = { environment, platformRegion };
        this.#byName.set(tenantName(cell, tenantId), seededTenant(cell, tenantId));
      }
    }
  }

  all(): readonly Tenant[] {
    return [...this.#byName.values()];
  }

  find(cell: Cell, tenantId: string): Tenant | undefined {
    return this.#byName.get(tenantName(cell, tenantId));
  }

  /** @throws {InvalidInputError} naming the tenants of the cell, when it has no such tenant */
  require(cell: Cell, tenantId: string): Tenant {
    const tenant = this.find(cell, tenantId);
    if (tenant) return tenant;
    const known = this.all().filter((other) => cellName(other) === cellName(cell));
    const names = known.map((other) => other.tenantId).join(', ') || 'none';
    throw new InvalidInputError([
      issueLine(['tenantId'], tenantId, `tenants of ${cellName(cell)}: ${names}`),
    ]);
  }

  /** Gives a tenant more contents in one state, and their ids. They are gone with the next reset. */
  addContents(tenant: Tenant, status: LifecycleStatus, count: number): string[] {
    const id = seededIds(tenant, tenant.tenantId);
    const first = tenant.contents.size;
    return Array.from({ length: count }, (_, n) => {
      const content = seededContent(id, tenant.authorRefs[0]!, first + n, status);
      tenant.contents.set(content.id, content);
      return content.id;
    });
  }

  /** Puts every content back as it was seeded. */
  resetContents(): void {
    for (const tenant of this.all()) tenant.contents = seededTenant(tenant, tenant.tenantId).contents;
  }
}

function tenantName(cell: Cell, tenantId: string): string {
  return `${cellName(cell)}/${tenantId}`;
}

function seededTenant({ environment, platformRegion }: Cell, tenantId: string): Tenant {
  const id = seededIds({ environment, platformRegion }, tenantId);
  const firstAuthor = id('author', 0);
  return {
    environment,
    platformRegion,
    tenantId,
    authorRefs: [firstAuthor, id('author', 1)],
    collaborationIds: [id('collaboration', 0), id('collaboration', 1)],
    contents: seededContents(id, firstAuthor),
  };
}
