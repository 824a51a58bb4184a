import { z } from 'zod';
import { countedSchema } from './counters';
import { faultEffectSchema } from './fault';
import { timeSchema } from './openapi/parts';

/** One request that was answered or whose connection was broken, without headers, query and body. */
export const recentSchema = countedSchema.extend({
  at: timeSchema,
  durationMs: z.int().min(0).describe('Real time until the answer was ready or the connection broken.'),
  tenantId: z.string().optional().describe('The tenant that the request names. It may not exist.'),
  fault: faultEffectSchema.optional().describe('The effect of the fault that was injected.'),
});
export type RecentRequest = Readonly<z.output<typeof recentSchema>>;
