import { addressFault } from '../../../contract/platform-address';
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
  // Without a slash, the path could change the host of the base URL: `@elsewhere.example`, `.elsewhere.example`.
  if (!restore.path.startsWith('/'))
    throw new HostileAddressError('restore.path in deployment.json: no leading slash');
  const restoreUrl = `${platform.contentBaseUrl}${restore.path.replace('{contentId}', 'id')}`;
  for (const [name, address] of Object.entries({ ...platform, 'restore.path': restoreUrl })) {
    const fault = addressFault(address, hasPort(address));
    if (fault !== undefined) throw new HostileAddressError(`${name} in deployment.json: ${fault}`);
  }
}

function hasPort(address: string): boolean {
  return URL.canParse(address) && new URL(address).port !== '';
}
