import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { format } from 'prettier';
import { controlDocument } from '../../platform/sandbox/openapi/control-document';
import { type OpenApiDocument } from '../../platform/sandbox/openapi/openapi-document';
import { interfaceDocument } from '../../platform/sandbox/openapi/interface-document';

/** Writes both documents into docs/; a test keeps them equal to the code. */
const docs = join(__dirname, '../../docs');

async function write(document: OpenApiDocument, name: string): Promise<void> {
  const text = await format(JSON.stringify(document), { parser: 'json', printWidth: 110 });
  writeFileSync(join(docs, name), text);
}

void Promise.all([
  write(interfaceDocument(), 'platform-openapi.json'),
  write(controlDocument(), 'sandbox-control-openapi.json'),
]);
