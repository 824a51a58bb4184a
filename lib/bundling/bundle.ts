import { join } from 'node:path';

import { type BuildOptions, buildSync } from 'esbuild';

const LAMBDAS = join(__dirname, '../../lambdas');
const bundles = new Map<string, string>();

/**
 * How a function is bundled: one CommonJS file with everything in it, because importing `node:http` from ESM costs
 * 25–30 ms of each cold start on Node 22 and 24.
 */
export const BUNDLING = {
  bundle: true,
  write: false,
  platform: 'node',
  target: 'node20',
  format: 'cjs',
  // Makes a require of each `import()`, also in the SDK: the same 25–30 ms otherwise.
  supported: { 'dynamic-import': false },
  mainFields: ['module', 'main'],
  minify: true,
  legalComments: 'none',
  logLevel: 'error',
} as const satisfies BuildOptions;

/**
 * The source text of a function's bundle. Built once per process, however many functions run it.
 * @param name folder of the function under `lambdas/`
 */
export function bundle(name: string): string {
  const known = bundles.get(name);
  if (known !== undefined) return known;
  const { outputFiles } = buildSync({ ...BUNDLING, entryPoints: [join(LAMBDAS, name, 'handler.ts')] });
  const text = outputFiles[0]!.text;
  bundles.set(name, text);
  return text;
}
