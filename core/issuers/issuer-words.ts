import { type DeploymentKey } from '../tokens/token-key';

/** A text about the learning platform, for a deployment whose issuer may be another one. */
export function inIssuerWords({ issuer }: Pick<DeploymentKey, 'issuer'>, text: string): string {
  return issuer === undefined ? text : text.replaceAll(/\b([Tt]he) platform\b/g, '$1 issuer');
}
