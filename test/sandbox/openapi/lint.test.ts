import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { controlDocument } from '../../../sandbox/openapi/control-document';
import { interfaceDocument } from '../../../sandbox/openapi/interface-document';

const CLI = join(__dirname, '../../../node_modules/@redocly/cli/bin/cli.js');
/** Nothing leaves the machine: neither usage data nor a question for a newer version. */
const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };

let folder: string;
beforeAll(() => (folder = mkdtempSync(join(tmpdir(), 'sandbox-openapi-'))));
afterAll(() => rmSync(folder, { recursive: true }));

/** Lints documents with the recommended rules, every warning an error, and gives the exit code with what was printed. */
function lint(documents: Record<string, unknown>): Promise<{ code: number; output: string }> {
  const files = Object.entries(documents).map(([name, document]) => {
    const file = join(folder, name);
    writeFileSync(file, JSON.stringify(document));
    return file;
  });
  // That control only tells what there is can't be refused.
  const options = ['--extends=recommended-strict', '--skip-rule=operation-4xx-response', '--format=summary'];
  return new Promise((resolve) =>
    execFile(process.execPath, [CLI, 'lint', ...options, ...files], { cwd: folder, env }, (error, out, err) =>
      resolve({ code: Number(error?.code ?? 0), output: out + err }),
    ),
  );
}

test('the documents are OpenAPI 3.1 without an error or a warning of Redocly’s recommended rules', async () => {
  const { code, output } = await lint({
    'interface.json': interfaceDocument(),
    'control.json': controlDocument(),
  });

  expect({ code, output: code === 0 ? '' : output }).toEqual({ code: 0, output: '' });
}, 60_000);
