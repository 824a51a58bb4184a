import {
  type DeploymentFile,
  type EngineProfile,
  type PlatformAddresses,
  type ProxySettings,
} from '../../core/deployment/deployment-file';
import { normalizeAddress } from '../../core/deployment/platform-address';
import { type IssuerProfile } from '../../core/issuers/issuer-profile';
import { LEARNING_PLATFORM } from '../../core/issuers/learning-platform';
import { deploymentKeyOf, tokenTypeOf } from '../../core/tokens/token-key';
import { basesOf } from './issuer-rules';
import { type CheckedOptions } from './schema';

/** The sandbox on the laptop has no limit, so that many tenants come up fast. */
const LOCAL_TOKEN_REQUESTS_PER_SEC = 1_000;

/** The deployment file: the options that the functions need. */
export function deploymentFileOf(options: CheckedOptions): DeploymentFile {
  const { prefix, restore, restoreApi, credentials, tenants, tokenBaseUrl } = options;
  const tokenRequestsPerSec =
    options.tokenRequestsPerSec ?? (options.local ? LOCAL_TOKEN_REQUESTS_PER_SEC : undefined);
  return {
    prefix,
    ...deploymentKeyOf(options),
    profile: engineProfileOf(options),
    platform: normalized({ ...options.endpoints, ...(tokenBaseUrl !== undefined && { tokenBaseUrl }) }),
    restore,
    restoreApi: {
      apiKeyGraceSec: restoreApi.apiKeyGraceHours * 3600,
      acceptsApiKeys: restoreApi.enabled && restoreApi.auth === 'platform',
    },
    credentials: { maxAgeDays: credentials.maxAgeDays, rotationSchedule: credentials.rotationSchedule },
    tenants: tenants.map(({ tenantId, tokens, apiKey, adopt, parameters }) => ({
      tenantId,
      tokens: tokens.map((token) => ({ ...tokenTypeOf(token), ...parametersIn(token) })),
      ...parametersIn({ parameters }),
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

/** Without what only synthesis needs, and with the base URLs of this deployment. */
function engineProfileOf(options: CheckedOptions): EngineProfile {
  const { profile = LEARNING_PLATFORM as IssuerProfile } = options;
  const { tokenEndpoint, request, answer, errors, offers } = profile;
  const bases = basesOf(profile, options).map(({ url, interface: of }) => ({
    url,
    ...(of && { interface: of }),
  }));
  return {
    tokenEndpoint: { ...(bases.length > 0 && { bases }), path: tokenEndpoint.path },
    ...{ request, answer, errors, offers },
  };
}

function normalized(addresses: PlatformAddresses): PlatformAddresses {
  const given = Object.entries(addresses) as [string, string | undefined][];
  return Object.fromEntries(
    given.flatMap(([name, url]) => (url === undefined ? [] : [[name, normalizeAddress(url)]])),
  );
}

function parametersIn({ parameters }: { parameters?: Record<string, string> | undefined }) {
  return parameters === undefined ? {} : { parameters };
}
