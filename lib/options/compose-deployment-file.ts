import { tokenTypeOf } from '../../core/tokens/token-key';
import {
  type DeploymentFile,
  type EngineProfile,
  type ProxySettings,
} from '../../core/deployment/deployment-file';
import { normalizeAddress } from '../../core/deployment/platform-address';
import { LEARNING_PLATFORM } from '../../core/issuers/learning-platform';
import { type IssuerProfile } from '../../core/issuers/issuer-profile';
import { type CheckedOptions } from './schema';

/** The sandbox on the laptop has no limit, so that many tenants come up fast. */
const LOCAL_TOKEN_REQUESTS_PER_SEC = 1_000;

/** The deployment file: the options that the functions need. */
export function deploymentFileOf(options: CheckedOptions): DeploymentFile {
  const { prefix, environment, platformRegion, restore, restoreApi, credentials, tenants } = options;
  const tokenRequestsPerSec =
    options.tokenRequestsPerSec ?? (options.local ? LOCAL_TOKEN_REQUESTS_PER_SEC : undefined);
  const { webhooksBaseUrl, webhooksTokenBaseUrl, tenantServiceUrl, ...content } = options.endpoints;
  const optional = { webhooksBaseUrl, webhooksTokenBaseUrl, tenantServiceUrl };
  return {
    prefix,
    environment,
    platformRegion,
    profile: engineProfileOf(LEARNING_PLATFORM),
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
    tenants: tenants.map(({ tenantId, tokens, apiKey, adopt }) => ({
      tenantId,
      tokens: tokens.map(tokenTypeOf),
      ...(!apiKey && { apiKey: false as const }),
      adopted: adopt,
    })),
    ...(tokenRequestsPerSec !== undefined && { tokenRequestsPerSec }),
    ...(options.fullMonitoring && { fullMonitoring: true }),
    ...(options.trailEvents && { trailEvents: true }),
    ...networkOf(options),
  };
}

/** Only what differs from a direct way out. A file with authorities is deployed with the code instead. */
function networkOf({ proxy, certificateAuthorities }: CheckedOptions): Pick<DeploymentFile, 'network'> {
  const parameterName =
    certificateAuthorities !== undefined && 'parameterName' in certificateAuthorities
      ? certificateAuthorities.parameterName
      : undefined;
  if (proxy === undefined && parameterName === undefined) return {};
  return {
    network: {
      ...(proxy && { proxy: proxySettingsOf(proxy) }),
      ...(parameterName !== undefined && { certificateAuthorities: parameterName }),
    },
  };
}

/** Without the key, which only the functions' policies name. */
function proxySettingsOf({
  url,
  credentialsSecretArn,
  noProxy,
  awsCalls,
}: NonNullable<CheckedOptions['proxy']>): ProxySettings {
  return { url, ...(credentialsSecretArn !== undefined && { credentialsSecretArn }), noProxy, awsCalls };
}

/** Without what only synthesis needs. */
function engineProfileOf({ tokenEndpoint, request, answer, errors, offers }: IssuerProfile): EngineProfile {
  return { tokenEndpoint, request, answer, errors, offers };
}
