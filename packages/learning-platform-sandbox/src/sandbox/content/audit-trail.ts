import { z } from 'zod';
import { deploymentKeySchema } from '../deployment-key';
import { CONTENT_OPERATIONS } from '../operations';
import { timeSchema } from '../openapi/parts';

export const changeSchema = deploymentKeySchema.extend({
  at: timeSchema,
  tenantId: z.string(),
  contentId: z.string(),
  operation: z.enum(CONTENT_OPERATIONS).exclude(['list', 'get']),
  actingUser: z.string().describe('The author reference, or "system account".'),
  owner: z.string().describe('The author or collaboration that owns the content after the change.'),
});
export type Change = Readonly<z.output<typeof changeSchema>>;

/**
 * The acting user of a change whose request names only a collaboration.
 * @see platform specification, "Acting-user object", rule 2
 */
export const SYSTEM_ACCOUNT = 'system account';
