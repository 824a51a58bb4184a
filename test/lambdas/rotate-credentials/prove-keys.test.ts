import { KeysUnderProof } from '../../support/lambdas/keys-under-proof';
import { MINUTE_MS } from '../../support/lambdas/token-functions';

const DAY_MS = 24 * 60 * MINUTE_MS;
const TWO = ['tenant-a', 'tenant-b'];

let keys: KeysUnderProof;
beforeEach(() => (keys = new KeysUnderProof()));

/** A tenant whose key is proven. */
async function proven(apiKey = 'proven'): Promise<void> {
  keys.pasteWorking(apiKey);
  await keys.prove();
}
const writes = () => keys.store.commandsOf('TagResource').length;
const pass = (minutes: number) => keys.clock.advance(minutes * MINUTE_MS);

describe('a secret without a record', () => {
  test('opens nothing until the first run, which proves both keys', async () => {
    keys.pasteWorking('before');
    keys.pasteWorking('now');
    expect(await keys.opening(['before', 'now'])).toEqual([]);

    expect(await keys.outcome()).toBe('proven');

    expect(await keys.opening(['before', 'now'])).toEqual(['before', 'now']);
    keys.clock.advance(DAY_MS);
    expect(await keys.opening(['before', 'now'])).toEqual(['now']);
  });

  test('opens nothing while the platform is down, and both keys once it answers', async () => {
    keys.pasteWorking('before');
    keys.pasteWorking('now');
    keys.isDown = true;

    expect(await keys.outcome()).toBe('could_not_test');

    expect(await keys.opening(['before', 'now'])).toEqual([]);
    expect(writes()).toBe(0);
    expect(keys.metrics.measured).toEqual([['CredentialRefused tenant-a', 1]]);
    keys.isDown = false;
    expect(await keys.outcome()).toBe('proven');
    expect(await keys.opening(['before', 'now'])).toEqual(['before', 'now']);
  });

  test('whose current key is refused lets the one before serve, which works', async () => {
    keys.pasteWorking('before');
    keys.paste('wrong');

    expect(await keys.outcome()).toBe('refused');

    keys.clock.advance(DAY_MS);
    expect(await keys.opening(['before', 'wrong'])).toEqual(['before']);
  });

  test('whose previous key is refused needs no person while the current one works', async () => {
    keys.paste('wrong');
    keys.pasteWorking('now');

    expect(await keys.outcome()).toBe('proven');

    expect(keys.metrics.measured).toEqual([]);
  });

  test('that has not been loaded is left as it is', async () => {
    expect(await keys.outcome()).toBe('not_loaded');

    expect(writes()).toBe(0);
  });

  test('gets one by a rotation, which opens for the rotated key alone, and for nobody before it ends', async () => {
    keys.pasteWorking('before');
    const pending = keys.pasteWorking('next', { label: 'AWSPENDING' });

    expect(await keys.step('testSecret', pending)).toBe('done');
    expect(await keys.opening(['before', 'next'])).toEqual([]);

    expect(await keys.step('finishSecret', pending)).toBe('done');
    expect(await keys.opening(['before', 'next'])).toEqual(['next']);
  });
});

describe('a pasted key', () => {
  beforeEach(() => proven());

  test.each([
    ['that the platform refuses', { paste: 'wrong', text: '' }],
    ['that is no key at all', { paste: 'text', text: 'by hand' }],
  ])('%s never opens, is counted in each run, and the proven one serves on', async (_, { paste, text }) => {
    keys.paste(paste, { text });

    for (let run = 0; run < 3; run += 1) {
      expect(await keys.outcome()).toBe('refused');
      keys.clock.advance(DAY_MS);
    }

    expect(await keys.opening(['proven', paste])).toEqual(['proven']);
    expect(keys.metrics.measured).toEqual(Array(3).fill(['CredentialRefused tenant-a', 1]));
    expect(keys.asked).not.toContain('text');
    expect(keys.log.lines.at(-1)).toMatchObject({ level: 'warn', tenantId: 'tenant-a', code: 'refused' });
  });

  test('that the platform refuses is asked about ever less often, and each run counts it', async () => {
    keys.paste('wrong');
    const askedAfterMin: number[] = [];

    for (let run = 0; run < 36; run += 1) {
      const before = keys.asked.length;
      expect(await keys.outcome()).toBe('refused');
      if (keys.asked.length > before) askedAfterMin.push(run * 5);
      // A run may start early.
      keys.clock.advance(5 * MINUTE_MS - 1_000);
    }

    expect(askedAfterMin).toEqual([0, 5, 15, 35, 75, 135]);
    expect(keys.metrics.measured).toHaveLength(36);
    expect(await keys.outcome(['tenant-a'])).toBe('refused');
    expect(keys.asked.at(-1)).toBe('wrong');
    expect(keys.mayLag).toEqual([true, true, ...Array<boolean>(6).fill(false)]);
  });

  test('that expired does not open, which credential-watch reports', async () => {
    keys.paste('expired', {
      text: JSON.stringify({ apiKey: 'expired', validUntil: '2020-01-01T00:00:00Z' }),
    });

    expect(await keys.outcome()).toBe('refused');

    expect(keys.metrics.measured).toEqual([]);
    expect(await keys.opening(['proven', 'expired'])).toEqual(['proven']);
  });

  test('while the platform is down waits, is counted, and opens once it is proven', async () => {
    keys.pasteWorking('pasted');
    keys.isDown = true;

    expect(await keys.outcome()).toBe('could_not_test');
    expect(await keys.opening(['proven', 'pasted'])).toEqual(['proven']);
    expect(keys.metrics.takeMeasured()).toEqual({ 'CredentialRefused tenant-a': 1 });

    keys.isDown = false;
    expect(await keys.outcome()).toBe('proven');
    // The one before keeps its grace.
    expect(await keys.opening(['proven', 'pasted'])).toEqual(['proven', 'pasted']);
  });

  test('that works only minutes later opens then', async () => {
    keys.paste('slow');
    expect(await keys.outcome()).toBe('refused');

    keys.accepted.add('slow');
    pass(5);

    expect(await keys.outcome()).toBe('proven');
    expect(await keys.opening(['slow'])).toEqual(['slow']);
  });

  test('that comes while the one before is tried is judged by itself', async () => {
    keys.pasteWorking('first');
    const running = keys.prove();
    keys.paste('second');
    await running;

    expect(await keys.opening(['proven', 'first', 'second'])).toEqual(['first']);
  });

  test('does not bring back a key that leaked and was revoked', async () => {
    keys.paste('pasted');
    keys.store.versionWith(keys.nameOf(), 'AWSPREVIOUS')!.stages.delete('AWSPREVIOUS');
    expect(await keys.opening(['proven'])).toEqual([]);

    await keys.prove();
    keys.paste('again');

    expect(await keys.opening(['proven', 'pasted', 'again'])).toEqual([]);
  });
});

describe('a rotation', () => {
  beforeEach(() => proven());

  test('opens for the new key as soon as it is current, without a run', async () => {
    const runs = keys.asked.length;

    expect(await keys.rotateTo('next')).toBe('done');

    expect(await keys.opening(['proven', 'next'])).toEqual(['proven', 'next']);
    expect(await keys.outcome()).toBe('unchanged');
    expect(keys.asked).toHaveLength(runs + 1);
  });

  test('whose proof cannot be recorded succeeds, and the next run records it', async () => {
    keys.store.faults.push({ operation: 'TagResource', name: 'AccessDeniedException' });

    expect(await keys.rotateTo('next')).toBe('done');
    expect(await keys.opening(['proven', 'next'])).toEqual(['proven']);
    expect(keys.log.lines).toContainEqual(
      expect.objectContaining({ message: 'proof not recorded', code: 'access_denied' }),
    );

    await keys.prove();
    expect(await keys.opening(['next'])).toEqual(['next']);
  });

  test('to a version whose label of a proof was set by hand does not open the restore API', async () => {
    const forged = keys.paste('forged', { label: 'AWSPENDING' });
    keys.store.secret(keys.nameOf()).versions.get(forged)!.stages.add('LATCHKEY_PROVEN');

    expect(await keys.step('finishSecret', forged)).toBe('done');

    expect(await keys.opening(['proven', 'forged'])).toEqual(['proven']);
  });
});

describe('every six hours', () => {
  beforeEach(() => proven());

  test('a key that the platform revoked is found, and opens no more, until the platform accepts it again', async () => {
    keys.accepted.clear();
    expect(await keys.outcome()).toBe('unchanged');

    keys.toNextLook();
    expect(await keys.outcome()).toBe('refused');
    expect(await keys.opening(['proven'])).toEqual([]);

    pass(5);
    keys.accepted.add('proven');
    expect(await keys.outcome()).toBe('proven');
    expect(await keys.opening(['proven'])).toEqual(['proven']);
  });

  test('a revoked one does not serve on in place of one that is pasted over it', async () => {
    keys.accepted.clear();
    keys.toNextLook();
    await keys.prove();
    keys.paste('pasted');

    expect(await keys.opening(['proven'])).toEqual([]);
    await keys.prove();
    expect(await keys.opening(['proven'])).toEqual([]);
  });

  test('one that serves in place of an unproven one is tried, too', async () => {
    keys.paste('pasted');
    await keys.prove();
    keys.accepted.clear();

    keys.toNextLook();
    await keys.prove();

    expect(await keys.opening(['proven', 'pasted'])).toEqual([]);
  });

  test('each key is tried once, by one process, and by a run of the schedule', async () => {
    keys.toNextLook();
    const asked = keys.asked.length;
    expect(await keys.outcome(['tenant-a'])).toBe('unchanged');
    for (let run = 0; run < 6; run += 1) {
      await keys.prove();
      pass(5);
    }

    expect(keys.asked).toHaveLength(asked + 1);
    expect(writes()).toBe(1);
  });

  test('a platform that is down changes nothing, and is asked again, until it has answered once', async () => {
    keys.toNextLook();
    keys.isDown = true;
    for (let run = 0; run < 4; run += 1) {
      expect(await keys.outcome()).toBe('could_not_test');
      pass(5);
    }
    expect(await keys.opening(['proven'])).toEqual(['proven']);
    expect(keys.metrics.measured).toEqual([]);
    keys.isDown = false;

    expect(await keys.outcome()).toBe('proven');
    expect(await keys.outcome()).toBe('unchanged');
  });

  test('a key that there was no time for is made up for, and none is judged by fewer attempts', async () => {
    keys = new KeysUnderProof(Array.from({ length: 60 }, (_, at) => `tenant-${at}`));
    await keys.proveAll();
    keys.accepted.clear();
    keys.accepted.add('key of tenant-0');
    keys.toNextLook();
    keys.answersAfterMs = 9_500;
    const outcomes = async () => {
      const { tenants } = await keys.prove();
      const counts: Record<string, number> = {};
      for (const { outcome } of tenants) counts[outcome] = (counts[outcome] ?? 0) + 1;
      return counts;
    };

    expect(await outcomes()).toEqual({ proven: 1, refused: 39, could_not_test: 20 });
    keys.answersAfterMs = 0;
    pass(25);

    await outcomes();
    expect(await outcomes()).toEqual({ unchanged: 1, refused: 59 });
  });
});

describe('a platform that refuses every key in a look', () => {
  beforeEach(async () => {
    keys = new KeysUnderProof(TWO);
    await keys.proveAll();
    keys.toNextLook();
    keys.accepted.clear();
  });

  test('counts only five minutes later, and then for all', async () => {
    expect(await keys.outcome()).toBe('could_not_test');
    expect(await keys.opening(['key of tenant-a'])).toEqual(['key of tenant-a']);

    pass(5);
    expect(await keys.outcome()).toBe('refused');
    expect(await keys.opening(['key of tenant-b'], 'tenant-b')).toEqual([]);
  });

  test('counts five minutes into the look also in a new process, which may not be the first', async () => {
    pass(5);

    expect(await keys.outcome()).toBe('refused');
  });

  test('is forgotten if it accepts them again', async () => {
    await keys.prove();
    keys.tenantIds.forEach((tenantId) => keys.accepted.add(`key of ${tenantId}`));

    pass(5);

    expect(await keys.outcome()).toBe('proven');
    expect(await keys.opening(['key of tenant-a'])).toEqual(['key of tenant-a']);
    expect(writes()).toBe(2);
  });

  test('but one refuses that one at once', async () => {
    keys.accepted.add('key of tenant-b');

    expect(await keys.outcome()).toBe('refused');
  });
});

describe('a run', () => {
  test('goes on with the others if one secret fails, and says nothing of one that does not exist', async () => {
    keys = new KeysUnderProof(['tenant-a', 'tenant-b', 'tenant-c']);
    keys.pasteWorking('b', { tenantId: 'tenant-b' });
    const [secret, name] = [keys.nameOf(), 'AccessDeniedException'];
    keys.store.faults.push({ operation: 'DescribeSecret', secret, name });
    keys.store.account.secrets.delete(keys.store.secret(keys.nameOf('tenant-c')).arn);

    const { tenants } = await keys.prove();

    expect(Object.fromEntries(tenants.map(({ tenantId, outcome }) => [tenantId, outcome]))).toEqual({
      'tenant-a': 'failed',
      'tenant-b': 'proven',
      'tenant-c': 'not_loaded',
    });
    expect(keys.log.lines.filter(({ level }) => level === 'error')).toMatchObject([
      { tenantId: 'tenant-a', code: 'access_denied' },
    ]);
  });

  test('that may not write the record any more counts a refused key all the same', async () => {
    await proven();
    keys.paste('wrong');
    keys.store.faults.push({ operation: 'TagResource', name: 'AccessDeniedException' });

    expect(await keys.outcome()).toBe('failed');

    expect(keys.metrics.measured).toEqual([['CredentialRefused tenant-a', 1]]);
    expect(await keys.opening(['proven', 'wrong'])).toEqual(['proven']);
    expect(keys.log.lines.at(-1)).toMatchObject({ level: 'error', code: 'access_denied' });
  });

  test('leaves out a tenant without a secret for an API key, also if it is asked about', async () => {
    keys = new KeysUnderProof(TWO, { withoutKeys: ['tenant-a'] });
    keys.pasteWorking('key of b', { tenantId: 'tenant-b' });

    await expect(keys.prove(['tenant-a'])).resolves.toEqual({ tenants: [] });
    await expect(keys.prove()).resolves.toEqual({ tenants: [{ tenantId: 'tenant-b', outcome: 'proven' }] });
  });
});

describe('where events tell of changes', () => {
  beforeEach(async () => {
    keys = new KeysUnderProof(TWO, { trailEvents: true });
    await keys.proveAll();
  });

  test('a run looks at no key that needs nothing', async () => {
    const before = keys.store.commands.length;

    pass(5);
    await expect(keys.prove()).resolves.toEqual({ tenants: [] });

    expect(keys.store.commands).toHaveLength(before);
  });

  test('a run looks at all keys every six hours, even if they need nothing', async () => {
    pass(295);
    await keys.prove();
    pass(5);

    expect((await keys.prove()).tenants).toHaveLength(2);
  });

  test('a pasted key opens when its event comes, and its tenant alone is looked at', async () => {
    keys.pasteWorking('pasted');

    await expect(keys.proveChanged()).resolves.toEqual({
      tenants: [{ tenantId: 'tenant-a', outcome: 'proven' }],
    });

    expect(await keys.opening(['pasted'])).toEqual(['pasted']);
  });

  test('a pasted key whose event is lost opens within an hour', async () => {
    keys.pasteWorking('pasted');
    let minutes = 0;
    while ((await keys.opening(['pasted'])).length === 0 && minutes < 120) {
      pass(5);
      minutes += 5;
      await keys.prove();
    }

    expect(minutes).toBe(60);
  });

  test('a pasted key that could not be tried fails its run, and is tried again in each of the schedule', async () => {
    keys.pasteWorking('pasted');
    keys.isDown = true;
    await expect(keys.proveChanged()).rejects.toThrow('1 of 1 API keys were not judged');
    keys.isDown = false;

    pass(5);

    expect(await keys.outcome()).toBe('proven');
  });

  test('a refused key is tried again in each run, as without events', async () => {
    keys.paste('refused');
    await keys.proveChanged();

    pass(5);

    expect(await keys.outcome()).toBe('refused');
  });

  test('a first key opens within five minutes, even if its event is lost', async () => {
    keys = new KeysUnderProof(['tenant-a'], { trailEvents: true });
    await keys.prove();
    keys.pasteWorking('first');

    pass(5);
    await keys.prove();

    expect(await keys.opening(['first'])).toEqual(['first']);
  });
});
