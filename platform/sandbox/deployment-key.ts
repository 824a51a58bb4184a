import { z } from 'zod';

/** The deployment that a request or a tenant belongs to. */
export const deploymentKeySchema = z.strictObject({
  environment: z.enum(['staging', 'production']),
  platformRegion: z.enum(['global', 'mea']),
});
/** One environment in one platform region. @see platform specification, "Address placeholders" */
export type DeploymentKey = z.output<typeof deploymentKeySchema>;
/** How control requests name a tenant. */
export const tenantReferenceSchema = deploymentKeySchema.extend({ tenantId: z.string() });
/** Which interface a token or a token request is for. */
export type Interface = 'content' | 'webhooks';

/** `staging/mea`: how a deployment is named in paths and messages. */
export function deploymentName({ environment, platformRegion }: DeploymentKey): string {
  return `${environment}/${platformRegion}`;
}
