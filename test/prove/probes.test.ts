import { PROBES } from '../../probes/catalogue';
import { type Probe } from '../../probes/probe';
import { type RunLatchkey } from '../../prove/deployed-latchkey';
import { callerPolicy } from '../../prove/policy';
import { type LaptopAccount, startLaptopAccount } from './support/laptop-account';

jest.setTimeout(120_000);

/** What the laptop cannot show, and why. */
const NOT_ON_THE_LAPTOP: Readonly<Record<string, string>> = {
  'plain-http': 'no plain HTTP',
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

/** Runs a probe while the laptop does what AWS may do instead. */
async function expectSeen(readings: object, chosen: object, id: string, seen: string): Promise<void> {
  const defaults = { ...readings };
  Object.assign(readings, chosen);
  try {
    const [result] = await laptop.run(PROBES.filter((probe) => probe.id === id));
    expect(result).toMatchObject({
      verdict: 'as relied on',
      seen: expect.stringContaining(seen) as string,
    });
  } finally {
    Object.assign(readings, defaults);
  }
}

test.each([['undefined-route', { undefinedRoutes: 'signature' }, 'Bearer: 403 INVALID_SIGNATURE']])(
  '%s, with %j',
  (id, chosen, seen) => expectSeen(laptop.services.restApis.readings, chosen, id, seen),
);

describe('with Latchkey', () => {
  let latchkey: RunLatchkey;
  beforeAll(async () => {
    latchkey = await laptop.deployLatchkey();
  });

  test.each(probesThatNeed('latchkey'))('%s', expectAsReliedOn);

  test.each([['silence', { evaluationRange: 'window' }, 'without sweeps']])(
    '%s, with %j',
    (id, chosen, seen) => expectSeen(laptop.services.alarms.readings, chosen, id, seen),
  );

  describe('without a statement of the policy that the command prints', () => {
    const without = (sid: string) => {
      const { Statement, Version } = callerPolicy();
      expect(Statement.map(({ Sid }) => Sid)).toContain(sid);
      laptop.allow({ Version, Statement: Statement.filter(({ Sid }) => Sid !== sid) });
    };
    const reasons = async () => (await laptop.cleanUp()).left.map(({ kind, reason }) => `${kind}: ${reason}`);
    afterEach(() => laptop.allow(callerPolicy()));

    test('nothing is deployed', async () => {
      without('DeployWithCdk');

      const template = { Resources: { Topic: { Type: 'AWS::SNS::Topic' } } };
      const deploying = laptop.ports.stacks.deploy({ name: `${latchkey.stackName}-more`, template });

      await expect(deploying).rejects.toMatchObject({ name: 'AccessDeniedException' });
    });

    test('no command runs as the operator', async () => {
      without('ActInRolesOfRuns');

      await expect(latchkey.command(['status'])).rejects.toThrow('cannot be assumed');
    });

    test('no secret of a probe is created', async () => {
      without('UseSecretsOfRuns');

      const probe = PROBES.filter(({ id }) => id === 'token-with-other-value');

      await expect(laptop.run(probe)).rejects.toThrow('secretsmanager:CreateSecret');
    });

    test('no secret that is encrypted with the deployment’s key is read', async () => {
      without('UseKeysOfSecrets');

      await expect(latchkey.tenants[0]!.apiKey()).rejects.toMatchObject({ name: 'AccessDeniedException' });
    });

    test('what is left is not found, removed or scheduled for deletion; with all of them, it is', async () => {
      const logGroup = `/aws/lambda/${latchkey.stackName}-outside`;
      const arn = `arn:aws:logs:eu-west-1:111111111111:log-group:${logGroup}`;
      laptop.account.logGroups.set(logGroup, { arn, name: logGroup, events: [] });

      without('FindWhatIsLeft');
      const unseen = await reasons();
      without('RemoveKeysOfRuns');
      const keys = await reasons();
      laptop.account.logGroups.set(logGroup, { arn, name: logGroup, events: [] });
      without('UseAndRemoveWhatHasNames');
      const named = await reasons();
      laptop.allow(callerPolicy());
      const all = await laptop.cleanUp();

      expect(unseen).toContainEqual(expect.stringMatching(/^tag: AccessDenied.*tag:GetResources/));
      expect(named).toContainEqual(expect.stringMatching(/^log group: AccessDenied.*logs:DeleteLogGroup/));
      expect(keys).toContainEqual(expect.stringMatching(/^key: AccessDenied.*kms:(DescribeKey|ScheduleKey)/));
      expect(all.left.map(({ kind, reason }) => [kind, reason])).toEqual(
        all.left.map(() => ['key', 'AWS deletes it later']),
      );
      expect(all.left).not.toEqual([]);
    });
  });
});
