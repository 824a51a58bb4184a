import fc from 'fast-check';

import { TENANT_ID } from '../../../core/deployment/platform';
import { deploymentStackName, tenantStackName } from '../../../core/deployment/stack-names';

const STAGING_MEA = { environment: 'staging', platformRegion: 'mea' } as const;

describe('stack names', () => {
  it('match the contract', () => {
    expect(deploymentStackName('latchkey', STAGING_MEA)).toBe('latchkey-staging-mea');
    expect(tenantStackName('latchkey', STAGING_MEA, 'tenant-a')).toBe('latchkey-staging-mea-tenant-a');
  });

  it('are stable for ids that are not legal in stack names, or the stack would be created twice', () => {
    expect(tenantStackName('latchkey', STAGING_MEA, 'eu-west-2_AbcdEfghI')).toBe(
      'latchkey-staging-mea-eu-west-2-AbcdEfghI-537a7cf0',
    );
  });

  const tenantId = fc.oneof(
    fc.stringMatching(TENANT_ID),
    // Near collisions: ids that differ only in separators, or only past the maximum length of a name.
    fc.stringMatching(/^a[_-]b[_-]c$/),
    fc.stringMatching(/^[ab]$/).map((end) => `${'x'.repeat(127)}${end}`),
  );
  const prefix = fc.constantFrom('a', 'latchkey', 'p'.repeat(32));

  it('are legal in CloudFormation for every tenant id and prefix', () => {
    fc.assert(
      fc.property(prefix, tenantId, (name, id) => {
        expect(tenantStackName(name, STAGING_MEA, id)).toMatch(/^[A-Za-z][A-Za-z0-9-]{0,127}$/);
      }),
    );
  });

  it('differ whenever tenant ids differ', () => {
    fc.assert(
      fc.property(prefix, tenantId, tenantId, (name, one, other) => {
        fc.pre(one !== other);
        expect(tenantStackName(name, STAGING_MEA, one)).not.toBe(tenantStackName(name, STAGING_MEA, other));
      }),
      { numRuns: 1000 },
    );
  });
});
