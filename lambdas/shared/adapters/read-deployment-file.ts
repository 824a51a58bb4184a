import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { type DeploymentFile } from '../../../contract/deployment-file';
import { checkAddresses } from '../domain/deployment-addresses';

/**
 * Reads the `deployment.json` that was put beside the function's code at synthesis.
 * @throws {HostileAddressError} before anything could be sent there
 */
export function readDeploymentFile(): DeploymentFile {
  const deployment = JSON.parse(readFileSync(join(__dirname, 'deployment.json'), 'utf8')) as DeploymentFile;
  checkAddresses(deployment);
  return deployment;
}
