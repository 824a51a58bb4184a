import { z } from 'zod';
import { cellSchema } from '../cell';

/** How control requests name a tenant. */
export const tenantReferenceSchema = cellSchema.extend({ tenantId: z.string() });
