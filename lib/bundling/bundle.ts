import { basename, dirname, join } from 'node:path';

import { type BuildOptions, buildSync } from 'esbuild';

const LAMBDAS = join(__dirname, '../../lambdas');
let bundles: ReadonlyMap<string, string> | undefined;

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
 * The source text of a function's bundle. All functions are built together, once per process: what they share, above all
 * the SDK, is then read once.
 * @param name folder of the function under `lambdas/`
 * @throws {Error} when there is no such function
 */
export function bundle(name: string): string {
  bundles ??= buildAll();
  const text = bundles.get(name);
  if (text === undefined)
    throw new Error(`bundle: found ${name}; allowed: ${[...bundles.keys()].join(', ')}`);
  return text;
}

function buildAll(): ReadonlyMap<string, string> {
  const { outputFiles } = buildSync({
    ...BUNDLING,
    absWorkingDir: LAMBDAS,
    entryPoints: ['./**/handler.ts'],
    outdir: LAMBDAS,
  });
  return new Map(outputFiles.map(({ path, text }) => [basename(dirname(path)), text]));
}
