import { addressFault } from '../../../contract/platform-address';
import { type DeploymentFile } from '../../../contract/deployment-file';

/** A deployment file names an address that no configuration may name. The message does not show the address. */
export class HostileAddressError extends Error {
  override readonly name = 'HostileAddressError';
  readonly code = 'hostile_address';
}

/**
 * Checks the platform's addresses once more where they are used: the file may have been changed since synthesis.
 * Which mode the configuration was in is not known any more. Loopback counts with a port only, as local runs have it and
 * a real address never does.
 * @throws {HostileAddressError} for the first that could lead credentials elsewhere
 * @see reliability facts T2 (SSRF by base URL)
 */
export function checkAddresses({ platform, restore }: Pick<DeploymentFile, 'platform' | 'restore'>): void {
  // The path is appended to the base address, whose host it could change: `@elsewhere.example`, `.elsewhere.example`.
  if (!restore.path.startsWith('/'))
    throw new HostileAddressError('restore.path in deployment.json: no slash');
  const restoreUrl = `${platform.contentBaseUrl}${restore.path.replace('{contentId}', 'id')}`;
  for (const [name, address] of Object.entries({ ...platform, 'restore.path': restoreUrl })) {
    const fault = addressFault(address, hasPort(address));
    if (fault !== undefined) throw new HostileAddressError(`${name} in deployment.json: ${fault}`);
  }
}

function hasPort(address: string): boolean {
  return URL.canParse(address) && new URL(address).port !== '';
}
