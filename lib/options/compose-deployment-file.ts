import {
  type DeploymentFile,
  type DeployedProfile,
  type PlatformAddresses,
  type ProxySettings,
} from '../../core/deployment/deployment-file';
import { normalizeAddress } from '../../core/deployment/platform-address';
import { type IssuerProfile } from '../../core/issuers/issuer-profile';
import { LEARNING_PLATFORM } from '../../core/issuers/learning-platform';
import { deploymentKeyOf, tokenTypeOf } from '../../core/tokens/token-key';
import { basesOf } from './issuer-rules';
import { type CheckedOptions } from './schema';

/** The sandbox has no rate limit, so many tenants get their first tokens fast. */
const LOCAL_TOKEN_REQUESTS_PER_SEC = 1_000;

/** The deployment file: the options that the functions need. */
export function deploymentFileOf(options: CheckedOptions): DeploymentFile {
  const { prefix, restore, restoreApi, credentials, tenants, tokenBaseUrl } = options;
  const tokenRequestsPerSec =
    options.tokenRequestsPerSec ?? (options.local ? LOCAL_TOKEN_REQUESTS_PER_SEC : undefined);
  return {
    prefix,
    ...deploymentKeyOf(options),
    profile: deployedProfileOf(options),
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

/** Empty for calls without a proxy that trust Node's authorities only. A file of authorities is deployed with the code. */
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

/** The proxy without its key: only the functions' policies need that. */
function proxySettingsOf({
  url,
  credentialsSecretArn,
  noProxy,
  awsCalls,
}: NonNullable<CheckedOptions['proxy']>): ProxySettings {
  return { url, ...(credentialsSecretArn !== undefined && { credentialsSecretArn }), noProxy, awsCalls };
}

/** The parts of the profile that the functions need, with the base URLs of this deployment only. */
function deployedProfileOf(options: CheckedOptions): DeployedProfile {
  const profile: IssuerProfile = options.profile ?? LEARNING_PLATFORM;
  const { tokenEndpoint, request, answer, errors, offers } = profile;
  const bases = basesOf(profile, options).map(({ url, interface: tokenInterface }) => ({
    url,
    ...(tokenInterface && { interface: tokenInterface }),
  }));
  return {
    tokenEndpoint: { ...(bases.length > 0 && { bases }), path: tokenEndpoint.path },
    request,
    answer,
    errors,
    offers,
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
