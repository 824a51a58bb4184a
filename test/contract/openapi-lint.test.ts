import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { restoreOpenApi } from '../../contract/openapi/document';

const CLI = join(__dirname, '../../node_modules/@redocly/cli/bin/cli.js');
/** Nothing leaves the machine: neither usage data nor a question for a newer version. */
const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };

let folder: string;
beforeAll(() => (folder = mkdtempSync(join(tmpdir(), 'latchkey-openapi-'))));
afterAll(() => rmSync(folder, { recursive: true }));

/** Lints documents with the recommended rules, every warning an error, and gives the exit code with what was printed. */
function lint(documents: Record<string, unknown>): Promise<{ code: number; output: string }> {
  const files = Object.entries(documents).map(([name, document]) => {
    const file = join(folder, name);
    writeFileSync(file, JSON.stringify(document));
    return file;
  });
  const args = [CLI, 'lint', '--extends=recommended-strict', '--format=summary', ...files];
  return new Promise((resolve) =>
    execFile(process.execPath, args, { cwd: folder, env }, (error, stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), output: stdout + stderr }),
    ),
  );
}

test('the documents of both modes are OpenAPI 3.1 without an error or a warning of Redocly’s recommended rules', async () => {
  const { code, output } = await lint({
    'openapi.json': restoreOpenApi('platform'),
    'openapi-iam.json': restoreOpenApi('iam'),
  });

  expect({ code, output: code === 0 ? '' : output }).toEqual({ code: 0, output: '' });
}, 30_000);

test('a document with an example that breaks its schema does not pass', async () => {
  const document = structuredClone(restoreOpenApi('platform'));
  document.components.schemas.ActingUser = { ...document.components.schemas.ActingUser, minProperties: 2 };

  const { code, output } = await lint({ 'broken.json': document });

  expect(code).toBe(1);
  expect(output).toMatch(/no-invalid-media-type-examples/);
}, 30_000);
