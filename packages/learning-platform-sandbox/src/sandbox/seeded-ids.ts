import { type DeploymentKey, deploymentName } from './deployment-key';
import { digest } from './secrets';

/** Returns an id of 24 hexadecimal digits for a kind and number, the same in every run. */
type SeededId = (kind: string, n: number) => string;

/** The ids of one tenant. */
export function seededIds(deploymentKey: DeploymentKey, tenantId: string): SeededId {
  return (kind, n) => digest(`${deploymentName(deploymentKey)}/${tenantId}/${kind}/${n}`).slice(0, 24);
}

/** The default users and collaborations of a tenant: two of each. */
export function seededReferences(deploymentKey: DeploymentKey, tenantId: string) {
  const id = seededIds(deploymentKey, tenantId);
  return {
    authorRefs: [id('author', 0), id('author', 1)],
    collaborationIds: [id('collaboration', 0), id('collaboration', 1)],
  };
}
