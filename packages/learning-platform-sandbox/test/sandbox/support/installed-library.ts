import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { buildSync } from 'esbuild';

const ROOT = join(__dirname, '../../../../..');
const ENTRIES = { client: 'client/index.ts', sandbox: 'packages/learning-platform-sandbox/src/index.ts' };

/** Builds `latchkey/client` and `latchkey/sandbox` into the packages of a project, for `import` and `require`. */
export function installLibraries(folder: string): void {
  const installed = join(folder, 'node_modules/latchkey');
  mkdirSync(installed, { recursive: true });
  for (const [name, entry] of Object.entries(ENTRIES)) {
    const { outputFiles } = buildSync({
      entryPoints: [join(ROOT, entry)],
      bundle: true,
      platform: 'node',
      target: 'node20',
      format: 'cjs',
      external: ['@aws-sdk/*'],
      logLevel: 'error',
      write: false,
    });
    writeFileSync(join(installed, `${name}.js`), outputFiles[0]!.contents);
  }
  const exported = Object.keys(ENTRIES).map((name) => [`./${name}`, `./${name}.js`] as const);
  writeFileSync(
    join(installed, 'package.json'),
    JSON.stringify({ name: 'latchkey', exports: Object.fromEntries(exported) }),
  );
}
