import { z } from 'zod';

import { configurationSchema } from './schema';

/** The configuration's JSON Schema (draft 2020-12), as published in `config/latchkey.schema.json`. */
export function configurationJsonSchema(): string {
  return `${JSON.stringify(z.toJSONSchema(configurationSchema, { io: 'input' }), null, 2)}\n`;
}
