import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { type DeploymentFile } from '../../../core/deployment/deployment-file';
import { checkAddresses } from '../../../core/deployment/deployment-addresses';

/**
 * Reads `deployment.json`, which is deployed with the function's code, and checks its addresses.
 * @throws {HostileAddressError}
 */
export function readDeploymentFile(): DeploymentFile {
  const deployment = JSON.parse(readFileSync(join(__dirname, 'deployment.json'), 'utf8')) as DeploymentFile;
  checkAddresses(deployment);
  return deployment;
}
