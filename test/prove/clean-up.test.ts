import { setImmediate } from 'node:timers/promises';

import { CreateSecretCommand } from '@aws-sdk/client-secrets-manager';

import { DeploymentFailed } from '../../probes/system';
import { cleanUp, findRuns } from '../../prove/clean-up';
import { clientsWith } from '../../prove/clients';
import { SeededRandom } from '../simulation/support/seeded-random';
import { IS_FULL, printFigures, SEED } from '../support/test-size';
import { IMMORTAL, type Moments, ProvenAccount } from './support/proven-account';

// A removal takes a second, and many on a busy machine.
jest.setTimeout(IS_FULL ? 300_000 : 60_000);
const KILLS = IS_FULL ? 40 : 4;
const random = new SeededRandom(SEED);
const below = (limit: number) => Math.floor(random.next() * limit);
const newPrefix = () =>
  `prove-${Math.floor(random.next() * 2 ** 32)
    .toString(16)
    .padStart(8, '0')}`;

describe('the removal of a run', () => {
  const proven = new ProvenAccount();
  beforeAll(() => proven.start());
  afterAll(() => proven.close());

  const recordOf = (prefix: string) => {
    const [record] = proven.records
      .list(proven.options(prefix).place)
      .filter((each) => each.prefix === prefix);
    return record!;
  };
  const clean = (prefix: string) => cleanUp(recordOf(prefix), proven.options(prefix));

  test('leaves nothing of it but its key, which waits for seven days, and counts what was removed', async () => {
    const before = proven.contents();
    const prefix = newPrefix();
    await proven.useFor(prefix);
    const nowMs = (await proven.options(prefix).time.now()).getTime();

    const { removed, left, notServed } = await clean(prefix);

    expect(proven.contents()).toEqual(before);
    expect(removed).toEqual({ stack: 3, secret: 4, parameter: 1, 'log group': 2, 'key alias': 1 });
    expect(left).toEqual([expect.objectContaining({ kind: 'key', reason: 'AWS deletes it later' })]);
    const days = (left[0]!.until!.getTime() - nowMs) / (24 * 60 * 60 * 1000);
    expect(Math.round(days)).toBe(7);
    expect(notServed).toEqual(['dashboard', 'queue', 'role']);
    expect(proven.records.list(proven.options(prefix).place)).toEqual([]);
  });

  test('touches nothing of another run, or whose name only looks like its own', async () => {
    const [prefix, other] = [newPrefix(), newPrefix()];
    const { secretsManager } = clientsWith(proven.options(prefix).clientConfig());
    for (const Name of [`${prefix}x/secret`, `my-${prefix}`, 'legacy/secret'])
      await secretsManager.send(new CreateSecretCommand({ Name }));
    await proven.useFor(other);
    const before = proven.contents();
    await proven.useFor(prefix);

    await clean(prefix);

    expect(proven.contents()).toEqual(before);
    await clean(other);
  });

  test('finds runs whose record is lost', async () => {
    const prefix = newPrefix();
    const before = proven.contents();
    await proven.useFor(prefix);
    proven.records.remove(prefix);

    const found = await findRuns(proven.options(prefix));
    for (const record of found) await cleanUp(record, proven.options(prefix));

    expect(found.map((each) => each.prefix)).toEqual([prefix]);
    expect(proven.contents()).toEqual(before);
  });

  test.each([
    ['account', { accountId: '222222222222' }],
    ['region', { region: 'eu-west-2' }],
  ])('is refused in another %s', async (_, other) => {
    const prefix = newPrefix();
    await proven.useFor(prefix);
    const before = proven.contents();

    const refused = cleanUp({ ...recordOf(prefix), ...other }, proven.options(prefix));

    await expect(refused).rejects.toMatchObject({ code: 'other_account' });
    expect(proven.contents()).toEqual(before);
    await clean(prefix);
  });

  test('tries a stack again once what may block it is removed', async () => {
    const prefix = newPrefix();
    const before = proven.contents();
    await proven.useFor(prefix);
    const options = proven.options(prefix);
    let hasFailed = false;
    const remove = async (...names: readonly string[]) => {
      const isBlocked = proven.contents().includes(`/${prefix}/staging/global/key-arn`);
      if (isBlocked && names.includes(`${prefix}-small`)) {
        hasFailed = true;
        throw new DeploymentFailed('a parameter is in the way', 'DELETE_FAILED');
      }
      await options.stacks.delete(...names);
    };

    const { left } = await cleanUp(recordOf(prefix), {
      ...options,
      stacks: { ...options.stacks, delete: remove },
    });

    expect([hasFailed, left.map(({ kind }) => kind)]).toEqual([true, ['key']]);
    expect(proven.contents()).toEqual(before);
  });

  test('says what cannot be removed and why, removes the rest, and keeps the record for the next time', async () => {
    const prefix = newPrefix();
    const before = proven.contents();
    await proven.useFor(prefix);
    const options = proven.options(prefix);
    const remove = async (...names: readonly string[]) => {
      if (names.includes(`${prefix}-small`)) throw new DeploymentFailed('it is in use', 'DELETE_FAILED');
      await options.stacks.delete(...names);
    };

    // Nothing becomes visible only later here.
    const time = { ...options.time, until: (look: () => Promise<unknown>) => look() } as typeof options.time;
    const stacks = { ...options.stacks, delete: remove };
    const { left } = await cleanUp(recordOf(prefix), { ...options, stacks, time });
    const still = await options.stacks.list(prefix);
    const kept = recordOf(prefix);
    await clean(prefix);

    expect(left).toContainEqual({
      ...{ kind: 'stack', name: `${prefix}-small`, reason: 'DeploymentFailed: it is in use' },
    });
    expect(still.map(({ name }) => name)).toEqual([`${prefix}-small`]);
    expect(kept.prefix).toBe(prefix);
    expect(proven.contents()).toEqual(before);
  });

  test('does not wait for what the caller may not see, and says so', async () => {
    const prefix = newPrefix();
    await proven.useFor(prefix);
    const options = proven.options(prefix, IMMORTAL, [
      { Effect: 'Allow', Action: '*', Resource: '*' },
      { Effect: 'Deny', Action: 'logs:DescribeLogGroups', Resource: '*' },
    ]);
    const begun = await options.time.now();

    const { left } = await cleanUp(recordOf(prefix), options);

    const waitedMs = (await options.time.now()).getTime() - begun.getTime();
    expect(left.filter(({ until }) => until === undefined)).toEqual([
      {
        kind: 'log group',
        name: '*',
        reason: expect.stringMatching(/^AccessDenied.*logs:DescribeLogGroups/) as string,
      },
    ]);
    expect(waitedMs).toBeLessThan(10_000);
    await clean(prefix);
  });

  test('is refused for what is no prefix of a run', async () => {
    const record = { prefix: 'legacy', accountId: '111111111111', region: 'eu-west-1' };

    const refused = cleanUp({ ...record, createdAt: '', restApiIds: [] }, proven.options('legacy'));

    await expect(refused).rejects.toThrow(TypeError);
  });

  test(`leaves nothing when run and removal are killed at random, ${KILLS} times`, async () => {
    const before = proven.contents();
    const prefix = newPrefix();
    const all = new Counted(Infinity);
    await proven.useFor(prefix, all);
    const inRun = all.passed;
    await cleanUp(recordOf(prefix), proven.options(prefix, all));

    for (let kill = 0; kill < KILLS; kill += 1) {
      const one = newPrefix();
      // Half of them die before their removal begins.
      const diesAt = kill % 2 === 0 ? below(inRun) : inRun + below(all.passed - inRun);
      const first = new Counted(diesAt);
      const process = proven
        .useFor(one, first)
        .then(() => cleanUp(recordOf(one), proven.options(one, first)));
      await Promise.race([process, first.death]);
      const second = new Counted(below(all.passed - inRun));
      if (recordOf(one) !== undefined)
        await Promise.race([cleanUp(recordOf(one), proven.options(one, second)), second.death]);

      for (const record of await findRuns(proven.options(one))) await cleanUp(record, proven.options(one));

      expect(proven.contents()).toEqual(before);
    }
    printFigures(
      `${KILLS} runs killed at one of ${all.passed} moments, half of them before their removal, and each removal ` +
        'killed again; left behind: 0 but keys in deletion',
    );
  });
});

/** Moments of a process that dies at one of them. */
class Counted implements Moments {
  passed = 0;
  readonly death: Promise<void>;
  readonly #diesAt: number;
  #die!: () => void;

  constructor(diesAt: number) {
    this.#diesAt = diesAt;
    this.death = new Promise((resolve) => (this.#die = resolve));
  }

  async pass(): Promise<void> {
    if (this.passed++ < this.#diesAt) return setImmediate();
    this.#die();
    return new Promise(() => undefined);
  }
}
