import { rotateCredentials } from '../../../cli/credentials/rotate-credential';
import { type RotatingSecret } from './support/rotating-secret';
import { type Ending, expectDone, expectFailure, leaks, World } from './support/world';

const SECRETS = { new: 'Gh1newSecretCanary', old: 'Ij2oldSecretCanary', other: 'Kl3otherCanary456' };
const valueOf = (clientSecret: string) => JSON.stringify({ clientId: 'app', clientSecret });
const CURRENT = 'c'.repeat(32);
const STAGED = 's'.repeat(32);
const PENDING = 'p'.repeat(32);
const MINUTE_MS = 60_000;

let world: World;
let secret: RotatingSecret;
let ending: Ending;

beforeEach(() => {
  world = new World();
  secret = world.clientCredentials;
  secret.add(CURRENT, valueOf(SECRETS.old), ['AWSCURRENT']);
  secret.add(STAGED, valueOf(SECRETS.new), ['LATCHKEY_CANDIDATE']);
});
afterEach(() => expect(leaks(world, ending, SECRETS)).toEqual([]));

async function rotate(flags: Parameters<typeof rotateCredentials>[1] = {}): Promise<Ending> {
  ending = await world.run(rotateCredentials, flags);
  return ending;
}

/** Expects that the candidate's value is current. */
async function expectPromoted(): Promise<void> {
  await expectDone(rotate());

  expect(currentSecret()).toBe(SECRETS.new);
}

function currentSecret(): string {
  return (secret.valueWith('AWSCURRENT') as { clientSecret: string }).clientSecret;
}

/** What happens while the command waits, at its wait of this number. */
function atWait(wait: number, act: () => void): void {
  world.onSleep = (sleeps) => {
    if (sleeps === wait) act();
  };
}

test.each([
  ['refused', 77, 'candidate_refused', 'LATCHKEY_REFUSED'],
  ['untested', 69, 'could_not_test', 'LATCHKEY_UNTESTED'],
] as const)(
  'a candidate that the platform has %s is not promoted and stays staged',
  async (verdict, exitCode, code, label) => {
    secret.verdict = () => verdict;

    const { advice } = await expectFailure(rotate(), { exitCode, code });

    expect(advice).toContain('latchkey credentials rotate --kind client-credentials --environment staging');
    expect(currentSecret()).toBe(SECRETS.old);
    expect(secret.holder('LATCHKEY_CANDIDATE')).toBe(STAGED);
    expect(secret.holder(label)).toBe(secret.holder('AWSPENDING'));
  },
);

test('client credentials that lack a scope are not promoted until they have it, and the message names it', async () => {
  secret.verdict = () => {
    secret.move('LATCHKEY_LACKS_content/api-write', secret.holder('AWSPENDING'));
    return 'refused';
  };

  await expectFailure(rotate(), {
    exitCode: 77,
    code: 'candidate_refused',
    message: 'the staged client-credentials lack content api/write',
  });

  secret.verdict = () => 'proven';
  await expectPromoted();
  expect(Object.keys(secret.labels()).join()).not.toContain('LACKS');
});

describe('someone else', () => {
  test('who promotes the candidate meanwhile has done what this command would', async () => {
    secret.verdict = () => 'silent';
    atWait(2, () => {
      secret.move('AWSPENDING', undefined);
      secret.move('LATCHKEY_CANDIDATE', undefined);
      secret.add(PENDING, valueOf(SECRETS.new), ['AWSCURRENT']);
    });

    await expectDone(rotate());

    expect(world.terminal.results[0]!.document).toMatchObject({ outcome: 'promoted', versionId: PENDING });
  });

  test.each<[string, string, () => void]>([
    [
      'replaces the candidate right after its promotion',
      'candidate_replaced',
      () =>
        atWait(3, () => {
          secret.advance();
          secret.advance();
          secret.add(PENDING, valueOf(SECRETS.other), ['AWSCURRENT']);
        }),
    ],
    [
      'stages another candidate while this one waits',
      'candidate_replaced',
      () => {
        secret.verdict = () => 'silent';
        atWait(2, () => secret.add('o'.repeat(32), valueOf(SECRETS.other), ['LATCHKEY_CANDIDATE']));
      },
    ],
    [
      'removes the candidate',
      'nothing_staged',
      () => {
        secret.verdict = () => 'silent';
        atWait(2, () => {
          secret.move('LATCHKEY_CANDIDATE', undefined);
          secret.move('AWSPENDING', undefined);
        });
      },
    ],
  ])('who %s is reported', async (_, code, arrange) => {
    arrange();

    await expectFailure(rotate(), { exitCode: 1, code });

    expect(currentSecret()).not.toBe(SECRETS.new);
  });

  test('who removes a refused candidate does not hide the refusal', async () => {
    secret.verdict = () => 'refused';
    atWait(2, () => {
      secret.advance();
      secret.move('LATCHKEY_CANDIDATE', undefined);
    });

    await expectFailure(rotate(), { exitCode: 77, code: 'candidate_refused' });
  });
});

test('after 3 minutes, the outcome of a rotation that does not end is unknown', async () => {
  secret.verdict = () => 'silent';
  const startMs = world.nowMs;

  const { advice } = await expectFailure(rotate({ revokePrevious: true }), {
    exitCode: 75,
    code: 'rotation_unfinished',
  });

  expect(advice).toContain('latchkey doctor --environment staging');
  expect(advice).toContain('The previous one was not revoked.');
  expect(world.nowMs - startMs).toBe(180_000);
});

test.each([1, 4])('an interruption at wait %i exits with 75, and the rotation continues', async (wait) => {
  atWait(wait, () => world.terminal.interrupt());

  const { advice } = await expectFailure(rotate(), { exitCode: 75, code: 'rotation_unfinished' });

  expect(advice).toContain('latchkey status --environment staging');
  for (let step = 0; step < 4; step += 1) secret.advance();
  expect(currentSecret()).toBe(SECRETS.new);
});

test('an interruption before the rotation starts leaves the candidate staged', async () => {
  world.terminal.interrupt();

  await rotate();

  expect(world.secretsManager.commandsOf('RotateSecret')).toEqual([]);
  expect(secret.holder('LATCHKEY_CANDIDATE')).toBe(STAGED);
});

/** A fault of AWS in the next call. */
function failing(operation: string, name: string, more: { times?: number; isAfterEffect?: boolean } = {}) {
  const fault = { operation, name, ...more };
  world.secretsManager.faults.push(fault);
  return fault;
}

test.each<[string, () => unknown]>([
  [
    'AWS is unavailable while the command waits',
    () => atWait(1, () => failing('DescribeSecret', 'InternalServiceError', { times: 3 })),
  ],
  ['a RotateSecret fails', () => failing('RotateSecret', 'InternalServiceError')],
  [
    'a RotateSecret fails after it took effect',
    () => failing('RotateSecret', 'InternalServiceError', { isAfterEffect: true }),
  ],
  [
    'AWS rejects a rotation for a while although none is pending',
    () => {
      const fault = failing('RotateSecret', 'InvalidRequestException', { times: Infinity });
      world.onSleep = () => (fault.times = 0);
    },
  ],
  [
    'someone else clears the awaited rotation',
    () => {
      secret.verdict = () => 'silent';
      atWait(4, () => {
        secret.move('AWSPENDING', undefined);
        secret.verdict = () => 'proven';
      });
    },
  ],
  ['the tenant has no API key', () => (world.apiKeyOption = false)],
])('the candidate is promoted, although %s', async (_, arrange) => {
  arrange();

  await expectPromoted();
});

test.each<[string, () => unknown, object]>([
  [
    'the permission to describe is lost while the command waits',
    () => (world.onSleep = () => void failing('DescribeSecret', 'AccessDeniedException')),
    { exitCode: 77, code: 'access_denied' },
  ],
  [
    'nobody may rotate',
    () => failing('RotateSecret', 'AccessDeniedException'),
    { exitCode: 77, code: 'access_denied' },
  ],
  ['the secret has no rotation', () => delete secret.secret.rotation, { exitCode: 1, code: 'not_rotated' }],
])('the candidate stays staged if %s', async (_, arrange, failure) => {
  arrange();

  await expectFailure(rotate(), failure);

  expect(secret.labels()).toMatchObject({ AWSCURRENT: CURRENT, LATCHKEY_CANDIDATE: STAGED });
  expect(world.terminal.said.at(-1)).toMatch(
    /^The new credential is still staged. To retry: .*latchkey credentials rotate /,
  );
});

describe('a pending version', () => {
  test.each<[string, string | undefined, string[], number]>([
    ['that was refused', valueOf(SECRETS.other), ['LATCHKEY_REFUSED'], 0],
    ['that was not tested', valueOf(SECRETS.other), ['LATCHKEY_UNTESTED'], 0],
    ['without an outcome after 10 minutes', undefined, [], 10 * MINUTE_MS],
    ['that holds another value', valueOf(SECRETS.other), [], MINUTE_MS],
  ])('%s is cleared, and its value never retried', async (_, value, labels, ageMs) => {
    secret.add(PENDING, value, ['AWSPENDING', ...labels], ageMs);

    await expectPromoted();

    expect(secret.labels()).not.toMatchObject({ AWSCURRENT: PENDING });
    for (const label of labels) expect(secret.holder(label)).toBeUndefined();
  });

  test.each([
    ['younger and empty', 0],
    ['younger by the clock of AWS, however far ahead this machine is,', 30 * MINUTE_MS],
  ])('that is %s is left to its own rotation, which takes the candidate', async (_, aheadMs) => {
    secret.add(PENDING, undefined, ['AWSPENDING'], 9 * MINUTE_MS);
    world.nowMs += aheadMs;
    world.client.config.systemClockOffset = -aheadMs;

    await expectPromoted();

    expect(secret.holder('AWSCURRENT')).toBe(PENDING);
    expect(world.secretsManager.commandsOf('RotateSecret')).toHaveLength(1);
  });
});

test('the label that a killed finishSecret left behind is removed', async () => {
  world.onSleep = () => {
    const pending = secret.holder('AWSPENDING')!;
    secret.secret.versions.get(pending)!.secretString = valueOf(SECRETS.new);
    secret.move('AWSCURRENT', pending);
    // Killed here, right after the promotion.
    secret.advance = () => {};
  };

  await expectDone(rotate());

  expect(secret.holder('LATCHKEY_CANDIDATE')).toBeUndefined();
});

describe('the kind', () => {
  test('is optional if only one credential has a candidate, also for API keys, which have no tokens', async () => {
    secret.move('LATCHKEY_CANDIDATE', undefined);
    world.apiKey.add(CURRENT, '{"apiKey":"a"}', ['AWSCURRENT']);
    world.apiKey.add(STAGED, '{"apiKey":"b"}', ['LATCHKEY_CANDIDATE']);

    await expectDone(rotate());

    expect(world.apiKey.valueWith('AWSCURRENT')).toEqual({ apiKey: 'b' });
    expect(world.invoked.map(({ functionName }) => functionName)).toEqual(['credential-watch']);
  });

  test('is required if both have one', async () => {
    world.apiKey.add(STAGED, '{"apiKey":"b"}', ['LATCHKEY_CANDIDATE']);

    await expectFailure(rotate(), {
      exitCode: 2,
      message: '--kind: found nothing; allowed: client-credentials, api-key',
    });
  });

  test.each([
    ['https://tenants.platform.example', 'latchkey api-key generate --environment staging'],
    [undefined, 'latchkey api-key put --environment staging'],
  ])(
    'without a candidate, with the tenant service %s, is loaded by %s',
    async (tenantServiceUrl, command) => {
      world.tenantServiceUrl = tenantServiceUrl;
      const failure = { exitCode: 1, code: 'nothing_staged' };

      const { advice } = await expectFailure(rotate({ kind: 'api-key' }), failure);

      expect(advice).toContain(command);
    },
  );
});
