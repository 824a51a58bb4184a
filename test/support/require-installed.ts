import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const ROOT = join(__dirname, '../..');

/**
 * Returns the `require` of a folder with its own packages, which npm installs before the tests run.
 * @throws {Error} with the command that installs them
 */
export function requireInstalled(folder: 'test/packaging' | 'tools/lint'): NodeJS.Require {
  if (!existsSync(join(ROOT, folder, 'node_modules/.package-lock.json')))
    throw new Error(`${folder} has no packages; run: node tools/preinstall.cjs ${folder}`);
  return createRequire(join(ROOT, folder, 'package.json'));
}
