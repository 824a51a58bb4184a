import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

import { CommandError, foundText } from './command-error';
import { EXIT } from './exit-codes';

/** What deploying needs besides Latchkey's own package. */
const DEPLOYING_PACKAGES = ['aws-cdk', 'aws-cdk-lib', 'constructs'] as const;
type DeployingPackage = (typeof DEPLOYING_PACKAGES)[number];

/**
 * Finds the packages that deploy: those of the working folder, else those beside Latchkey.
 * @returns the folder of each
 * @throws {CommandError} `cdk_missing`, with the command that installs those that are missing
 */
export function findDeployingPackages(
  workingDir: string,
  projectRoot: string,
): Readonly<Record<DeployingPackage, string>> {
  const found = DEPLOYING_PACKAGES.map((name) => [name, folderOf(name, [workingDir, projectRoot])] as const);
  const missing = found.filter(([, folder]) => folder === undefined).map(([name]) => name);
  if (missing.length > 0) {
    const message = foundText('packages', `no ${missing.join(', ')}`, DEPLOYING_PACKAGES.join(', '));
    const advice = `In the working folder: npm install ${missing.join(' ')}`;
    throw new CommandError(EXIT.failed, 'cdk_missing', message, { advice });
  }
  return Object.fromEntries(found) as Record<DeployingPackage, string>;
}

function folderOf(name: string, from: readonly string[]): string | undefined {
  for (const folder of from) {
    try {
      return dirname(createRequire(join(folder, 'latchkey.js')).resolve(`${name}/package.json`));
    } catch {
      // The next folder may have it.
    }
  }
  return undefined;
}
