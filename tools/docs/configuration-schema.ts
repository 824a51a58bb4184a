import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { configurationJsonSchema } from '../../lib/config/configuration-json-schema';

/** Writes the JSON Schema that editors use; a test keeps it equal to the schema in code. */
writeFileSync(join(__dirname, '../../config/latchkey.schema.json'), configurationJsonSchema());
