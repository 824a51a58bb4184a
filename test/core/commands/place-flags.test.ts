import { placeFlags } from '../../../core/commands/place-flags';

const DEPLOYMENT_KEY = { environment: 'staging', platformRegion: 'mea' } as const;

test('flags select a deployment, or a tenant in it', () => {
  expect(placeFlags(DEPLOYMENT_KEY)).toBe('--environment staging --platform-region mea');
  expect(placeFlags({ ...DEPLOYMENT_KEY, tenantId: 'a' })).toBe(
    '--environment staging --platform-region mea --tenant a',
  );
  expect(placeFlags({ issuer: 'auth0', environment: 'production', tenantId: 'a' })).toBe(
    '--issuer auth0 --environment production --tenant a',
  );
});
