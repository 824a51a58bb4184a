import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const CLI = join(__dirname, '../../../node_modules/@redocly/cli/bin/cli.js');
/** Prevents usage data and update checks. */
const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };

/**
 * Lints OpenAPI documents with Redocly's recommended rules; every warning is an error.
 * @param documents by file name
 * @param skippedRules rules that do not apply to them
 * @returns the exit code with the output
 */
export async function lintOpenApi(
  documents: Readonly<Record<string, unknown>>,
  skippedRules: readonly string[] = [],
): Promise<{ code: number; output: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-openapi-'));
  const files = Object.entries(documents).map(([name, document]) => {
    const file = join(folder, name);
    writeFileSync(file, JSON.stringify(document));
    return file;
  });
  const skips = skippedRules.map((rule) => `--skip-rule=${rule}`);
  const args = [CLI, 'lint', '--extends=recommended-strict', ...skips, '--format=summary', ...files];
  try {
    return await new Promise((resolve) =>
      execFile(process.execPath, args, { cwd: folder, env }, (error, stdout, stderr) =>
        resolve({ code: Number(error?.code ?? 0), output: stdout + stderr }),
      ),
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
}
