import { PROBES } from '../../probes/catalogue';
import { type LaptopAccount, startLaptopAccount } from './support/laptop-account';

jest.setTimeout(120_000);

let laptop: LaptopAccount;
beforeAll(async () => {
  laptop = await startLaptopAccount();
  await laptop.deployLatchkey();
});
afterAll(() => laptop.close());

test.each(PROBES.map((probe) => [probe.id, probe] as const))('%s', async (_id, probe) => {
  const [result] = await laptop.run([probe]);

  expect(result).toMatchObject({ verdict: 'as relied on' });
});
