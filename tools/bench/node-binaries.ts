import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** A Node that functions are started with. */
export interface NodeBinary {
  name: string;
  path: string;
}

/**
 * The Node versions of Lambda's runtimes, as packages of this folder bring them for Linux on x86-64.
 * Elsewhere the Node that runs this, and the figures hold for that one only.
 */
export function nodeBinaries(): NodeBinary[] {
  const packaged = ['22', '24'].map((major) => ({
    name: `Node ${major}`,
    path: join(__dirname, 'node_modules', `node-${major}-linux-x64`, 'bin', 'node'),
  }));
  const found = packaged.filter(({ path }) => existsSync(path));
  if (found.length > 0) return found;
  return [{ name: `Node ${process.versions.node} (22 and 24 are not there)`, path: process.execPath }];
}
