import { z } from 'zod';

/** The cell that a request or a tenant belongs to. */
export const cellSchema = z.strictObject({
  environment: z.enum(['staging', 'production']),
  platformRegion: z.enum(['global', 'mea']),
});
/** One environment in one platform region. @see platform specification, "Address placeholders" */
export type Cell = z.output<typeof cellSchema>;
/** Which interface a token or a token request is for. */
export type Interface = 'content' | 'webhooks';

/** `staging/mea`: how a cell is named in paths and messages. */
export function cellName({ environment, platformRegion }: Cell): string {
  return `${environment}/${platformRegion}`;
}
