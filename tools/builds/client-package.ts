/**
 * Builds the library `latchkey/client` into `dist/client/`, as CommonJS and as an ES module, with its types and all
 * dependencies except the AWS SDK. A process may load both builds: each token source keeps its own state, and each build
 * recognizes the other's errors.
 */
import { execFileSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { buildSync } from 'esbuild';

const ROOT = join(__dirname, '../..');
const OUT = join(ROOT, 'dist/client');
const FORMATS = { 'index.js': 'cjs', 'index.mjs': 'esm' } as const;

rmSync(OUT, { recursive: true, force: true });
for (const [file, format] of Object.entries(FORMATS)) {
  buildSync({
    entryPoints: [join(ROOT, 'client/index.ts')],
    outfile: join(OUT, file),
    bundle: true,
    platform: 'node',
    target: 'node20',
    format,
    external: ['@aws-sdk/*'],
    legalComments: 'none',
    logLevel: 'error',
  });
}

execFileSync(process.execPath, [require.resolve('typescript/bin/tsc'), '--project', 'tsconfig.client.json'], {
  cwd: ROOT,
  stdio: 'inherit',
});
writeFileSync(join(OUT, 'index.d.ts'), `export * from './types/client/index';\n`);
writeFileSync(join(OUT, 'index.d.mts'), `export * from './index.js';\n`);
