import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, relative, sep } from 'node:path';

import type * as esbuild from 'esbuild';

/** The package has the bundles beside the file with this code. A checkout has only the sources. */
const PREBUILT = join(__dirname, 'functions');
const ROOT = join(__dirname, '../..');
const SANDBOX = 'sandbox';
const OPTIONAL = 'optional';
/** Texts by their path in the folder of all functions, such as `restore/handler.js`. */
let bundles: ReadonlyMap<string, string> | undefined;

/**
 * esbuild options of one CommonJS file with all dependencies, because importing `node:http` from ESM adds
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
 * Further options of functions: two modules of the SDK that no function uses are replaced by smaller ones.
 * @see docs/decisions/0046-the-functions-part-of-the-sdk.md
 */
export const FUNCTION_BUNDLING = {
  ...BUNDLING,
  // Colors logs that no function writes. Left out even where it is installed, so that bundles are the same everywhere.
  external: ['supports-color'],
  alias: {
    '@aws-sdk/credential-provider-node': './lib/bundling/function-sdk/credentials.ts',
    '@smithy/core/event-streams': './lib/bundling/function-sdk/event-streams.ts',
  },
} as const satisfies esbuild.BuildOptions;

/**
 * The source text of a function's bundle. The first call reads or builds all functions at once, so that esbuild reads the
 * SDK only once per process.
 * @param name folder of the function under `lambdas/`, or `sandbox`
 * @throws {Error} if there is no such function
 */
export function bundle(name: string): string {
  return textOf(`${name}/handler.js`);
}

/**
 * The source text of a module that only some deployments have beside their functions' code.
 * @param name its file under `lambdas/optional/`, without extension
 * @throws {Error} if there is no such module
 */
export function optionalModule(name: string): string {
  return textOf(`${OPTIONAL}/${name}.js`);
}

function textOf(file: string): string {
  bundles ??= existsSync(PREBUILT)
    ? new Map(
        readdirSync(PREBUILT, { recursive: true, encoding: 'utf8' })
          .filter((path) => path.endsWith('.js'))
          .map((path) => [path.replaceAll(sep, '/'), readFileSync(join(PREBUILT, path), 'utf8')]),
      )
    : textsOf(buildFunctions());
  if (file.startsWith(`${SANDBOX}/`) && !bundles.has(file))
    bundles = new Map([...bundles, ...textsOf(buildSandboxFunction())]);
  const text = bundles.get(file);
  if (text === undefined)
    throw new Error(`bundle: found ${file}; allowed: ${[...bundles.keys()].join(', ')}`);
  return text;
}

/** Builds each function from its sources, in memory, as `<name>/handler.js`, and each optional module as `optional/<name>.js`. */
export function buildFunctions() {
  const hasOptional = existsSync(join(ROOT, 'lambdas', OPTIONAL));
  return build(['./lambdas/**/handler.ts', ...(hasOptional ? [`./lambdas/${OPTIONAL}/*.ts`] : [])]);
}

/** Builds the function of the platform's sandbox like the others. Only the stack of the sandbox has it. */
export function buildSandboxFunction() {
  return build([
    { in: './packages/learning-platform-sandbox/src/sandbox/function/handler.ts', out: `${SANDBOX}/handler` },
  ]);
}

function build(entryPoints: string[] | { in: string; out: string }[]) {
  // Users of the package have no esbuild.
  const { buildSync } = createRequire(__filename)('esbuild') as typeof esbuild;
  return buildSync({
    ...FUNCTION_BUNDLING,
    absWorkingDir: ROOT,
    entryPoints,
    outbase: 'lambdas',
    outdir: 'lambdas',
    metafile: true,
  });
}

/** Path of a built file in the folder of all functions. */
export function builtFile({ path }: esbuild.OutputFile): string {
  return relative(join(ROOT, 'lambdas'), path).replaceAll(sep, '/');
}

function textsOf({ outputFiles }: ReturnType<typeof build>): Map<string, string> {
  return new Map(outputFiles.map((file) => [builtFile(file), file.text]));
}
