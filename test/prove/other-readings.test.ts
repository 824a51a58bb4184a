import { PROBES } from '../../probes/catalogue';
import { callLaptop, type LaptopAccess } from '../../prove/laptop-control';
import { type LaptopAccount, startLaptopAccount } from './support/laptop-account';

jest.setTimeout(120_000);

let laptop: LaptopAccount;
beforeAll(async () => {
  laptop = await startLaptopAccount();
});
afterEach(() => choose({}));
afterAll(() => laptop.close());

/** Chooses behaviors of API Gateway where AWS was seen to do several; the usual ones for `{}`. */
async function choose(readings: object): Promise<void> {
  await callLaptop(laptop.ports.clientConfig() as LaptopAccess, 'api-gateway', readings);
}

test.each([
  ['path-parameters', { pathParameters: 'decoded' }, 'as one: decoded'],
  ['undefined-route', { undefinedRoutes: 'signature' }, 'Bearer: 403 INVALID_SIGNATURE'],
])('%s, with %j', async (id, readings, seen) => {
  await choose(readings);

  const [result] = await laptop.run(PROBES.filter((probe) => probe.id === id));

  expect(result).toMatchObject({
    verdict: 'as relied on',
    seen: expect.stringContaining(seen) as string,
  });
});
