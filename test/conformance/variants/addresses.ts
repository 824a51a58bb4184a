import { type Variant } from '../variant';

const CELLS = {
  'row-staging-all-regions-except-mea': ['staging', 'global'],
  'row-staging-mea': ['staging', 'mea'],
  'row-production-all-regions-except-mea': ['production', 'global'],
  'row-production-mea': ['production', 'mea'],
} as const;

/** Variants that break the checks of environments and platform regions. */
export const ADDRESS_VARIANTS: readonly Variant[] = [
  // The credentials of one row are accepted at the token bases of the other region too.
  ...Object.entries(CELLS).map(([row, [environment, platformRegion]]): Variant => ({
    clause: `address-placeholders/${row}`,
    file: 'sandbox/tokens/client-credentials.ts',
    from: 'credential.owner.platformRegion === owner.platformRegion',
    to: `(credential.owner.platformRegion === owner.platformRegion || (credential.owner.environment === '${environment}' && credential.owner.platformRegion === '${platformRegion}'))`,
  })),
  {
    clause: 'address-placeholders/paragraph-1',
    file: 'sandbox/tenant-service/tenant-service.ts',
    from: 'session?.tenant.environment !== environment ||',
    to: 'session === undefined ||',
  },
  {
    clause: 'address-placeholders/paragraph-1',
    file: 'sandbox/addresses.ts',
    from: 'webhooksBaseUrl: at(paths.webhooks),',
    to: "webhooksBaseUrl: at(environment === 'production' ? '/staging/mea/webhooks/v1' : paths.webhooks),",
  },
  {
    clause: 'oauth-2-0-client-credentials/rule-1',
    file: 'sandbox/content/authentication.ts',
    from: 'state.tenants.find(cell, grant.tenantId)',
    to: 'state.tenants.find(grant, grant.tenantId)',
  },
  {
    clause: 'oauth-2-0-client-credentials/rule-1',
    file: 'sandbox/webhooks/webhooks-interface.ts',
    from: ' || cellName(grant) !== cellName(cell)',
    to: '',
  },
];
