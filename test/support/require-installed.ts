import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const ROOT = join(__dirname, '../..');

/**
 * Returns the `require` of a folder with its own packages, after installing those that are missing.
 * @throws {Error} with npm's output if they cannot be installed, such as without a network
 */
export function requireInstalled(folder: 'test/packaging' | 'tools/lint'): NodeJS.Require {
  const program = join(ROOT, 'tools/preinstall.cjs');
  const { status, stderr } = spawnSync(process.execPath, [program, folder], { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  return createRequire(join(ROOT, folder, 'package.json'));
}
