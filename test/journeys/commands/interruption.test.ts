import { PutSecretValueCommand } from '@aws-sdk/client-secrets-manager';

import { CANDIDATE_LABEL } from '../../../contract/credential-labels';
import { documentOf } from '../support/command';
import { OperatedTenant } from '../support/operated-tenant';
import { RunningSystem } from '../support/running-system';

/** The command is interrupted, or is not alone: nothing is half done, and one more run completes it. */
let system: RunningSystem;
let tenant: OperatedTenant;

beforeAll(async () => {
  system = await RunningSystem.start(['--no-job']);
  tenant = await OperatedTenant.loaded(system, 'staging', 'global');
});

afterAll(() => system.stop());

beforeEach(() => system.control('DELETE', '/faults'));

const CTRL_C = String.fromCharCode(3);

it('writes nothing when a person gives up at the hidden question', async () => {
  const before = await tenant.labels('client-credentials');

  const result = await tenant.run('credentials put', {
    answers: [
      { after: /Client id/, type: 'some id\r' },
      { after: /Client secret/, type: `half a secret${CTRL_C}` },
    ],
  });

  expect(result).toMatchObject({ exitCode: 1 });
  expect(result.stdout).toContain('interrupted');
  expect(result.stdout).not.toContain('half a secret');
  expect(await tenant.labels('client-credentials')).toEqual(before);
});

it('writes nothing when it is interrupted during the proof', async () => {
  const before = await tenant.labels('client-credentials');
  await tenant.fail('token', { delayMs: 2_000, times: 1 });

  const result = await tenant.give('credentials put --json', await tenant.newPair(), {
    signal: { after: /Asking the platform/, name: 'SIGINT' },
  });

  expect(result).toMatchObject({ exitCode: 1 });
  expect(documentOf(result)).toMatchObject({ error: { code: 'interrupted' } });
  expect(await tenant.labels('client-credentials')).toEqual(before);
});

it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
  'lets a rotation go on by itself after %s',
  async (name) => {
    const pair = await tenant.newPair();

    const result = await tenant.give('credentials put --json', pair, {
      signal: { after: /Secrets Manager rotates/, name },
    });

    expect(result).toMatchObject({ exitCode: 75 });
    expect(documentOf(result)).toMatchObject({ error: { code: 'rotation_unfinished' } });
    // Staged still, or promoted already: both are all right, and what the advice says tells which.
    expect([0, 1]).toContain((await tenant.run('credentials rotate')).exitCode);
    expect(await tenant.current('client-credentials')).toEqual(pair);
    expect(await tenant.labels('client-credentials')).not.toHaveProperty(CANDIDATE_LABEL);
  },
);

it('can be killed at any of its steps, and one more run completes the work', async () => {
  for (const after of [/Asking the platform/, /The platform accepts/, /Starting the rotation/, /rotates/]) {
    const killed = await tenant.give('credentials put', await tenant.newPair(), {
      signal: { after, name: 'SIGKILL' },
    });
    expect(killed.exitCode).toBeNull();
    const pair = await tenant.newPair();

    const result = await tenant.give('credentials put --replace', pair);

    expect(result).toMatchObject({ exitCode: 0 });
    expect(await tenant.current('client-credentials')).toEqual(pair);
    expect(await tenant.labels('client-credentials')).not.toHaveProperty(CANDIDATE_LABEL);
  }
});

it('keeps a generated key when it is interrupted during its proof', async () => {
  const { AWSCURRENT: before } = await tenant.labels('api-key');
  await tenant.fail('content', { delayMs: 2_000, times: 1 });

  const result = await tenant.give('api-key generate --json', await tenant.newSession(), {
    signal: { after: /Asking the platform/, name: 'SIGINT' },
  });

  expect(result).toMatchObject({ exitCode: 1 });
  expect(await tenant.labels('api-key')).toMatchObject({
    AWSCURRENT: before,
    [CANDIDATE_LABEL]: expect.any(String) as string,
  });
  expect(await tenant.run('credentials rotate')).toMatchObject({ exitCode: 0 });
  expect((await tenant.labels('api-key')).AWSPREVIOUS).toBe(before);
});

it('promotes one of two credentials that are loaded at the same moment, and says to the other what happened', async () => {
  const pairs = [await tenant.newPair(), await tenant.newPair()];

  const results = await Promise.all(pairs.map((pair) => tenant.give('credentials put --json', pair)));

  const [winner, ...others] = pairs.filter((_, index) => results[index]!.exitCode === 0);
  expect(others).toEqual([]);
  expect(await tenant.current('client-credentials')).toEqual(winner);
  const loser = results.find(({ exitCode }) => exitCode !== 0)!;
  expect(loser.exitCode).toBe(1);
  expect(documentOf<{ error: { code: string } }>(loser).error.code).toMatch(
    /^(candidate_under_way|changed_meanwhile|candidate_replaced)$/,
  );
  expect(await tenant.labels('client-credentials')).not.toHaveProperty(CANDIDATE_LABEL);
});

it('loads the first credential once where two do it at the same moment', async () => {
  const fresh = new OperatedTenant(system, 'production', 'mea');
  const pairs = [await fresh.newPair(), await fresh.newPair()];

  const results = await Promise.all(pairs.map((pair) => fresh.give('credentials put --json', pair)));

  expect(results.map(({ exitCode }) => exitCode)).toContain(0);
  const current = await fresh.current('client-credentials');
  expect(pairs).toContainEqual(current);
  expect(await fresh.labels('client-credentials')).not.toHaveProperty(CANDIDATE_LABEL);
});

it('has each of two repairs at the same moment end well', async () => {
  const results = await Promise.all([1, 2].map(() => tenant.run('doctor --fix --yes --json')));

  for (const result of results) {
    expect(result).toMatchObject({ exitCode: 0 });
    expect(documentOf(result)).toMatchObject({ findings: [] });
  }
});

it('ends status --watch with Ctrl-C', async () => {
  const result = await tenant.run('status --watch', {
    answers: [{ after: /end with Ctrl-C/, type: CTRL_C }],
  });

  expect(result).toMatchObject({ exitCode: 0 });
});

it('repairs nothing when a person gives up at the question of doctor --fix', async () => {
  await system.operator.secrets.send(
    new PutSecretValueCommand({
      SecretId: tenant.arn('api-key'),
      SecretString: '{}',
      VersionStages: [CANDIDATE_LABEL],
    }),
  );
  await tenant.run('credentials rotate --kind api-key');
  const before = await tenant.labels('api-key');

  const result = await tenant.run('doctor --fix', {
    answers: [{ after: /Do this\?|Do these/, type: CTRL_C }],
  });

  expect(result).toMatchObject({ exitCode: 1 });
  expect(result.stdout).toContain('interrupted');
  expect(await tenant.labels('api-key')).toEqual(before);
});
