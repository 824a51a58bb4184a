import { putApiKey, putCredentials } from '../../../cli/credentials/put-credential';
import { HttpsError } from '../../../lambdas/shared/adapters/https-client';
import { FakeTerminal } from '../support/fake-terminal';
import { answer, type Ending, expectDone, expectFailure, leaks, TENANT, World } from './support/world';

const SECRETS = {
  'the secret': 'Ab3newSecretCanary',
  'the old one': 'Cd5oldSecretCanary',
  'the API key': 'Ba1apiKeyCanary22',
};
const NEW = { clientId: 'app', clientSecret: SECRETS['the secret'] };
const OLD = { clientId: 'app', clientSecret: SECRETS['the old one'] };
const CURRENT = 'c'.repeat(32);
const STAGED = 's'.repeat(32);
const PENDING = 'p'.repeat(32);
const MINUTE_MS = 60_000;

let world: World;
let ending: Ending | undefined;

beforeEach(() => {
  world = new World({ input: JSON.stringify(NEW) });
  ending = undefined;
});
afterEach(() => {
  if (ending !== undefined) expect(leaks(world, ending, SECRETS)).toEqual([]);
});

function loadOld(): void {
  world.clientCredentials.add(CURRENT, JSON.stringify(OLD), ['AWSCURRENT']);
}

async function put(flags: Parameters<typeof putCredentials>[1] = {}): Promise<Ending> {
  ending = await world.run(putCredentials, flags);
  return ending;
}

/** The document and the text of the command's result. */
function result(): { document: object; text: string } {
  return world.terminal.results[0]!;
}

describe('the first client credentials', () => {
  test('are tested, loaded as current, and used for every declared token', async () => {
    await expectDone(put());

    expect(world.clientCredentials.valueWith('AWSCURRENT')).toEqual(NEW);
    const asked = world.requests.map(({ body }) => JSON.parse(body) as unknown);
    expect(asked).toMatchObject(
      ['api/read', 'api/write'].map((scope) => ({ scope, client_secret: NEW.clientSecret })),
    );
    expect(
      world.invoked.map(({ functionName, event }) => [functionName, event['action'], event['scope']]),
    ).toEqual([
      ['token-refresh', 'ensure', 'api/read'],
      ['token-refresh', 'ensure', 'api/write'],
      ['credential-watch', 'watch', undefined],
    ]);
    expect(result().document).toMatchObject({ outcome: 'loaded', credential: 'client-credentials' });
  });

  test('that lack a declared scope are not stored, and the message names it', async () => {
    const { platform } = world;
    world.platform = (request) =>
      request.body.includes('api/write') ? answer(400, '{"error":"invalid_scope"}') : platform(request);

    const { advice } = await expectFailure(put(), {
      exitCode: 77,
      code: 'scope_refused',
      message:
        'the issuer learning-platform refuses the client-credentials: it lacks content api/write: ' +
        'the token endpoint answered 400 invalid_scope',
    });

    expect(advice).toContain('Nothing was stored');
    expect(advice).toContain('with content api/write,');
    expect(world.clientCredentials.secret.versions.size).toBe(0);
  });

  test('are loaded even if no token can be fetched, with exit code 1', async () => {
    const error = { code: 'platform_unavailable', message: 'down' };
    world.ensureAnswerTo = () => ({ ok: false, error });

    expect((await put()).exit).toBe(1);

    expect(world.clientCredentials.valueWith('AWSCURRENT')).toEqual(NEW);
    expect(result().text).toContain('Token content api/read: missing (platform_unavailable: down)');
  });

  test('clear what a schedule left behind when it fired before anything was loaded', async () => {
    world.clientCredentials.add(PENDING, undefined, ['AWSPENDING'], 11 * MINUTE_MS);

    await expectDone(put());

    expect(Object.keys(world.clientCredentials.labels())).toEqual(['AWSCURRENT']);
  });
});

describe('nothing is written', () => {
  afterEach(() => {
    expect(world.secretsManager.commandsOf('PutSecretValue')).toEqual([]);
  });

  test('if the platform refuses it, and a person is asked for whom it is', async () => {
    loadOld();
    world.terminal = new FakeTerminal({ isInteractive: true, answers: ['the-id', 'the-secret'] });
    world.platform = () => answer(401, '{"error":"invalid_client"}');

    const { advice } = await expectFailure(put(), {
      exitCode: 77,
      code: 'credential_refused',
      message: expect.stringContaining(
        'the issuer learning-platform refuses the client-credentials: ',
      ) as string,
    });

    expect(advice!.split('\n')[0]).toBe('Nothing was stored');
    expect(world.terminal.said[0]).toBe(`For ${TENANT} on staging mea:`);
    expect(world.terminal.said.at(-1)).toBe('Refused by the issuer learning-platform');
  });

  test('if the platform cannot be reached; the advice has the command for a function to reach it', async () => {
    loadOld();
    world.platform = () => Promise.reject(new HttpsError('connect', 'no connection', false));

    const { advice } = await expectFailure(put({ revokePrevious: true }), {
      exitCode: 69,
      code: 'could_not_test',
      message: expect.stringContaining(
        'the client-credentials could not be tested: content api/read: ',
      ) as string,
    });

    expect(world.terminal.said.at(-1)).toBe('Could not test it');
    expect(advice!.split('\n').slice(0, 2)).toEqual([
      'Nothing was stored',
      'If only this machine cannot reach the issuer learning-platform: ' +
        'latchkey credentials put --prove-by function --revoke-previous --environment staging ' +
        `--platform-region mea --tenant ${TENANT} --local`,
    ]);
  });

  test('without permission to describe the secret, and nobody is asked for a secret', async () => {
    world.terminal = new FakeTerminal({ isInteractive: true, answers: [] });
    world.secretsManager.faults.push({ operation: 'DescribeSecret', name: 'AccessDeniedException' });

    await expectFailure(put(), { exitCode: 77, code: 'access_denied' });

    expect(world.terminal.questions).toEqual([]);
  });

  test('if the test is interrupted', async () => {
    world.platform = () => {
      world.terminal.interrupt();
      return new Promise(() => {});
    };

    await expectFailure(put(), { exitCode: 130, code: 'interrupted', advice: 'Nothing was stored.' });
  });
});

test.each([
  ['the first ones', false],
  ['further ones', true],
])('of two operators who load %s at once, one succeeds; the other changes nothing', async (_, isFurther) => {
  if (isFurther) loadOld();
  const other = new FakeTerminal({ input: JSON.stringify({ clientId: 'other', clientSecret: 'Ef7' }) });

  const [first, second] = await Promise.all([put(), world.run(putCredentials, {}, other)]);

  expect(first.exit).toBe(0);
  expect(second.error).toMatchObject({ exitCode: 1, code: 'changed_meanwhile' });
  expect(world.clientCredentials.valueWith('AWSCURRENT')).toEqual(NEW);
});

describe('further client credentials', () => {
  beforeEach(loadOld);

  test('are rotated to, and token-sweep and credential-watch are started', async () => {
    await expectDone(put());

    const { clientCredentials } = world;
    expect(clientCredentials.valueWith('AWSCURRENT')).toEqual(NEW);
    expect(clientCredentials.valueWith('AWSPREVIOUS')).toEqual(OLD);
    expect(clientCredentials.holder('LATCHKEY_CANDIDATE')).toBeUndefined();
    expect(world.invoked).toEqual([
      { functionName: 'token-sweep', isAsync: true, event: { action: 'sweep' } },
      { functionName: 'credential-watch', isAsync: true, event: { action: 'watch' } },
    ]);
    expect(result().document).toMatchObject({
      outcome: 'promoted',
      versionId: clientCredentials.holder('AWSCURRENT'),
      previous: { versionId: CURRENT, fate: 'kept' },
    });
  });

  test('revoke the old ones at once with --revoke-previous', async () => {
    await expectDone(put({ revokePrevious: true }));

    expect(world.clientCredentials.holder('AWSPREVIOUS')).toBeUndefined();
    expect(result().text).toContain('The client secret still works at the issuer learning-platform');
  });

  test('that are already current change nothing', async () => {
    world.clientCredentials.secret.versions.get(CURRENT)!.secretString = JSON.stringify(NEW);

    await expectDone(put());

    expect(result().document).toMatchObject({ outcome: 'unchanged' });
    expect(world.clientCredentials.labels()).toEqual({ AWSCURRENT: CURRENT });
  });

  /** Stages a version, and has it rotated to with these labels. */
  const stage = (ageMs: number, labels: string[], rotationAgeMs = 1) => {
    world.clientCredentials.add(STAGED, '{}', ['LATCHKEY_CANDIDATE'], ageMs);
    if (labels.length > 0) world.clientCredentials.add(PENDING, '{}', labels, rotationAgeMs);
  };

  test.each([
    ['an old one', 6 * MINUTE_MS, [], {}],
    ['one that the platform has refused', MINUTE_MS, ['AWSPENDING', 'LATCHKEY_REFUSED'], {}],
    ['one that could not be tested', MINUTE_MS, ['AWSPENDING', 'LATCHKEY_UNTESTED'], {}],
    ['one that was refused and is no longer pending', MINUTE_MS, ['LATCHKEY_REFUSED'], {}],
    ['any one with --replace', MINUTE_MS, [], { replace: true }],
  ])('replace a staged version: %s', async (_, ageMs, labels, flags) => {
    stage(ageMs, labels);

    await expectDone(put(flags));

    expect(world.clientCredentials.valueWith('AWSCURRENT')).toEqual(NEW);
    expect(Object.values(world.clientCredentials.labels())).not.toContain(STAGED);
  });

  test.each([
    ['that was just staged', [], 0],
    ['during its rotation', ['AWSPENDING'], 1],
    ['because of an older outcome', ['AWSPENDING', 'LATCHKEY_REFUSED'], 5 * MINUTE_MS],
  ])('do not replace a staged version %s', async (_, labels, rotationAgeMs) => {
    stage(4 * MINUTE_MS, labels, rotationAgeMs);

    const { message } = await expectFailure(put(), { exitCode: 1, code: 'candidate_under_way' });

    expect(message).toContain('240 s ago');
    expect(world.requests).toEqual([]);
  });
});

describe('--prove-by function', () => {
  const byFunction = { proveBy: 'function' } as const;
  const refuse = (refused: Record<string, string>) => {
    const { ensureAnswerTo } = world;
    world.ensureAnswerTo = (event) => {
      const code = refused[event['scope'] as string];
      return code === undefined ? ensureAnswerTo(event) : { ok: false, error: { code, message: 'said no' } };
    };
  };
  afterEach(() => expect(world.requests).toEqual([]));

  test('loads the first ones, which token-refresh tests; if one token is stored, the others may wait', async () => {
    refuse({ 'api/write': 'platform_unavailable' });

    await expectDone(put(byFunction));

    expect(world.clientCredentials.valueWith('AWSCURRENT')).toEqual(NEW);
    expect(world.invoked.map(({ functionName }) => functionName)).toEqual([
      'token-refresh',
      'token-refresh',
      'credential-watch',
    ]);
    expect(result().text).toContain('Token content api/write: missing');
  });

  test.each<[string, Record<string, string>, [number, string, string], RegExp[]]>([
    [
      'are refused',
      { 'api/read': 'credential_refused', 'api/write': 'credential_refused' },
      [
        77,
        'credential_refused',
        'the issuer learning-platform refuses the client-credentials: content api/read',
      ],
      [/Load others: latchkey credentials put --prove-by function /, /; 0 of 2 tokens stored/],
    ],
    [
      'lack a scope',
      { 'api/write': 'scope_refused' },
      [77, 'scope_refused', 'the issuer learning-platform refuses the client-credentials: content api/write'],
      [/; 1 of 2 tokens stored/],
    ],
    [
      'cannot be tested by the function either',
      { 'api/read': 'platform_unavailable', 'api/write': 'store_unavailable' },
      [69, 'could_not_test', 'the client-credentials could not be tested: content api/read'],
      [/Every sweep, 5 minutes apart, tries them/, /To check: latchkey status /],
    ],
  ])('says what is current, and what to do, if the first ones %s', async (_, refused, failure, says) => {
    const [exitCode, code, message] = failure;
    refuse(refused);

    const { advice } = await expectFailure(put(byFunction), {
      exitCode,
      code,
      message: `${message}: said no`,
    });

    for (const each of [/They are stored and current, because they are the first/, ...says])
      expect(advice).toMatch(each);
    expect(world.clientCredentials.valueWith('AWSCURRENT')).toEqual(NEW);
    expect(world.invoked.at(-1)?.functionName).toBe('credential-watch');
  });
});

describe('an API key', () => {
  const KEY = { apiKey: SECRETS['the API key'], validUntil: '2027-03-31T02:00:00+02:00' };
  const load = async (key = KEY, flags: Parameters<typeof putApiKey>[1] = {}) => {
    world.terminal = new FakeTerminal({ input: JSON.stringify(key) });
    ending = await world.run(putApiKey, flags);
    return ending;
  };
  beforeEach(() => (world.platform = () => answer(200, '[]')));

  test('is tested and loaded, with its expiry in UTC', async () => {
    await expectDone(load());

    expect(world.requests.map(({ method, url }) => `${method} ${url.pathname}`)).toEqual([
      'GET /content/contents',
    ]);
    expect(world.apiKey.valueWith('AWSCURRENT')).toEqual({ ...KEY, validUntil: '2027-03-31T00:00:00.000Z' });
    expect(world.invoked).toEqual([
      { functionName: 'rotate-credentials', isAsync: false, event: { action: 'prove', tenantIds: [TENANT] } },
      { functionName: 'credential-watch', isAsync: true, event: { action: 'watch' } },
    ]);
    expect(result().document).not.toHaveProperty('unproven');
  });

  test('that the function does not find proven is loaded as the first, and does not serve yet', async () => {
    world.proof = { outcome: 'could_not_test', reason: 'it answered 503' };

    expect(await load()).toEqual({ exit: 1 });

    const unproven = 'could_not_test: it answered 503';
    expect(result().document).toMatchObject({ outcome: 'loaded', unproven });
    expect(result().text).toContain(`The restore API does not accept the key yet (${unproven})`);
    expect(result().text).toContain('within 5 min');
  });

  test('is simply loaded where API keys open nothing', async () => {
    world.proof = { tenantId: 'another' };

    await expectDone(load());

    expect(world.terminal.said.join('\n')).toContain('API keys open no restore API here');
    expect(world.terminal.said.join('\n')).not.toContain('The restore API accepts');
  });

  test('that has expired is refused without asking the platform', async () => {
    const expired = { ...KEY, validUntil: '2026-01-31T11:59:59Z' };

    await expectFailure(load(expired), { exitCode: 77, code: 'credential_refused' });

    expect(world.requests).toEqual([]);
    expect(world.apiKey.secret.versions.size).toBe(0);
  });

  test('revokes the old one at once with --revoke-previous', async () => {
    world.apiKey.add(CURRENT, '{"apiKey":"old"}', ['AWSCURRENT']);

    await expectDone(load(KEY, { revokePrevious: true }));

    expect(world.apiKey.holder('AWSPREVIOUS')).toBeUndefined();
    expect(result().document).toMatchObject({ previous: { versionId: CURRENT, fate: 'revoked' } });
    expect(world.invoked[0]).toMatchObject({ functionName: 'rotate-credentials', isAsync: true });
  });

  test.each([
    [{ outcome: 'refused' }, 77, 'credential_refused', 'is refused: refused'],
    [{ outcome: 'could_not_test' }, 69, 'could_not_test', 'could not be tested: could_not_test'],
  ])('with --prove-by function is current, also if that answers %j', async (proof, exitCode, code, says) => {
    world.proof = proof;
    const failure = { exitCode, code, message: `the api-key ${says}` };

    const { advice } = await expectFailure(load(KEY, { proveBy: 'function' }), failure);

    expect(advice).toMatch(/stored and current.* opens nothing/);
    expect(advice).toMatch(/load another one: latchkey api-key put --prove-by function --environment/);
    expect(world.apiKey.valueWith('AWSCURRENT')).toMatchObject({ apiKey: KEY.apiKey });
    expect(world.requests).toEqual([]);
  });
});
