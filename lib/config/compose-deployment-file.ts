import { tokenTypeOf } from '../../contract/token-key';
import { type DeploymentFile } from '../../contract/deployment-file';
import { normalizeAddress } from '../../contract/platform-address';
import { type Configuration, type DeploymentConfiguration } from './schema';

/** The deployment file: the part of the configuration that the functions need. */
export function deploymentFileOf(
  { prefix, endpoints }: Configuration,
  { environment, platformRegion, restore, restoreApi, credentials, tenants }: DeploymentConfiguration,
): DeploymentFile {
  const { webhooksBaseUrl, webhooksTokenBaseUrl, tenantServiceUrl, ...content } =
    endpoints[environment]![platformRegion]!;
  const optional = { webhooksBaseUrl, webhooksTokenBaseUrl, tenantServiceUrl };
  return {
    prefix,
    environment,
    platformRegion,
    platform: {
      contentBaseUrl: normalizeAddress(content.contentBaseUrl),
      contentTokenBaseUrl: normalizeAddress(content.contentTokenBaseUrl),
      ...Object.fromEntries(
        Object.entries(optional).flatMap(([name, url]) =>
          url === undefined ? [] : [[name, normalizeAddress(url)]],
        ),
      ),
    },
    restore,
    restoreApi: {
      apiKeyGraceSec: restoreApi.apiKeyGraceHours * 3600,
      acceptsApiKeys: restoreApi.enabled && restoreApi.auth === 'platform',
    },
    credentials: { maxAgeDays: credentials.maxAgeDays, rotationSchedule: credentials.rotationSchedule },
    tenants: tenants.map(({ tenantId, tokens, adopt }) => ({
      tenantId,
      tokens: tokens.map(tokenTypeOf),
      adopted: adopt,
    })),
  };
}
