import {
  addressFault,
  ADDRESS_RULE,
  LOCAL_ADDRESS_RULE,
  normalizeAddress,
  showAddress,
} from '../../core/deployment/platform-address';
import { ENVIRONMENTS, PLATFORM_REGIONS } from '../../core/deployment/platform';
import { deploymentIssues } from './deployment-rules';
import { type ConfigurationIssue } from './configuration-issue';
import { partitionIssues } from './partition-rules';
import { requiredTagIssues } from './required-tag-rules';
import { tenantIssues } from './tenant-rules';
import { type WellFormedConfiguration } from './well-formed';

interface Address {
  path: (string | number)[];
  environment: string;
  field: string;
  value: string;
}

/** All violated rules that involve several fields. */
export function crossIssues(configuration: WellFormedConfiguration): ConfigurationIssue[] {
  const addresses = listAddresses(configuration);
  const wrong = [...addressIssues(configuration, addresses), ...separationIssues(addresses)];
  const validAddresses = addresses.filter(({ path }) => !wrong.some((issue) => issue.path === path));
  return [
    ...wrong,
    ...ENVIRONMENTS.flatMap((environment) =>
      collisionIssues(validAddresses.filter((address) => address.environment === environment)),
    ),
    ...deploymentIssues(configuration),
    ...tenantIssues(configuration),
    ...requiredTagIssues(configuration),
    ...partitionIssues(configuration),
  ];
}

function listAddresses({ endpoints }: WellFormedConfiguration): Address[] {
  return ENVIRONMENTS.flatMap((environment) =>
    PLATFORM_REGIONS.flatMap((platformRegion) =>
      Object.entries(endpoints?.[environment]?.[platformRegion] ?? {}).flatMap(([field, value]) =>
        value === undefined
          ? []
          : [{ path: ['endpoints', environment, platformRegion, field], environment, field, value }],
      ),
    ),
  );
}

function addressIssues(
  { local = false }: WellFormedConfiguration,
  addresses: Address[],
): ConfigurationIssue[] {
  return addresses.flatMap(({ path, field, value }) => {
    const fault = addressFault(value, local);
    const rule = local ? LOCAL_ADDRESS_RULE : ADDRESS_RULE;
    if (fault !== undefined) return [{ path, found: `${showAddress(value)} (${fault})`, allowed: rule }];
    if (!TOKEN_BASES.includes(field) || !/\/oauth2\/token(\/|$)/.test(value)) return [];
    const allowed = 'the address before /oauth2/token, which Latchkey appends with the tenant';
    return [{ path, found: value, allowed }];
  });
}

/** Staging and production have different addresses; the same one, or one below the other, is a dangerous mistake. */
function separationIssues(addresses: Address[]): ConfigurationIssue[] {
  const valid = addresses.filter(({ value }) => URL.canParse(value));
  const within = (inner: Address, outer: Address) =>
    `${normalizeAddress(inner.value)}/`.startsWith(`${normalizeAddress(outer.value)}/`);
  const production = valid.filter(({ environment }) => environment === 'production');
  return valid
    .filter(({ environment }) => environment === 'staging')
    .flatMap((staging) => {
      const same = production.find((other) => within(staging, other) || within(other, staging));
      if (same === undefined) return [];
      const allowed = `a staging address, separate from ${same.path.join('.')}`;
      return [{ path: staging.path, found: showAddress(staging.value), allowed }];
    });
}

/**
 * Addresses of one environment that cannot be right together: two interfaces with the same address, two token
 * endpoints with the same address, or two tenant services.
 * @see docs/decisions/0020-addresses-of-one-environment.md
 */
function collisionIssues(addresses: readonly Address[]): ConfigurationIssue[] {
  const isSame = (one: Address, other: Address) =>
    normalizeAddress(one.value) === normalizeAddress(other.value);
  return addresses.flatMap((address, index) => {
    const { path, field, value } = address;
    const found = showAddress(value);
    const earlier = addresses.slice(0, index);
    if (field === 'tenantServiceUrl') {
      const other = earlier.find((each) => each.field === field && !isSame(each, address));
      if (other === undefined) return [];
      const allowed = `the address in ${other.path.join('.')}; an environment has one tenant service`;
      return [{ path, found, allowed }];
    }
    const same = earlier.find((other) => isSame(other, address) && mustDiffer(field, other.field));
    if (same === undefined) return [];
    return [{ path, found, allowed: `an address that differs from ${same.path.join('.')}` }];
  });
}

const BASES = ['contentBaseUrl', 'webhooksBaseUrl'];
const TOKEN_BASES = ['contentTokenBaseUrl', 'webhooksTokenBaseUrl'];

/** Whether addresses of these two fields must differ, in any region. */
function mustDiffer(field: string, other: string): boolean {
  if (TOKEN_BASES.includes(field)) return TOKEN_BASES.includes(other);
  return field !== other && BASES.includes(field) && BASES.includes(other);
}
