import { type DeploymentKey } from './token-key';

/** The `latchkey` flags that select a deployment, or a tenant in it. */
export function placeFlags({
  environment,
  platformRegion,
  tenantId,
}: DeploymentKey & { tenantId?: string | undefined }): string {
  const flags = `--environment ${environment} --platform-region ${platformRegion}`;
  return tenantId === undefined ? flags : `${flags} --tenant ${tenantId}`;
}
