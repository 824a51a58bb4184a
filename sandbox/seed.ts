import { z } from 'zod';
import { parseInput } from './validation';

/** The cell that a request or a tenant belongs to. */
export const cellSchema = z.strictObject({
  environment: z.enum(['staging', 'production']),
  platformRegion: z.enum(['global', 'mea']),
});
/** One environment in one platform region. */
export type Cell = z.output<typeof cellSchema>;
/** Which interface a token or a token request is for. */
export type Interface = 'content' | 'webhooks';

const seedSchema = z
  .strictObject({
    cells: z
      .array(
        cellSchema.extend({
          tenants: z.array(z.strictObject({ tenantId: z.string().regex(/^[A-Za-z0-9_-]{1,128}$/) })).min(1),
        }),
      )
      .min(1),
    restoreAvailable: z.boolean().default(true),
    actingUserIn: z.enum(['body', 'header']).default('body'),
  })
  .superRefine(({ cells }, context) => {
    const seen = new Set<string>();
    const refuseTwice = (key: string, path: PropertyKey[], message: string) => {
      if (seen.has(key)) context.addIssue({ code: 'custom', path, message });
      seen.add(key);
    };
    cells.forEach((cell, c) => {
      refuseTwice(`cell ${cellName(cell)}`, ['cells', c], 'each cell is listed once');
      cell.tenants.forEach(({ tenantId }, t) => {
        const path = ['cells', c, 'tenants', t, 'tenantId'];
        refuseTwice(`tenant ${tenantId}`, path, 'a tenant identifier belongs to one cell, once');
      });
    });
  });

/** What the platform starts with: cells, their tenants, and the parts of the interface that are provisional. */
export type Seed = z.output<typeof seedSchema>;

/** One tenant per cell: what a sandbox that is started by hand serves without a seed file. */
export const DEFAULT_SEED = {
  cells: [
    { environment: 'staging', platformRegion: 'global', tenants: [{ tenantId: 'eu-west-2_StagingGl' }] },
    { environment: 'staging', platformRegion: 'mea', tenants: [{ tenantId: 'me-south-1_StagingMe' }] },
    { environment: 'production', platformRegion: 'global', tenants: [{ tenantId: 'eu-west-2_LiveGloba' }] },
    { environment: 'production', platformRegion: 'mea', tenants: [{ tenantId: 'me-south-1_LiveMeaAb' }] },
  ],
};

/**
 * Reads a seed.
 *
 * The tenant identifier differs between live and staging, so an identifier may be used in one cell only.
 * @throws {InvalidInputError} with all faults of the seed.
 * @see platform specification, "HTTP Basic authentication"
 */
export function parseSeed(input: unknown): Seed {
  return parseInput(seedSchema, input);
}

/** `staging/mea`: how a cell is named in paths and messages. */
export function cellName({ environment, platformRegion }: Cell): string {
  return `${environment}/${platformRegion}`;
}
