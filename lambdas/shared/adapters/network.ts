import { type DeploymentFile } from '../../../core/deployment/deployment-file';
import { type Network, type openNetwork } from '../../optional/network';
import { loadOptionalModule } from './optional-module';

/**
 * How calls leave the function, if the deployment has a proxy or certificate authorities of its own.
 * @param callsPlatform false for a function that calls only AWS
 */
export function networkOf(
  { network }: Pick<DeploymentFile, 'network'>,
  callsPlatform: boolean,
): Network | undefined {
  if (network === undefined) return undefined;
  const isForAws = network.certificateAuthorities !== undefined || network.proxy?.awsCalls === 'proxy';
  return callsPlatform || isForAws
    ? loadOptionalModule<{ openNetwork: typeof openNetwork }>('network').openNetwork(network)
    : undefined;
}
