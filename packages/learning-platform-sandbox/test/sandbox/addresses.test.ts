import { addressesOf, partsOf } from '../../src/sandbox/addresses';
import { DEFAULT_SEED, parseSeed } from '../../src/sandbox/seed';

const seed = parseSeed(DEFAULT_SEED);

test('Address placeholders: each deployment has its own bases, and each environment its own tenant service', () => {
  const addresses = addressesOf(seed, () => 'https://o');

  expect(addresses.control).toBe('https://o/_sandbox');
  expect(addresses.deployments).toHaveLength(4);
  expect(addresses.deployments[1]).toEqual({
    environment: 'staging',
    platformRegion: 'mea',
    contentBaseUrl: 'https://o/staging/mea/rest/v1',
    contentTokenBaseUrl: 'https://o/staging/mea/auth',
    webhooksBaseUrl: 'https://o/staging/mea/webhooks/v1',
    webhooksTokenBaseUrl: 'https://o/staging/mea/webhooks-auth',
  });
  expect(addresses.tenantServices).toEqual({
    staging: 'https://o/tenant-service/staging',
    live: 'https://o/tenant-service/live',
  });
});

test('every address belongs to one part, and control comes first', () => {
  const parts = partsOf(seed).map(({ path }) => path);

  const addresses = addressesOf(seed, (path) => `${parts.indexOf(path)} `);

  const told = JSON.stringify(addresses)
    .match(/"\d+ /g)!
    .map((text) => parseInt(text.slice(1)));
  expect(addresses.control).toMatch(/^0 /);
  expect(told).toEqual(parts.map((_, n) => n));
});
