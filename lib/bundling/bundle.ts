import { basename, dirname, join } from 'node:path';

import { type BuildOptions, buildSync } from 'esbuild';

const LAMBDAS = join(__dirname, '../../lambdas');
let bundles: ReadonlyMap<string, string> | undefined;

/**
 * esbuild options of a function: one CommonJS file with all dependencies, because importing `node:http` from ESM adds
 * 25–30 ms to each cold start on Node 22 and 24.
 */
export const BUNDLING = {
  bundle: true,
  write: false,
  platform: 'node',
  target: 'node20',
  format: 'cjs',
  // Turns each `import()` into a require, also in the SDK, to save the same 25–30 ms.
  supported: { 'dynamic-import': false },
  mainFields: ['module', 'main'],
  minify: true,
  legalComments: 'none',
  logLevel: 'error',
} as const satisfies BuildOptions;

/**
 * The source text of a function's bundle. The first call builds all functions at once, so that esbuild reads the SDK
 * only once per process.
 * @param name folder of the function under `lambdas/`
 * @throws {Error} if there is no such function
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
