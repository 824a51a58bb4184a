import { sha256Hex } from './sha256';
import { type TenantKey } from './token-key';

/**
 * The key by which API Gateway knows a tenant in the usage plan of a restore API: the value that the tenant's stack
 * registers, and that the authorizer answers. Both derive it, so that neither has to be told. It is no secret: callers
 * neither send nor see it, and who knows it gains nothing, since the API takes keys from its authorizer alone.
 * @param prefix of the configuration, so that two deployments of one deployment in an account do not share a key
 * @returns 64 characters; API Gateway takes 20–128
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-api-usage-plans.html
 */
export function usageKey(prefix: string, tenant: TenantKey): string {
  const { environment, platformRegion, tenantId } = tenant;
  // As JSON, in which the parts cannot run into one another.
  return sha256Hex(JSON.stringify(['restore usage', prefix, environment, platformRegion, tenantId]));
}
