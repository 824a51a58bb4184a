import { addressFault, ADDRESS_RULE, normalizeAddress, showAddress } from '../../contract/platform-address';
import { ENVIRONMENTS, PLATFORM_REGIONS } from '../../contract/platform';
import { deploymentIssues } from './deployment-rules';
import { type ConfigurationIssue } from './configuration-issue';
import { type Outline } from './outline';
import { tenantIssues } from './tenant-rules';

interface Address {
  path: (string | number)[];
  environment: string;
  value: string;
}

/** All violated rules that involve several fields. */
export function crossIssues(outline: Outline): ConfigurationIssue[] {
  const addresses = listAddresses(outline);
  return [
    ...addressIssues(outline, addresses),
    ...separationIssues(addresses),
    ...deploymentIssues(outline),
    ...tenantIssues(outline),
  ];
}

function listAddresses({ endpoints }: Outline): Address[] {
  return ENVIRONMENTS.flatMap((environment) =>
    PLATFORM_REGIONS.flatMap((platformRegion) =>
      Object.entries(endpoints[environment]?.[platformRegion] ?? {}).flatMap(([field, value]) =>
        value === null
          ? []
          : [{ path: ['endpoints', environment, platformRegion, field], environment, value }],
      ),
    ),
  );
}

function addressIssues({ local }: Outline, addresses: Address[]): ConfigurationIssue[] {
  return addresses.flatMap(({ path, value }) => {
    const fault = addressFault(value, local);
    const rule = local ? 'an https URL on loopback, because the configuration is local' : ADDRESS_RULE;
    return fault === undefined ? [] : [{ path, found: `${showAddress(value)} (${fault})`, allowed: rule }];
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
