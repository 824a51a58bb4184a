import { rotateCredentials } from '../../../cli/credentials/rotate-credential';
import { leaks } from './support/no-leak';
import { type Ending, expectDone, expectFailure, World } from './support/world';

const SECRETS = { new: 'Gh1newSecretCanary', old: 'Ij2oldSecretCanary', other: 'Kl3otherCanary456' };
const valueOf = (clientSecret: string) => JSON.stringify({ clientId: 'app', clientSecret });
const CURRENT = 'c'.repeat(32);
const STAGED = 's'.repeat(32);
const PENDING = 'p'.repeat(32);
const MINUTE_MS = 60_000;

let world: World;
let ending: Ending;

beforeEach(() => {
  world = new World();
  world.clientCredentials.add(CURRENT, valueOf(SECRETS.old), ['AWSCURRENT']);
  world.clientCredentials.add(STAGED, valueOf(SECRETS.new), ['LATCHKEY_CANDIDATE']);
});
afterEach(() => expect(leaks(world, ending, SECRETS)).toEqual([]));

async function rotate(flags: Parameters<typeof rotateCredentials>[1] = {}): Promise<Ending> {
  ending = await world.run(rotateCredentials, flags);
  return ending;
}

/** Expects that the candidate's value is current. */
async function expectPromoted(): Promise<void> {
  const ended = await rotate();

  expect(ended.exit).toBe(0);
  expect(currentSecret()).toBe(SECRETS.new);
}

function currentSecret(): string {
  return (world.clientCredentials.valueWith('AWSCURRENT') as { clientSecret: string }).clientSecret;
}

test('the candidate is promoted', async () => {
  await expectPromoted();
});

test.each([
  ['refused', 77, 'candidate_refused', 'LATCHKEY_REFUSED'],
  ['untested', 69, 'could_not_test', 'LATCHKEY_UNTESTED'],
] as const)(
  'a candidate that the platform has %s is not promoted and stays staged',
  async (verdict, exit, code, label) => {
    world.clientCredentials.verdict = () => verdict;

    const { advice } = await expectFailure(rotate(), { exitCode: exit, code });

    expect(advice).toContain('latchkey credentials rotate --kind client-credentials --environment staging');
    expect(currentSecret()).toBe(SECRETS.old);
    expect(world.clientCredentials.holder('LATCHKEY_CANDIDATE')).toBe(STAGED);
    expect(world.clientCredentials.holder(label)).toBe(world.clientCredentials.holder('AWSPENDING'));
  },
);

test('client credentials that lack a scope are not promoted, and the message names it', async () => {
  world.clientCredentials.verdict = () => {
    world.clientCredentials.move(
      'LATCHKEY_LACKS_content/api-write',
      world.clientCredentials.holder('AWSPENDING'),
    );
    return 'refused';
  };

  await expectFailure(rotate(), {
    exitCode: 77,
    code: 'candidate_refused',
    message: 'the staged client-credentials lack content api/write',
  });

  world.clientCredentials.verdict = () => 'proven';
  await expectPromoted();
  expect(Object.keys(world.clientCredentials.labels()).join()).not.toContain('LACKS');
});

test('a promotion by another rotation counts', async () => {
  world.clientCredentials.verdict = () => 'silent';
  world.onSleep = (sleeps) => {
    if (sleeps !== 2) return;
    const secret = world.clientCredentials;
    secret.move('AWSPENDING', undefined);
    secret.move('LATCHKEY_CANDIDATE', undefined);
    secret.add(PENDING, valueOf(SECRETS.new), ['AWSCURRENT']);
  };

  await expectDone(rotate());

  expect(world.terminal.results[0]!.document).toMatchObject({ outcome: 'promoted', versionId: PENDING });
});

test('a candidate that was promoted and at once replaced is not reported as current', async () => {
  world.onSleep = (sleeps) => {
    if (sleeps !== 3) return;
    const secret = world.clientCredentials;
    secret.advance();
    secret.advance();
    secret.add(PENDING, valueOf(SECRETS.other), ['AWSCURRENT']);
  };

  await expectFailure(rotate(), { exitCode: 1, code: 'candidate_replaced' });

  expect(currentSecret()).toBe(SECRETS.other);
});

test('a candidate that someone else removed is not reported as current', async () => {
  world.clientCredentials.verdict = () => 'silent';
  world.onSleep = (sleeps) => {
    if (sleeps !== 2) return;
    world.clientCredentials.move('LATCHKEY_CANDIDATE', undefined);
    world.clientCredentials.move('AWSPENDING', undefined);
  };

  await expectFailure(rotate(), { exitCode: 1, code: 'nothing_staged' });

  expect(currentSecret()).toBe(SECRETS.old);
});

test('a refusal is reported even if someone else has already removed the candidate', async () => {
  world.clientCredentials.verdict = () => 'refused';
  world.onSleep = (sleeps) => {
    if (sleeps !== 2) return;
    world.clientCredentials.advance();
    world.clientCredentials.move('LATCHKEY_CANDIDATE', undefined);
  };

  await expectFailure(rotate(), { exitCode: 77, code: 'candidate_refused' });
});

test('a rotation rejected although none is pending is retried a little later', async () => {
  const fault = { operation: 'RotateSecret', name: 'InvalidRequestException', times: Infinity };
  world.secretsManager.faults.push(fault);
  world.onSleep = () => (fault.times = 0);

  await expectPromoted();
});

test('after 3 minutes, the outcome of a rotation that does not end is unknown', async () => {
  world.clientCredentials.verdict = () => 'silent';
  const startMs = world.nowMs;

  const { advice } = await expectFailure(rotate({ revokePrevious: true }), {
    exitCode: 75,
    code: 'rotation_unfinished',
  });

  expect(advice).toContain('latchkey doctor --environment staging');
  expect(advice).toContain('The previous one was not revoked.');
  expect(world.nowMs - startMs).toBe(180_000);
});

test.each([1, 2, 3, 4])(
  'an interruption at wait %i exits with 75, and the rotation continues',
  async (wait) => {
    world.onSleep = (sleeps) => {
      if (sleeps === wait) world.terminal.interrupt();
    };

    const { advice } = await expectFailure(rotate(), { exitCode: 75, code: 'rotation_unfinished' });

    expect(advice).toContain('latchkey status --environment staging');
    for (let step = 0; step < 4; step += 1) world.clientCredentials.advance();
    expect(currentSecret()).toBe(SECRETS.new);
  },
);

test('an interruption before the rotation starts leaves the candidate staged', async () => {
  world.terminal.interrupt();

  await rotate();

  expect(world.secretsManager.commandsOf('RotateSecret')).toEqual([]);
  expect(world.clientCredentials.holder('LATCHKEY_CANDIDATE')).toBe(STAGED);
});

test.each(['ThrottlingException', 'InternalServiceError', 'TimeoutError'])(
  '%s while waiting is survived',
  async (name) => {
    world.onSleep = (sleeps) => {
      if (sleeps === 1) world.secretsManager.faults.push({ operation: 'DescribeSecret', name, times: 3 });
    };

    await expectDone(rotate());
  },
);

test('losing the permission while waiting ends the command', async () => {
  world.onSleep = () => {
    world.secretsManager.faults.push({ operation: 'DescribeSecret', name: 'AccessDeniedException' });
  };

  await expectFailure(rotate(), { exitCode: 77, code: 'access_denied' });

  expect(world.terminal.said.join('\n')).toContain('The new credential is still staged');
});

test.each([false, true])(
  'a failing RotateSecret is retried (it had taken effect: %s)',
  async (isAfterEffect) => {
    world.secretsManager.faults.push({
      operation: 'RotateSecret',
      name: 'InternalServiceError',
      isAfterEffect,
    });

    await expectPromoted();

    expect([...world.clientCredentials.secret.versions.keys()]).toHaveLength(3);
  },
);

test('without permission to rotate, the candidate stays staged', async () => {
  world.secretsManager.faults.push({ operation: 'RotateSecret', name: 'AccessDeniedException' });

  await expectFailure(rotate(), { exitCode: 77, code: 'access_denied' });

  expect(world.clientCredentials.labels()).toEqual({ AWSCURRENT: CURRENT, LATCHKEY_CANDIDATE: STAGED });
});

test('a secret without a rotation is reported as such', async () => {
  delete world.clientCredentials.secret.rotation;

  await expectFailure(rotate(), { exitCode: 1, code: 'not_rotated' });
});

describe('a pending version', () => {
  test.each(['LATCHKEY_REFUSED', 'LATCHKEY_UNTESTED'])(
    'that is %s is cleared, and its value never retried',
    async (label) => {
      world.clientCredentials.add(PENDING, valueOf(SECRETS.other), ['AWSPENDING', label]);

      await expectPromoted();

      expect(world.clientCredentials.holder(label)).toBeUndefined();
    },
  );

  test('without an outcome is left behind after 10 minutes, and cleared', async () => {
    world.clientCredentials.add(PENDING, undefined, ['AWSPENDING'], 10 * MINUTE_MS);

    await rotate();

    expect(world.clientCredentials.holder('AWSCURRENT')).not.toBe(PENDING);
    expect(currentSecret()).toBe(SECRETS.new);
  });

  test('that is younger and empty is left to its own rotation, which takes the candidate', async () => {
    world.clientCredentials.add(PENDING, undefined, ['AWSPENDING'], 9 * MINUTE_MS);

    await expectDone(rotate());

    expect(world.clientCredentials.holder('AWSCURRENT')).toBe(PENDING);
    expect(currentSecret()).toBe(SECRETS.new);
    expect(world.secretsManager.commandsOf('RotateSecret')).toHaveLength(1);
  });

  test('that is younger by the clock of AWS is left alone, however far ahead this machine is', async () => {
    world.clientCredentials.add(PENDING, undefined, ['AWSPENDING'], 9 * MINUTE_MS);
    world.nowMs += 30 * MINUTE_MS;
    world.client.config.systemClockOffset = -30 * MINUTE_MS;

    await rotate();

    expect(world.clientCredentials.holder('AWSCURRENT')).toBe(PENDING);
  });

  test('that holds another value is given up, and the candidate promoted', async () => {
    world.clientCredentials.add(PENDING, valueOf(SECRETS.other), ['AWSPENDING'], MINUTE_MS);

    await expectPromoted();

    expect(world.clientCredentials.holder('AWSPREVIOUS')).not.toBe(PENDING);
  });
});

describe('someone else', () => {
  test('who stages another candidate while this one waits is reported', async () => {
    world.clientCredentials.verdict = () => 'silent';
    world.onSleep = (sleeps) => {
      if (sleeps === 2)
        world.clientCredentials.add('o'.repeat(32), valueOf(SECRETS.other), ['LATCHKEY_CANDIDATE']);
    };

    await expectFailure(rotate(), { exitCode: 1, code: 'candidate_replaced' });
  });

  test('who clears the awaited rotation does not block the candidate', async () => {
    world.clientCredentials.verdict = () => 'silent';
    world.onSleep = (sleeps) => {
      if (sleeps !== 4) return;
      world.clientCredentials.move('AWSPENDING', undefined);
      world.clientCredentials.verdict = () => 'proven';
    };

    await expectPromoted();
  });
});

test('the label that a killed finishSecret left behind is removed', async () => {
  const { clientCredentials } = world;
  world.onSleep = () => {
    const pending = clientCredentials.holder('AWSPENDING')!;
    clientCredentials.secret.versions.get(pending)!.secretString = valueOf(SECRETS.new);
    clientCredentials.move('AWSCURRENT', pending);
    // Killed here, right after the promotion.
    clientCredentials.advance = () => {};
  };

  await expectDone(rotate());

  expect(clientCredentials.holder('LATCHKEY_CANDIDATE')).toBeUndefined();
});

test('a candidate that is already current loses its label', async () => {
  world.clientCredentials.move('LATCHKEY_CANDIDATE', CURRENT);

  await expectDone(rotate());

  expect(world.clientCredentials.labels()).toEqual({ AWSCURRENT: CURRENT });
});

describe('the kind', () => {
  test('is optional if only one credential has a candidate, also for API keys, which have no tokens', async () => {
    world.clientCredentials.move('LATCHKEY_CANDIDATE', undefined);
    world.apiKey.add(CURRENT, '{"apiKey":"a"}', ['AWSCURRENT']);
    world.apiKey.add(STAGED, '{"apiKey":"b"}', ['LATCHKEY_CANDIDATE']);

    await expectDone(rotate());

    expect(world.apiKey.valueWith('AWSCURRENT')).toEqual({ apiKey: 'b' });
    expect(world.invoked.map(({ functionName }) => functionName)).toEqual(['credential-watch']);
  });

  test('is that of the client credentials for a tenant without an API key', async () => {
    world.apiKeyOption = false;

    await expectPromoted();
  });

  test('is required if both have one', async () => {
    world.apiKey.add(STAGED, '{"apiKey":"b"}', ['LATCHKEY_CANDIDATE']);

    await expectFailure(rotate(), {
      exitCode: 2,
      message: '--kind: found nothing; allowed: client-credentials, api-key',
    });
  });

  test('without a candidate has nothing to rotate; the advice says how to load one', async () => {
    const { advice } = await expectFailure(rotate({ kind: 'api-key' }), {
      exitCode: 1,
      code: 'nothing_staged',
    });

    expect(advice).toContain('latchkey api-key generate --environment staging');
  });

  test('of a deployment without a tenant service cannot be generated', async () => {
    world.tenantServiceUrl = undefined;

    const { error } = await rotate({ kind: 'api-key' });

    expect(error!.advice).toContain('latchkey api-key put --environment staging');
  });
});
