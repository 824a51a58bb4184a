import { PROBES } from '../../probes/catalogue';
import { type LaptopAccount, startLaptopAccount } from './support/laptop-account';

jest.setTimeout(120_000);

/** What the laptop cannot show, and why. */
const NOT_ON_THE_LAPTOP = new Map([
  ['audited-reads', 'no CloudTrail'],
  ['audited-denials', 'no CloudTrail'],
]);
const ELSEWHERE = PROBES.filter(({ id }) => NOT_ON_THE_LAPTOP.has(id));

let laptop: LaptopAccount;
beforeAll(async () => {
  laptop = await startLaptopAccount();
  await laptop.deployLatchkey();
});
afterAll(() => laptop.close());

test.each(PROBES.filter((probe) => !ELSEWHERE.includes(probe)).map((probe) => [probe.id, probe] as const))(
  '%s',
  async (_id, probe) => {
    const [result] = await laptop.run([probe]);

    expect(result).toMatchObject({ verdict: 'as relied on' });
  },
);

test('what the laptop cannot show does not run', async () => {
  const results = await laptop.run(ELSEWHERE);

  expect(results.map(({ id, verdict }) => [id, verdict])).toEqual(
    [...NOT_ON_THE_LAPTOP.keys()].map((id) => [id, 'not run']),
  );
});

test('pending-after-success, if AWSPENDING stays on the version that a rotation made current', async () => {
  const { rotator } = laptop.services;
  rotator.keepsPending = true;

  const [result] = await laptop.run(PROBES.filter(({ id }) => id === 'pending-after-success'));

  rotator.keepsPending = false;
  expect(result).toMatchObject({
    verdict: 'as relied on',
    seen: expect.stringContaining('AWSPENDING stayed on the current version') as string,
  });
});
