import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { type RESTORE_PATH, type RestoreAuth } from '../../../core/restore/restore-operation';

type JsonSchema = Readonly<Record<string, unknown>>;

interface Content {
  schema: JsonSchema;
  examples: Record<string, { value: unknown }>;
}

export interface DocumentedResponse {
  description: string;
  headers: Record<string, { schema: JsonSchema; required: boolean }>;
  content: Record<string, Content>;
}

/** The parts of the restore API's OpenAPI documents that tests read. */
export interface RestoreDocument {
  security: Record<string, string[]>[];
  paths: Record<
    typeof RESTORE_PATH,
    {
      post: {
        parameters: { name: string; schema: JsonSchema }[];
        requestBody: { description: string };
        responses: Record<string, DocumentedResponse>;
      };
    }
  >;
  components: { schemas: Record<string, JsonSchema> };
}

const FILES: Readonly<Record<RestoreAuth, string>> = { platform: 'openapi.json', iam: 'openapi-iam.json' };

/** The published document of a way to authenticate, as it is written in `docs/`. */
export function restoreDocument(auth: RestoreAuth): RestoreDocument {
  const file = join(__dirname, '../../../docs', FILES[auth]);
  return JSON.parse(readFileSync(file, 'utf8')) as RestoreDocument;
}
