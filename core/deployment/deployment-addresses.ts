import { addressFault, RESTORE_PATH_FORM } from './platform-address';
import { type DeploymentFile } from './deployment-file';

/** An address in the deployment file breaks the rules for configurations. The message does not show the address. */
export class HostileAddressError extends Error {
  override readonly name = 'HostileAddressError';
  readonly code = 'hostile_address';
}

/**
 * Checks the platform's addresses again before use, because the file may have been changed since synthesis.
 * @throws {HostileAddressError} for the first address that could send credentials elsewhere
 */
export function checkAddresses({ platform }: Pick<DeploymentFile, 'platform'>): void {
  for (const [name, address] of Object.entries(platform) as [string, string][]) {
    const fault = addressFault(address);
    if (fault !== undefined) throw new HostileAddressError(`${name} in deployment.json: ${fault}`);
  }
}

/**
 * Checks the path of the restore operation. Only the restore function does, so that a wrong path does not stop tokens.
 * @throws {HostileAddressError}
 */
export function checkRestorePath({ restore }: Pick<DeploymentFile, 'restore'>): void {
  if (RESTORE_PATH_FORM.test(restore.path)) return;
  throw new HostileAddressError('restore.path in deployment.json: not a plain path with {contentId}');
}
