import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { format } from 'prettier';

import { restoreOpenApi } from '../../contract/openapi/restore-openapi';
import { outcomeTable } from '../../contract/openapi/outcome-table';

/** Writes the restore API's description, and the table in its page; a test keeps both equal to the code. */
const docs = join(__dirname, '../../docs');

async function writeDocument(auth: 'platform' | 'iam', name: string): Promise<void> {
  const text = await format(JSON.stringify(restoreOpenApi(auth)), { parser: 'json', printWidth: 110 });
  writeFileSync(join(docs, name), text);
}

function writeTable(): void {
  const page = join(docs, 'restore-api.md');
  const around = /(?<=<!-- prettier-ignore-start -->\n).*(?=\n<!-- prettier-ignore-end -->)/s;
  writeFileSync(
    page,
    readFileSync(page, 'utf8').replace(around, () => outcomeTable()),
  );
}

void Promise.all([writeDocument('platform', 'openapi.json'), writeDocument('iam', 'openapi-iam.json')]);
writeTable();
