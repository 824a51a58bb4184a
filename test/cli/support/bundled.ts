import { createRequire } from 'node:module';
import { join } from 'node:path';

import { buildSync } from 'esbuild';

/** A module of `cli/`, bundled into a folder as for users: Jest cannot run the commands' lazy imports from sources. */
export function bundled<Module>(folder: string, name: string): Module {
  const outfile = join(folder, `${name}.js`);
  const entryPoints = [join(__dirname, `../../../cli/${name}.ts`)];
  buildSync({ entryPoints, outfile, bundle: true, platform: 'node', format: 'cjs', logLevel: 'error' });
  return createRequire(__filename)(outfile) as Module;
}
