/**
 * Builds the library `latchkey/client` into `dist/client/`: CommonJS with everything but the AWS SDK in it, the types, and
 * an ES module that only passes on what the CommonJS one exports. So a process that loads it both ways still has one
 * class of errors.
 * @see https://nodejs.org/api/packages.html#dual-commonjses-module-packages (approach: an ES module wrapper)
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { buildSync } from 'esbuild';

const ROOT = join(__dirname, '..');
const OUT = join(ROOT, 'dist/client');

rmSync(OUT, { recursive: true, force: true });
mkdirSync(OUT, { recursive: true });

const { metafile } = buildSync({
  entryPoints: [join(ROOT, 'client/index.ts')],
  outfile: join(OUT, 'index.js'),
  bundle: true,
  platform: 'node',
  target: 'node20',
  format: 'cjs',
  external: ['@aws-sdk/*'],
  legalComments: 'none',
  logLevel: 'error',
  metafile: true,
});

// esbuild names the exports of an ES module entry only in its ES output, so they are asked of the built module.
const exported = execFileSync(
  process.execPath,
  ['--print', 'Object.keys(require("./index.js")).join(", ")'],
  { cwd: OUT, encoding: 'utf8' },
).trim();
writeFileSync(join(OUT, 'index.mjs'), `export { ${exported} } from './index.js';\n`);

execFileSync(process.execPath, [require.resolve('typescript/bin/tsc'), '--project', 'tsconfig.client.json'], {
  cwd: ROOT,
  stdio: 'inherit',
});
writeFileSync(join(OUT, 'index.d.ts'), `export * from './types/client/index';\n`);
writeFileSync(join(OUT, 'index.d.mts'), `export * from './index.js';\n`);

const [bytes] = Object.values(metafile.outputs).map(({ bytes: size }) => size);
console.log(`dist/client: index.js ${Math.ceil(bytes! / 1024)} KiB, with index.mjs and types`);
