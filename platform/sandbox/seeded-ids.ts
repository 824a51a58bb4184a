import { createHash } from 'node:crypto';
import { type DeploymentKey, deploymentName } from './deployment-key';

/** Makes ids that are the same in every run: 24 hexadecimal digits for a deployment, tenant, kind and number. */
export type SeededId = (kind: string, n: number) => string;

/** The ids of one tenant. */
export function seededIds(deploymentKey: DeploymentKey, tenantId: string): SeededId {
  return (kind, n) =>
    createHash('sha256')
      .update(`${deploymentName(deploymentKey)}/${tenantId}/${kind}/${n}`)
      .digest('hex')
      .slice(0, 24);
}

/** The users and collaborations of a tenant whose seed names none: two of each. */
export function seededReferences(deploymentKey: DeploymentKey, tenantId: string) {
  const id = seededIds(deploymentKey, tenantId);
  return {
    authorRefs: [id('author', 0), id('author', 1)],
    collaborationIds: [id('collaboration', 0), id('collaboration', 1)],
  };
}
