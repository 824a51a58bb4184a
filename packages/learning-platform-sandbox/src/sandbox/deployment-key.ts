import { z } from 'zod';

/** @see DeploymentKey */
export const deploymentKeySchema = z.strictObject({
  environment: z.enum(['staging', 'production']),
  platformRegion: z.enum(['global', 'mea']),
});
/** One environment in one platform region. @see platform specification, "Address placeholders" */
export type DeploymentKey = z.output<typeof deploymentKeySchema>;
/** {@link deploymentKeySchema} that ignores other fields. */
export const deploymentKeyView = deploymentKeySchema.strip();
export const tenantReferenceSchema = deploymentKeySchema.extend({ tenantId: z.string() });
export type TenantReference = z.output<typeof tenantReferenceSchema>;
export type Interface = 'content' | 'webhooks';

/** The name of a deployment in paths and messages, such as `staging/mea`. */
export function deploymentName({ environment, platformRegion }: DeploymentKey): string {
  return `${environment}/${platformRegion}`;
}
