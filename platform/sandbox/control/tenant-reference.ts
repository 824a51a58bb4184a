import { z } from 'zod';
import { deploymentKeySchema } from '../deployment-key';

/** How control requests name a tenant. */
export const tenantReferenceSchema = deploymentKeySchema.extend({ tenantId: z.string() });
