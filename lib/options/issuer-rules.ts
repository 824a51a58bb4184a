import {
  ADDRESS_RULE,
  addressFault,
  LOCAL_ADDRESS_RULE,
  showAddress,
} from '../../core/deployment/platform-address';
import { type IssuerProfile, type TokenBase } from '../../core/issuers/issuer-profile';
import { tokenAddressOf } from '../../core/issuers/token-request';
import { tokenSecretName } from '../../core/secrets/secret-names';
import { tokenKeyOf } from '../../core/tokens/token-key';
import { type ConfigurationIssue, InsteadOfValue } from './configuration-issue';
import { ANY_ISSUER } from './issuers';
import { deploymentKeyOf, type WellFormedDeployment, type WellFormedTenant } from './well-formed';

/** The base URLs of a profile that apply to a deployment. */
export function basesOf(
  { tokenEndpoint: { bases = [] } }: IssuerProfile,
  { environment, platformRegion }: Pick<WellFormedDeployment, 'environment' | 'platformRegion'>,
): TokenBase[] {
  return bases.filter(
    (base) =>
      (base.environment ?? environment) === environment && (base.region ?? platformRegion) === platformRegion,
  );
}

/** Violated rules about a deployment of another issuer than the learning platform. Paths are relative to the deployment. */
export function issuerIssues(deployment: WellFormedDeployment, local: boolean): ConfigurationIssue[] {
  const { issuer, environment, tokenBaseUrl, tenants = [] } = deployment;
  // The schema reports what is malformed.
  const { profile } = deployment;
  if (issuer === undefined || profile === undefined) return [];
  const isKnown = profile.name !== ANY_ISSUER.name && environment !== undefined;
  return [
    ...addressIssues(tokenBaseUrl, local),
    ...tenants.flatMap((tenant, t) =>
      tenant === undefined || !isKnown
        ? []
        : tenantIssues(deployment, tenant, profile, local).map((issue) => ({
            ...issue,
            path: ['tenants', t, ...issue.path],
          })),
    ),
  ];
}

function addressIssues(tokenBaseUrl: string | undefined, local: boolean): ConfigurationIssue[] {
  const path = ['tokenBaseUrl'];
  const allowed = local ? LOCAL_ADDRESS_RULE : ADDRESS_RULE;
  if (tokenBaseUrl === undefined) return local ? [{ path, found: undefined, allowed }] : [];
  const fault = addressFault(tokenBaseUrl, local);
  return fault === undefined ? [] : [{ path, found: `${showAddress(tokenBaseUrl)} (${fault})`, allowed }];
}

/** Secrets Manager adds seven characters to a name, and an ARN's name has 512 at most. */
const MAX_NAME = 505;

function tenantIssues(
  deployment: WellFormedDeployment,
  { tenantId, tokens = [], parameters = {} }: WellFormedTenant,
  profile: IssuerProfile,
  local: boolean,
): ConfigurationIssue[] {
  const bases = basesOf(profile, deployment);
  const key = deploymentKeyOf(deployment);
  return tokens.flatMap((token, k): ConfigurationIssue[] => {
    if (token?.interface === undefined || token.scope === undefined) return [];
    const { interface: tokenInterface, scope } = token;
    const issues: ConfigurationIssue[] = [];
    const given = { ...parameters, ...token.parameters };
    const missing = Object.keys(profile.parameters ?? {}).filter((name) => !(name in given));
    if (missing.length > 0) {
      const allowed = `an object with ${missing.join(' and ')}, or the same in parameters of the tenant`;
      issues.push({ path: ['tokens', k, 'parameters'], found: token.parameters, allowed });
    }
    const base = bases.find((each) => (each.interface ?? tokenInterface) === tokenInterface);
    const baseUrl = deployment.tokenBaseUrl ?? base?.url;
    if (!local && baseUrl === undefined) {
      const allowed = 'an interface for which the profile has a base URL, or tokenBaseUrl in the deployment';
      issues.push({ path: ['tokens', k, 'interface'], found: tokenInterface, allowed });
    }
    // The address of the deployment itself is reported once, and malformed values by themselves.
    const isWellFormed = Object.values(given).every((value) => value !== undefined);
    const isRight =
      baseUrl !== undefined && (baseUrl === base?.url || addressFault(baseUrl, local) === undefined);
    if (isRight && tenantId !== undefined && missing.length === 0 && isWellFormed) {
      const at = { tenantId, parameters: given as Record<string, string> };
      const { url, fault } = tokenAddressOf(profile.tokenEndpoint, baseUrl, at);
      if (fault !== undefined) {
        const found = new InsteadOfValue(`the token endpoint ${JSON.stringify(showAddress(url))} (${fault})`);
        issues.push({ path: ['tokens', k], found, allowed: local ? LOCAL_ADDRESS_RULE : ADDRESS_RULE });
      }
    }
    if (key !== undefined && tenantId !== undefined) {
      const name = tokenSecretName(
        MAX_PREFIX,
        tokenKeyOf({ ...key, tenantId }, { interface: tokenInterface, scope }),
      );
      if (name.length > MAX_NAME) {
        const allowed = 'fewer or shorter scopes: the name of the secret would be too long';
        issues.push({ path: ['tokens', k, 'scope'], found: scope, allowed });
      }
    }
    return issues;
  });
}

/** The longest prefix: the rule should not depend on it. */
const MAX_PREFIX = 'p'.repeat(29);
