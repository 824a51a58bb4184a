import { type DeploymentKey } from '../tokens/token-key';

/** A deployment, or a tenant in it. */
export interface Place extends DeploymentKey {
  tenantId?: string | undefined;
}

/** The `latchkey` flags that select it. */
export function placeFlags({ environment, platformRegion, tenantId }: Place): string {
  const flags = `--environment ${environment} --platform-region ${platformRegion}`;
  return tenantId === undefined ? flags : `${flags} --tenant ${tenantId}`;
}
