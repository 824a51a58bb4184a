import { CreateSecretCommand } from '@aws-sdk/client-secrets-manager';

import { cleanUp, listRun } from '../src/clean-up/clean-up';
import { findRuns } from '../src/clean-up/find-runs';
import { clientsWith } from '../src/clients';
import { DeploymentFailed, type Stacks } from '../src/ports';
import { SeededRandom } from '../../../test/support/live/seeded-random';
import { expectRed } from '../../../test/support/holes/expect-red';
import { IS_FULL, printFigures, SEED } from '../../../test/support/test-size';
import { killRuns } from './support/killed-runs';
import { IMMORTAL, ProvenAccount } from './support/proven-account';

// A removal takes a second, and many on a busy machine.
jest.setTimeout(IS_FULL ? 300_000 : 60_000);
const KILLS = IS_FULL ? 40 : 4;
const random = new SeededRandom(SEED);
const newPrefix = () =>
  `prove-${Math.floor(random.next() * 2 ** 32)
    .toString(16)
    .padStart(8, '0')}`;

const DELEGATION = {
  Version: '2012-10-17',
  Statement: {
    Effect: 'Allow',
    Principal: { AWS: 'arn:aws:iam::111111111111:root' },
    Action: 'kms:*',
    Resource: '*',
  },
};
const RECORD = { accountId: '111111111111', region: 'eu-west-1', createdAt: '', keyIds: [] };

describe('the removal of a run', () => {
  const proven = new ProvenAccount();
  beforeAll(() => proven.start());
  afterAll(() => proven.close());

  let prefix: string;
  let before: readonly string[];
  beforeEach(() => {
    prefix = newPrefix();
    before = proven.contents();
  });

  const recordOf = (run = prefix) => proven.recordOf(run)!;
  const clean = (run = prefix) => cleanUp(recordOf(run), proven.options());
  /** Stacks whose deletion a test can refuse. */
  const refusing = (stacks: Stacks, reasonFor: (name: string) => string | undefined): Stacks => ({
    ...stacks,
    delete: async (name) => {
      const reason = reasonFor(name);
      if (reason !== undefined) throw new DeploymentFailed(reason);
      await stacks.delete(name);
    },
  });

  test('leaves nothing of it but its key, which waits for seven days, and counts what was removed', async () => {
    await proven.useFor(prefix);
    const nowMs = (await proven.options().time.now()).getTime();

    const { removed, left } = await clean();

    expect(proven.contents()).toEqual(before);
    expect(removed).toEqual({ stack: 3, secret: 4, 'log group': 1, 'key alias': 1 });
    expect(left).toEqual([expect.objectContaining({ kind: 'key', reason: 'AWS deletes it later' })]);
    const days = (left[0]!.until!.getTime() - nowMs) / (24 * 60 * 60 * 1000);
    expect(Math.round(days)).toBe(7);
    expect(proven.recordOf(prefix)).toBeUndefined();
  });

  test('knows the key of a stack that is still being created when the removal begins', async () => {
    const { stacks } = proven.options();
    const deploying = proven.beginFor(prefix);
    while ((await stacks.list(prefix)).length === 0);
    const isBusy = (await stacks.list(prefix)).some(({ status }) => status === 'CREATE_IN_PROGRESS');

    const { left } = await clean();

    await deploying;
    expect([isBusy, left.map(({ kind }) => kind)]).toEqual([true, ['key']]);
    expect(proven.contents()).toEqual(before);
  });

  test('touches nothing of another run, or whose name only looks like its own', async () => {
    const other = newPrefix();
    const { secretsManager } = clientsWith(proven.options().clientConfig());
    for (const Name of [`${prefix}x/secret`, `my-${prefix}`, 'legacy/secret'])
      await secretsManager.send(new CreateSecretCommand({ Name }));
    await proven.useFor(other);
    before = proven.contents();
    await proven.useFor(prefix);

    await clean();

    expect(proven.contents()).toEqual(before);
    await clean(other);
  });

  describe('of whatever somebody tagged as a run’s', () => {
    const prefix = newPrefix();
    const key = 'arn:aws:kms:eu-west-1:111111111111:key/11111111-2222-3333-4444-555555555555';
    let left: readonly { name: string; reason: string }[];
    let listed: readonly string[];
    let before: readonly string[];
    let after: readonly string[];

    beforeAll(async () => {
      const { secretsManager } = clientsWith(proven.options().clientConfig());
      const Tags = [{ Key: 'latchkey:prove', Value: prefix }];
      await secretsManager.send(new CreateSecretCommand({ Name: 'latchkey/production/api-key', Tags }));
      const { account } = proven;
      const policy = [...account.keys.values()][0]?.policy ?? DELEGATION;
      account.keys.set(key, { arn: key, policy } as never);
      account.tags.set(key, { 'latchkey:prove': prefix });
      before = proven.contents();
      await proven.useFor(prefix);

      listed = await listRun(recordOf(prefix), proven.options());
      ({ left } = await clean(prefix));
      after = proven.contents();
    });

    test('T28: deletes neither the secret nor the key, and names both', () => {
      expect(after).toEqual(before);
      const reason = expect.stringContaining('has the tag of the run, but') as string;
      expect(left).toContainEqual(
        expect.objectContaining({
          name: expect.stringContaining(':secret:latchkey/production/') as string,
          reason,
        }),
      );
      expect(left).toContainEqual(expect.objectContaining({ name: key, reason }));
    });

    test('lists beforehand what it removes, and nothing else', () => {
      expect(listed).toEqual(
        expect.arrayContaining([
          `stack ${prefix}-small`,
          expect.stringMatching(`^arn:aws:secretsmanager:.*:secret:${prefix}/staging/global/credentials-`),
          `secret ${prefix}-probe/untagged`,
          expect.stringMatching('^arn:aws:kms:.*:key/'),
          `key alias alias/${prefix}`,
        ]),
      );
      expect(listed.join()).not.toMatch(/production|11111111-2222/);
    });

    test('T28: turns red with a record that has the key although no stack lists it', async () => {
      const record = { ...RECORD, prefix, keyIds: [key.slice(key.indexOf('/') + 1)] };
      await cleanUp(record, proven.options());

      await expectRed(() => expect(proven.contents()).toEqual(before));
    });
  });

  test('finds runs whose record is lost', async () => {
    await proven.useFor(prefix);
    proven.records.remove(prefix);

    const found = await findRuns(proven.options());
    for (const record of found) await cleanUp(record, proven.options());

    expect(found.filter(({ isRecorded }) => !isRecorded).map((each) => each.prefix)).toEqual([prefix]);
    expect(proven.contents()).toEqual(before);
  });

  test('tries a stack again once what may block it is removed', async () => {
    await proven.useFor(prefix);
    const options = proven.options();
    let hasFailed = false;
    const stacks = refusing(options.stacks, (name) => {
      const secret = `${prefix}/staging/global/credentials`;
      if (name !== `${prefix}-small` || !proven.contents().some((each) => each.includes(secret))) return;
      hasFailed = true;
      return 'a secret is in the way';
    });

    const { left } = await cleanUp(recordOf(), { ...options, stacks });

    expect([hasFailed, left.map(({ kind }) => kind)]).toEqual([true, ['key']]);
    expect(proven.contents()).toEqual(before);
  });

  test('says what cannot be removed and why, removes the rest, and keeps the record for the next time', async () => {
    await proven.useFor(prefix);
    const options = proven.options();
    const stacks = refusing(options.stacks, (name) =>
      name === `${prefix}-small` ? 'it is in use' : undefined,
    );
    // Nothing becomes visible only later here.
    const time = { ...options.time, until: (look: () => Promise<unknown>) => look() } as typeof options.time;

    const { left } = await cleanUp(recordOf(), { ...options, stacks, time });
    const still = await options.stacks.list(prefix);
    const kept = recordOf();
    await clean();

    expect(left).toContainEqual({
      kind: 'stack',
      name: `${prefix}-small`,
      reason: 'DeploymentFailed: it is in use',
    });
    expect(still.map(({ name }) => name)).toEqual([`${prefix}-small`]);
    expect(kept.prefix).toBe(prefix);
    expect(proven.contents()).toEqual(before);
  });

  test('does not need to write: not when the disk is full', async () => {
    await proven.useFor(prefix);
    const full = (['save', 'remove'] as const).map((change) =>
      jest.spyOn(proven.records, change).mockImplementation(() => {
        throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
      }),
    );

    await clean().finally(() => full.forEach((each) => each.mockRestore()));
    proven.records.remove(prefix);

    expect(proven.contents()).toEqual(before);
  });

  test('says what the caller may not see', async () => {
    await proven.useFor(prefix);
    const options = proven.options(IMMORTAL, [
      { Effect: 'Allow', Action: '*', Resource: '*' },
      { Effect: 'Deny', Action: ['logs:DescribeLogGroups', 'tag:GetResources'], Resource: '*' },
    ]);

    const { left } = await cleanUp(recordOf(), options);

    expect(left.filter(({ until }) => until === undefined)).toEqual([
      { kind: 'tag', name: '*', reason: expect.stringMatching(/^AccessDenied.*tag:GetResources/) as string },
      {
        kind: 'log group',
        name: '*',
        reason: expect.stringMatching(/^AccessDenied.*logs:DescribeLogGroups/) as string,
      },
    ]);
    await clean();
  });

  test.each(['latchkey', 'prove', 'prove-', ''])(
    'removes nothing of the prefix %j, which no run has',
    async (otherPrefix) => {
      await cleanUp({ ...RECORD, prefix: otherPrefix }, proven.options());

      expect(proven.contents()).toEqual(before);
    },
  );

  test(`leaves nothing when run and removal are killed at random, ${KILLS} times`, async () => {
    const killed = { kills: KILLS, prefixOf: newPrefix, random };
    const { after, figures } = await killRuns(proven, killed);

    expect(after).toEqual(Array.from({ length: KILLS }, () => before));
    printFigures(figures);
  });
});
