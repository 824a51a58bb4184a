import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { type DeploymentFile } from '../../../contract/deployment-file';

/** Reads the `deployment.json` that was put beside the function's code at synthesis. */
export function readDeploymentFile(): DeploymentFile {
  return JSON.parse(readFileSync(join(__dirname, 'deployment.json'), 'utf8')) as DeploymentFile;
}
