import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

import { CommandError, foundText } from '../../../cli/command-error';
import { EXIT } from '../../../cli/exit-codes';

/** The packages that a deployment needs besides Latchkey's own. */
const DEPLOYING_PACKAGES = ['aws-cdk', 'aws-cdk-lib', 'constructs'] as const;
type DeployingPackage = (typeof DEPLOYING_PACKAGES)[number];

/**
 * Finds the folder of each package that a deployment needs: the working folder's, or else the one beside Latchkey.
 * @throws {CommandError} `cdk_missing`, with the command that installs the missing packages
 */
export function findDeployingPackages(
  workingDir: string,
  projectRoot: string,
): Readonly<Record<DeployingPackage, string>> {
  const folders = DEPLOYING_PACKAGES.map(
    (name) => [name, findPackage(name, [workingDir, projectRoot])] as const,
  );
  const missing = folders.filter(([, folder]) => folder === undefined).map(([name]) => name);
  if (missing.length > 0) {
    const message = foundText('packages', `no ${missing.join(', ')}`, DEPLOYING_PACKAGES.join(', '));
    const advice = `In the working folder: npm install ${missing.join(' ')}`;
    throw new CommandError(EXIT.failed, 'cdk_missing', message, { advice });
  }
  return Object.fromEntries(folders) as Record<DeployingPackage, string>;
}

function findPackage(name: string, startFolders: readonly string[]): string | undefined {
  for (const folder of startFolders) {
    try {
      return dirname(createRequire(join(folder, 'latchkey.js')).resolve(`${name}/package.json`));
    } catch {
      // The next folder may have it.
    }
  }
  return undefined;
}
