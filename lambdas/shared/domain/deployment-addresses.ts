import { addressFault, RESTORE_PATH_FORM } from '../../../contract/platform-address';
import { type DeploymentFile } from '../../../contract/deployment-file';

/** The deployment file has an address that no configuration allows. The message does not show the address. */
export class HostileAddressError extends Error {
  override readonly name = 'HostileAddressError';
  readonly code = 'hostile_address';
}

/**
 * Checks the platform's addresses again before use, because the file may have been changed since synthesis. An address with
 * a port must be on loopback: only local runs have ports.
 * @throws {HostileAddressError} for the first address that could send credentials elsewhere
 * @see reliability facts T2 (SSRF by base URL)
 */
export function checkAddresses({ platform, restore }: Pick<DeploymentFile, 'platform' | 'restore'>): void {
  if (!RESTORE_PATH_FORM.test(restore.path)) {
    throw new HostileAddressError('restore.path in deployment.json: not a plain path with {contentId}');
  }
  for (const [name, address] of Object.entries(platform) as [string, string][]) {
    const fault = addressFault(address, hasPort(address));
    if (fault !== undefined) throw new HostileAddressError(`${name} in deployment.json: ${fault}`);
  }
}

function hasPort(address: string): boolean {
  return URL.canParse(address) && new URL(address).port !== '';
}
