import { putApiKey } from '../../../cli/credentials/put-credential';
import { answer, expectDone, expectFailure, TENANT, World } from './support/world';

const KEY = { apiKey: 'Ba1apiKeyCanary22', validUntil: '2027-03-31T02:00:00+02:00' };

function worldWith(key: object): World {
  const world = new World({ input: JSON.stringify(key) });
  world.platform = () => answer(200, '[]');
  return world;
}

test('an API key is tested and loaded, with its expiry in UTC', async () => {
  const world = worldWith(KEY);

  await expectDone(world.run(putApiKey, {}));

  expect(world.requests.map(({ method, url }) => `${method} ${url.pathname}`)).toEqual([
    'GET /content/contents',
  ]);
  expect(world.apiKey.valueWith('AWSCURRENT')).toEqual({ ...KEY, validUntil: '2027-03-31T00:00:00.000Z' });
  expect(world.invoked).toEqual([
    { functionName: 'rotate-credentials', isAsync: false, event: { action: 'prove', tenantIds: [TENANT] } },
    { functionName: 'credential-watch', isAsync: true, event: { action: 'watch' } },
  ]);
  expect(world.terminal.results[0]!.document).not.toHaveProperty('unproven');
});

test('a first key that the function does not find proven is loaded, but says that it does not serve', async () => {
  const world = worldWith(KEY);
  world.proof = { outcome: 'could_not_test', reason: 'it answered 503' };

  expect(await world.run(putApiKey, {})).toEqual({ exit: 1 });

  const [{ document, text }] = world.terminal.results as [{ document: object; text: string }];
  const unproven = 'could_not_test: it answered 503';
  expect(document).toMatchObject({ outcome: 'loaded', unproven });
  expect(text).toContain(`The restore API does not accept the key yet (${unproven})`);
  expect(text).toContain('within 5 min');
});

test('where API keys open nothing, a first key is simply loaded', async () => {
  const world = worldWith(KEY);
  world.proof = { tenantId: 'another' };

  await expectDone(world.run(putApiKey, {}));

  expect(world.terminal.said.join('\n')).toContain('API keys open no restore API here');
  expect(world.terminal.said.join('\n')).not.toContain('The restore API accepts');
});

test('an expired API key is refused without asking the platform', async () => {
  const world = worldWith({ ...KEY, validUntil: '2026-01-31T11:59:59Z' });

  await expectFailure(world.run(putApiKey, {}), { exitCode: 77, code: 'credential_refused' });

  expect(world.requests).toEqual([]);
  expect(world.apiKey.secret.versions.size).toBe(0);
});

test('--revoke-previous revokes the old API key at once', async () => {
  const world = worldWith(KEY);
  world.apiKey.add('c'.repeat(32), '{"apiKey":"old"}', ['AWSCURRENT']);

  await expectDone(world.run(putApiKey, { revokePrevious: true }));

  expect(world.apiKey.holder('AWSPREVIOUS')).toBeUndefined();
  expect(world.terminal.results[0]!.document).toMatchObject({
    previous: { versionId: 'c'.repeat(32), fate: 'revoked' },
  });
  expect(world.invoked[0]).toMatchObject({ functionName: 'rotate-credentials', isAsync: true });
});

describe('--prove-by function', () => {
  const byFunction = { proveBy: 'function' } as const;

  test('loads the first key, which rotate-credentials tests at once', async () => {
    const world = worldWith(KEY);

    await expectDone(world.run(putApiKey, byFunction));

    expect(world.requests).toEqual([]);
    expect(world.apiKey.valueWith('AWSCURRENT')).toMatchObject({ apiKey: KEY.apiKey });
    expect(world.invoked[0]!.event).toEqual({ action: 'prove', tenantIds: [TENANT] });
  });

  test.each([
    [{ outcome: 'refused' }, 77, 'credential_refused', 'the api-key is refused: refused'],
    [
      { outcome: 'could_not_test', reason: '503' },
      69,
      'could_not_test',
      'the api-key could not be tested: could_not_test: 503',
    ],
  ])('says what is current if the function answers %j', async (proof, exitCode, code, message) => {
    const world = worldWith(KEY);
    world.proof = proof;

    const failure = { exitCode, code, message };
    const { advice } = await expectFailure(world.run(putApiKey, byFunction), failure);

    expect(advice).toMatch(/stored and current.* opens nothing/);
    expect(advice).toMatch(/load another one: latchkey api-key put --prove-by function --environment/);
    expect(world.requests).toEqual([]);
  });
});
