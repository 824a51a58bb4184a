import { PROBES } from '../../probes/catalogue';
import { type LaptopAccount, startLaptopAccount } from './support/laptop-account';

jest.setTimeout(120_000);

let laptop: LaptopAccount;
beforeAll(async () => {
  laptop = await startLaptopAccount();
});
afterAll(() => laptop.close());

test.each([
  ['path-parameters', { pathParameters: 'decoded' }, 'as one: decoded'],
  ['undefined-route', { undefinedRoutes: 'signature' }, 'Bearer: 403 INVALID_SIGNATURE'],
])('%s, with %j', async (id, chosen, seen) => {
  const { readings } = laptop.services.restApis;
  const defaults = { ...readings };
  Object.assign(readings, chosen);

  const [result] = await laptop.run(PROBES.filter((probe) => probe.id === id));

  Object.assign(readings, defaults);
  expect(result).toMatchObject({
    verdict: 'as relied on',
    seen: expect.stringContaining(seen) as string,
  });
});
