import { sha256Hex } from '../secrets/sha256';
import { deploymentParts, type TenantKey } from '../tokens/token-key';

/**
 * The API key that identifies a tenant in the restore API's usage plan. The tenant's stack registers it, and the
 * authorizer returns it; both derive it here. Not a secret: the API accepts keys only from its authorizer.
 * @param prefix of the configuration, so that two deployments with the same deployment key do not share a key
 * @returns 64 characters; API Gateway accepts 20–128
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-api-usage-plans.html
 */
export function usageKey(prefix: string, tenant: TenantKey): string {
  // As JSON, so that the parts cannot run together.
  return sha256Hex(JSON.stringify(['restore usage', prefix, ...deploymentParts(tenant), tenant.tenantId]));
}
