import { PROBES } from '../../probes/catalogue';
import { type Probe } from '../../probes/probe';
import { type LaptopAccount, startLaptopAccount } from './support/laptop-account';

jest.setTimeout(120_000);

/** What the laptop cannot show, and why. */
const NOT_ON_THE_LAPTOP: Readonly<Record<string, string>> = {
  'audited-reads': 'no CloudTrail',
  'audited-denials': 'no CloudTrail',
};

let laptop: LaptopAccount;
beforeAll(async () => {
  laptop = await startLaptopAccount();
});
afterAll(() => laptop.close());

const probesThatNeed = (needs: Probe['needs']) =>
  PROBES.filter((probe) => (probe.needs ?? 'account') === needs).map((probe) => [probe.id, probe] as const);

async function expectAsReliedOn(id: string, probe: Probe): Promise<void> {
  const [result] = await laptop.run([probe]);

  expect(result).toMatchObject({ verdict: id in NOT_ON_THE_LAPTOP ? 'not run' : 'as relied on' });
}

// First, because hours pass in some, in which the functions of a deployment would run many times.
describe('in an account', () => {
  test.each(probesThatNeed('account'))('%s', expectAsReliedOn);

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
});

describe('with Latchkey', () => {
  beforeAll(async () => {
    await laptop.deployLatchkey();
  });

  test.each(probesThatNeed('latchkey'))('%s', expectAsReliedOn);
});
