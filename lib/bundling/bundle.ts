import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';

import type * as esbuild from 'esbuild';

/** The package has the bundles beside the file with this code. A checkout has only the sources. */
const PREBUILT = join(__dirname, 'functions');
const ROOT = join(__dirname, '../..');
const SANDBOX = 'sandbox';
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
} as const satisfies esbuild.BuildOptions;

/**
 * The source text of a function's bundle. The first call reads or builds all functions at once, so that esbuild reads the
 * SDK only once per process.
 * @param name folder of the function under `lambdas/`, or `sandbox`
 * @throws {Error} if there is no such function
 */
export function bundle(name: string): string {
  bundles ??= existsSync(PREBUILT)
    ? new Map(
        readdirSync(PREBUILT).map((each) => [each, readFileSync(join(PREBUILT, each, 'handler.js'), 'utf8')]),
      )
    : textsOf(buildFunctions());
  if (name === SANDBOX && !bundles.has(SANDBOX))
    bundles = new Map([...bundles, ...textsOf(buildSandboxFunction())]);
  const text = bundles.get(name);
  if (text === undefined)
    throw new Error(`bundle: found ${name}; allowed: ${[...bundles.keys()].join(', ')}`);
  return text;
}

/** Builds each function from its sources, in memory, as `<name>/handler.js`. */
export function buildFunctions() {
  return build(['./lambdas/**/handler.ts']);
}

/** Builds the function of the platform's sandbox, which only its own stack has, like the others. */
export function buildSandboxFunction() {
  return build([{ in: './platform/sandbox/function/handler.ts', out: `${SANDBOX}/handler` }]);
}

function build(entryPoints: string[] | { in: string; out: string }[]) {
  // Users of the package have no esbuild.
  const { buildSync } = createRequire(__filename)('esbuild') as typeof esbuild;
  return buildSync({
    ...BUNDLING,
    absWorkingDir: ROOT,
    entryPoints,
    outbase: 'lambdas',
    outdir: 'lambdas',
    metafile: true,
  });
}

function textsOf({ outputFiles }: ReturnType<typeof build>): Map<string, string> {
  return new Map(outputFiles.map(({ path, text }) => [basename(dirname(path)), text]));
}
