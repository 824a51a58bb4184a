import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { buildSync, type Metafile } from 'esbuild';

import { buildFunctions, buildSandboxFunction, builtFile } from '../../lib/bundling/bundle';
import { buildAll, packagesIn } from './programs.cjs';

const ROOT = join(__dirname, '../..');

/** What applications import, and the app that `latchkey prove` synthesizes. Packages that they install themselves are not in the files. */
const LIBRARIES = [
  // Two builds, because Lambda functions are often bundled as ES modules. A process may load both: each token source keeps
  // its own state, and each build recognizes the other's errors.
  { entry: 'client/index.ts', file: 'dist/client/index.js', format: 'cjs', external: ['@aws-sdk/*'] },
  { entry: 'client/index.ts', file: 'dist/client/index.mjs', format: 'esm', external: ['@aws-sdk/*'] },
  // One build each, which ES modules import by name as well: two copies of a construct's class would not be the same class.
  {
    entry: 'lib/index.ts',
    file: 'dist/constructs/index.js',
    format: 'cjs',
    external: ['aws-cdk-lib', 'constructs'],
  },
  // Beside the functions, which it finds relative to itself.
  {
    entry: 'bin/prove-app.ts',
    file: 'dist/constructs/prove-app.js',
    format: 'cjs',
    external: ['aws-cdk-lib', 'constructs'],
  },
  {
    entry: 'packages/learning-platform-sandbox/src/index.ts',
    file: 'dist/sandbox/index.js',
    format: 'cjs',
    external: [],
  },
] as const;

/** A JavaScript file of the package. */
export interface Bundle {
  /** Path in the package. */
  readonly file: string;
  readonly contents: Uint8Array;
  /** Folders of the npm packages in it. */
  readonly packages: readonly string[];
}

/**
 * Builds every JavaScript file of the package. Only the programs are written to files.
 * @throws {Error} if a build fails
 */
export function buildBundles(): Bundle[] {
  const programs = Object.entries(buildAll()).map(([file, packages]) => ({
    file,
    contents: readFileSync(join(ROOT, file)),
    packages,
  }));
  const libraries = LIBRARIES.map(buildLibrary);
  const functions = [buildFunctions(), buildSandboxFunction()].flatMap(({ outputFiles, metafile }) =>
    outputFiles.map((output) => {
      const file = builtFile(output);
      const packages = packagesOf(metafile, `lambdas/${file}`);
      return { file: `dist/constructs/functions/${file}`, contents: output.contents, packages };
    }),
  );
  return [...programs, ...libraries, ...functions];
}

function buildLibrary({ entry, file, format, external }: (typeof LIBRARIES)[number]): Bundle {
  const { outputFiles, metafile } = buildSync({
    absWorkingDir: ROOT,
    entryPoints: [entry],
    outfile: file,
    write: false,
    bundle: true,
    platform: 'node',
    target: 'node20',
    format,
    external: [...external],
    legalComments: 'none',
    logLevel: 'error',
    metafile: true,
  });
  return { file, contents: outputFiles[0]!.contents, packages: packagesOf(metafile, file) };
}

const packagesOf = ({ outputs }: Metafile, output: string) =>
  packagesIn(Object.keys(outputs[output]!.inputs));
