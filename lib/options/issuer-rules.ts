import {
  ADDRESS_RULE,
  addressFault,
  LOCAL_ADDRESS_RULE,
  showAddress,
} from '../../core/deployment/platform-address';
import { type IssuerProfile, type TokenBase } from '../../core/issuers/issuer-profile';
import { tokenAddressOf } from '../../core/issuers/token-request';
import { tokenSecretName } from '../../core/secrets/secret-names';
import { tokenKeyOf, type TokenType } from '../../core/tokens/token-key';
import { type ConfigurationIssue, InsteadOfValue } from './configuration-issue';
import { ANY_ISSUER } from './issuers';
import { wellFormedKeyOf, type WellFormedDeployment, type WellFormedTenant } from './well-formed';

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
  const { issuer, environment, profile, tokenBaseUrl, tenants = [] } = deployment;
  // The schema reports what is malformed.
  if (issuer === undefined || profile === undefined) return [];
  const isProfileRead = profile.name !== ANY_ISSUER.name;
  return [
    ...addressIssues(tokenBaseUrl, local),
    ...tenants.flatMap((tenant, index) =>
      tenant === undefined || environment === undefined || !isProfileRead
        ? []
        : tenantIssues(deployment, tenant, profile, local).map((issue) => ({
            ...issue,
            path: ['tenants', index, ...issue.path],
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

/** A prefix of maximum length, so that a name that fits does so with any prefix. */
const LONGEST_PREFIX = 'p'.repeat(29);

function tenantIssues(
  deployment: WellFormedDeployment,
  tenant: WellFormedTenant,
  profile: IssuerProfile,
  local: boolean,
): ConfigurationIssue[] {
  return (tenant.tokens ?? []).flatMap((token, index) => {
    if (token?.interface === undefined || token.scope === undefined) return [];
    return [
      ...endpointIssues(deployment, tenant, token, profile, local),
      ...secretNameIssues(deployment, tenant, { interface: token.interface, scope: token.scope }),
    ].map((issue) => ({ ...issue, path: ['tokens', index, ...issue.path] }));
  });
}

/** Violated rules about the parameters and the token endpoint of a token. Paths are relative to the token. */
function endpointIssues(
  deployment: WellFormedDeployment,
  { tenantId, parameters }: WellFormedTenant,
  token: NonNullable<NonNullable<WellFormedTenant['tokens']>[number]>,
  profile: IssuerProfile,
  local: boolean,
): ConfigurationIssue[] {
  const issues: ConfigurationIssue[] = [];
  const values = { ...parameters, ...token.parameters };
  const missing = Object.keys(profile.parameters ?? {}).filter((name) => !(name in values));
  if (missing.length > 0) {
    const allowed = `an object with ${missing.join(' and ')}, or the same in parameters of the tenant`;
    issues.push({ path: ['parameters'], found: token.parameters, allowed });
  }
  const base = basesOf(profile, deployment).find(
    (candidate) => (candidate.interface ?? token.interface) === token.interface,
  );
  const baseUrl = deployment.tokenBaseUrl ?? base?.url;
  if (!local && baseUrl === undefined) {
    const allowed = 'an interface for which the profile has a base URL, or tokenBaseUrl in the deployment';
    issues.push({ path: ['interface'], found: token.interface, allowed });
  }
  // A wrong tokenBaseUrl and malformed parameters have issues of their own.
  const isBaseValid =
    baseUrl !== undefined && (baseUrl === base?.url || addressFault(baseUrl, local) === undefined);
  const areParametersValid =
    missing.length === 0 && Object.values(values).every((value) => value !== undefined);
  if (!isBaseValid || !areParametersValid || tenantId === undefined) return issues;
  const { url, fault } = tokenAddressOf(profile.tokenEndpoint, baseUrl, {
    tenantId,
    parameters: values as Record<string, string>,
  });
  if (fault !== undefined) {
    const found = new InsteadOfValue(`the token endpoint ${JSON.stringify(showAddress(url))} (${fault})`);
    issues.push({ path: [], found, allowed: local ? LOCAL_ADDRESS_RULE : ADDRESS_RULE });
  }
  return issues;
}

/** Paths are relative to the token. */
function secretNameIssues(
  deployment: WellFormedDeployment,
  { tenantId }: WellFormedTenant,
  tokenType: TokenType,
): ConfigurationIssue[] {
  const key = wellFormedKeyOf(deployment);
  if (key === undefined || tenantId === undefined) return [];
  const name = tokenSecretName(LONGEST_PREFIX, tokenKeyOf({ ...key, tenantId }, tokenType));
  if (name.length <= MAX_NAME) return [];
  const allowed = 'fewer or shorter scopes: the name of the secret would be too long';
  return [{ path: ['scope'], found: tokenType.scope, allowed }];
}
