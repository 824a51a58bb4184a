import { sha256Hex } from '../secrets/sha256';

import { deploymentName, type DeploymentKey } from '../tokens/token-key';

/** `latchkey-staging-mea`: the stack name of a deployment. */
export function deploymentStackName(prefix: string, deploymentKey: DeploymentKey): string {
  return `${prefix}-${deploymentName(deploymentKey)}`;
}

/**
 * The stack name of one tenant. If CloudFormation would reject the tenant id in a stack name (`_`, or too long), the
 * name ends with a digest, so that `a_b` and `a-b` stay two stacks.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/APIReference/API_CreateStack.html (StackName: 1–128 of [A-Za-z0-9-])
 */
export function tenantStackName(prefix: string, deploymentKey: DeploymentKey, tenantId: string): string {
  const base = deploymentStackName(prefix, deploymentKey);
  const maxLength = 128 - base.length - 1;
  if (/^[A-Za-z0-9-]+$/.test(tenantId) && tenantId.length <= maxLength) return `${base}-${tenantId}`;
  const digest = sha256Hex(tenantId).slice(0, 8);
  return `${base}-${tenantId.replaceAll('_', '-').slice(0, maxLength - 9)}-${digest}`;
}
