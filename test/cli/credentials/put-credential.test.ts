import { putCredentials } from '../../../cli/credentials/put-credential';
import { HttpsError } from '../../../lambdas/shared/adapters/https-client';
import { FakeTerminal } from '../support/fake-terminal';
import { leaks } from './support/no-leak';
import { answer, type Ending, expectDone, expectFailure, TENANT, World } from './support/world';

const SECRETS = { 'the secret': 'Ab3newSecretCanary', 'the old one': 'Cd5oldSecretCanary' };
const NEW = { clientId: 'app', clientSecret: SECRETS['the secret'] };
const OLD = { clientId: 'app', clientSecret: SECRETS['the old one'] };
const CURRENT = 'c'.repeat(32);
const STAGED = 's'.repeat(32);
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

/** What a person learns about a credential that was not stored. */
interface Told {
  exitCode: number;
  code: string;
  message: unknown;
  outcome: string;
}

const REFUSED: Told = {
  exitCode: 77,
  code: 'credential_refused',
  outcome: 'Refused by the issuer learning-platform',
  message: expect.stringContaining('the issuer learning-platform refuses the client-credentials: '),
};
const NOT_TESTED: Told = {
  exitCode: 69,
  code: 'could_not_test',
  outcome: 'Could not test it',
  message: expect.stringContaining('the client-credentials could not be tested: content api/read: '),
};

function unreachable(): HttpsError {
  return new HttpsError('connect', 'no connection', false);
}

async function put(flags: Parameters<typeof putCredentials>[1] = {}): Promise<Ending> {
  ending = await world.run(putCredentials, flags);
  return ending;
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
    expect(world.terminal.results[0]!.document).toMatchObject({
      outcome: 'loaded',
      credential: 'client-credentials',
    });
  });

  test('that lack a declared scope are not stored, and the message names it', async () => {
    const { platform } = world;
    world.platform = (request) =>
      request.body.includes('api/write') ? answer(400, '{"error":"invalid_scope"}') : platform(request);

    const error = await expectFailure(put(), {
      exitCode: 77,
      code: 'scope_refused',
      message:
        'the issuer learning-platform refuses the client-credentials: it lacks content api/write: ' +
        'the token endpoint answered 400 invalid_scope',
    });

    expect(error.advice).toContain('Nothing was stored');
    expect(error.advice).toContain('with content api/write,');
    expect(world.clientCredentials.secret.versions.size).toBe(0);
  });

  test('are loaded even if no token can be fetched, with exit code 1', async () => {
    world.ensureAnswer = { ok: false, error: { code: 'platform_unavailable', message: 'down' } };

    const { exit } = await put();

    expect(exit).toBe(1);
    expect(world.clientCredentials.valueWith('AWSCURRENT')).toEqual(NEW);
    expect(world.terminal.results[0]!.text).toContain(
      'Token content api/read: missing (platform_unavailable: down)',
    );
  });

  test('of two concurrent operators, one succeeds; the other fails without writing', async () => {
    const other = new FakeTerminal({ input: JSON.stringify(OLD) });

    const [first, second] = await Promise.all([put(), world.run(putCredentials, {}, other)]);

    expect(first.exit).toBe(0);
    expect(second.error).toMatchObject({ exitCode: 1, code: 'changed_meanwhile' });
    expect(world.clientCredentials.valueWith('AWSCURRENT')).toEqual(NEW);
    expect(world.clientCredentials.secret.versions.size).toBe(1);
  });

  test('clear what a schedule left behind when it fired before anything was loaded', async () => {
    world.clientCredentials.add('p'.repeat(32), undefined, ['AWSPENDING'], 11 * MINUTE_MS);

    await expectDone(put());

    expect(Object.keys(world.clientCredentials.labels())).toEqual(['AWSCURRENT']);
  });
});

describe('nothing is written', () => {
  test.each([
    ['refused it', () => answer(401, '{"error":"invalid_client"}'), REFUSED],
    ['not answered', () => answer(503), NOT_TESTED],
    ['answered with nonsense', () => answer(200, '<html>'), NOT_TESTED],
    ['not been reachable', () => Promise.reject(unreachable()), NOT_TESTED],
  ] as [string, World['platform'], Told][])('if the platform has %s', async (_, platform, told) => {
    const { outcome, ...failure } = told;
    loadOld();
    world.platform = platform;

    const { advice } = await expectFailure(put(), failure);

    expect(advice!.split('\n')[0]).toBe('Nothing was stored');
    expect(world.terminal.said.at(-1)).toBe(outcome);
    expect(world.secretsManager.commands.map(({ operation }) => operation)).toEqual(['DescribeSecret']);
  });

  test('without permission to describe the secret, and nobody is asked for a secret', async () => {
    world.terminal = new FakeTerminal({ isInteractive: true, answers: [] });
    world.secretsManager.faults.push({ operation: 'DescribeSecret', name: 'AccessDeniedException' });

    await expectFailure(put(), { exitCode: 77, code: 'access_denied' });

    expect(world.terminal.questions).toEqual([]);
  });

  test('and a person is asked for whom it is', async () => {
    world.terminal = new FakeTerminal({ isInteractive: true, answers: ['the-id', 'the-secret'] });
    world.platform = () => answer(401, '{"error":"invalid_client"}');

    await expectFailure(put(), { exitCode: 77 });

    expect(world.terminal.said[0]).toBe(`For ${TENANT} on staging mea:`);
  });

  test('if the test is interrupted', async () => {
    world.platform = () => {
      world.terminal.interrupt();
      return new Promise(() => {});
    };

    await expectFailure(put(), { exitCode: 130, code: 'interrupted', advice: 'Nothing was stored.' });

    expect(world.secretsManager.commands.map(({ operation }) => operation)).toEqual(['DescribeSecret']);
  });

  test('if another operator has just staged one', async () => {
    loadOld();
    world.clientCredentials.add(STAGED, '{}', ['LATCHKEY_CANDIDATE'], 4 * MINUTE_MS);

    const { message } = await expectFailure(put(), { exitCode: 1, code: 'candidate_under_way' });

    expect(message).toContain('240 s ago');
    expect(world.requests).toEqual([]);
  });
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
    expect(world.terminal.results[0]!.document).toMatchObject({
      outcome: 'promoted',
      versionId: clientCredentials.holder('AWSCURRENT'),
      previous: { versionId: CURRENT, fate: 'kept' },
    });
  });

  test('revoke the old ones at once with --revoke-previous', async () => {
    await expectDone(put({ revokePrevious: true }));

    expect(world.clientCredentials.holder('AWSPREVIOUS')).toBeUndefined();
    expect(world.terminal.results[0]!.text).toContain(
      'The client secret still works at the issuer learning-platform',
    );
  });

  test('that are already current change nothing', async () => {
    world.clientCredentials.secret.versions.get(CURRENT)!.secretString = JSON.stringify(NEW);

    await expectDone(put());

    expect(world.terminal.results[0]!.document).toMatchObject({ outcome: 'unchanged' });
    expect(world.clientCredentials.labels()).toEqual({ AWSCURRENT: CURRENT });
  });

  test.each([
    ['an old candidate', 6 * MINUTE_MS, undefined, {}],
    ['a young one that the platform has refused', MINUTE_MS, 'LATCHKEY_REFUSED', {}],
    ['a young one that could not be tested', MINUTE_MS, 'LATCHKEY_UNTESTED', {}],
    ['a young one with --replace', MINUTE_MS, undefined, { replace: true }],
    [
      'a young one that was refused and is no longer pending',
      MINUTE_MS,
      'LATCHKEY_REFUSED',
      {},
      [] as string[],
    ],
  ])('replace %s', async (_, ageMs, outcome, flags, stages: string[] = ['AWSPENDING']) => {
    world.clientCredentials.add(STAGED, '{}', ['LATCHKEY_CANDIDATE'], ageMs);
    if (outcome) world.clientCredentials.add('p'.repeat(32), '{}', [...stages, outcome], ageMs - 1);

    await expectDone(put(flags));

    expect(world.clientCredentials.valueWith('AWSCURRENT')).toEqual(NEW);
    expect(Object.keys(world.clientCredentials.labels())).toEqual([
      'AWSCURRENT',
      'AWSPENDING',
      'AWSPREVIOUS',
      ...(stages.length === 0 ? ['LATCHKEY_REFUSED'] : []),
    ]);
  });

  test('do not replace a young candidate during its rotation', async () => {
    world.clientCredentials.add(STAGED, '{}', ['LATCHKEY_CANDIDATE'], MINUTE_MS);
    world.clientCredentials.add('p'.repeat(32), '{}', ['AWSPENDING'], 1);

    await expectFailure(put(), { code: 'candidate_under_way' });
  });

  test('do not replace a young candidate because of an older outcome', async () => {
    world.clientCredentials.add('p'.repeat(32), '{}', ['AWSPENDING', 'LATCHKEY_REFUSED'], 2 * MINUTE_MS);
    world.clientCredentials.add(STAGED, '{}', ['LATCHKEY_CANDIDATE'], MINUTE_MS);

    await expectFailure(put(), { code: 'candidate_under_way' });
  });

  test('of two concurrent operators, one succeeds; the other promotes nothing', async () => {
    const other = new FakeTerminal({ input: JSON.stringify({ clientId: 'other', clientSecret: 'Ef7' }) });

    const [first, second] = await Promise.all([put(), world.run(putCredentials, {}, other)]);

    expect(first.exit).toBe(0);
    expect(second.error).toMatchObject({ exitCode: 1, code: 'changed_meanwhile' });
    expect(world.clientCredentials.valueWith('AWSCURRENT')).toEqual(NEW);
  });
});

describe('--prove-by function', () => {
  const byFunction = { proveBy: 'function' } as const;
  const refuse = (...refused: [scope: string, code: string][]) => {
    const stored = world.ensureAnswer;
    world.ensureAnswerTo = ({ scope }) => {
      const code = refused.find(([each]) => each === scope)?.[1];
      return code === undefined ? stored : { ok: false, error: { code, message: 'said no' } };
    };
  };
  afterEach(() => expect(world.requests).toEqual([]));

  test('rotates to client credentials that only rotate-credentials tested', async () => {
    loadOld();

    await expectDone(put(byFunction));

    expect(world.clientCredentials.valueWith('AWSCURRENT')).toEqual(NEW);
  });

  test('loads the first ones, which token-refresh tests by fetching the tokens', async () => {
    await expectDone(put(byFunction));

    expect(world.clientCredentials.valueWith('AWSCURRENT')).toEqual(NEW);
    expect(world.invoked.map(({ functionName }) => functionName)).toEqual([
      'token-refresh',
      'token-refresh',
      'credential-watch',
    ]);
    expect(world.terminal.results[0]!.document).toMatchObject({ outcome: 'loaded' });
  });

  test.each<[string, Parameters<typeof refuse>, number, string, string, RegExp[]]>([
    [
      'are refused',
      [
        ['api/read', 'credential_refused'],
        ['api/write', 'credential_refused'],
      ],
      77,
      'credential_refused',
      'the issuer learning-platform refuses the client-credentials: content api/read: said no',
      [/Load others: latchkey credentials put --prove-by function /, /; 0 of 2 tokens stored/],
    ],
    [
      'lack a scope',
      [['api/write', 'scope_refused']],
      77,
      'scope_refused',
      'the issuer learning-platform refuses the client-credentials: content api/write: said no',
      [/; 1 of 2 tokens stored/],
    ],
    [
      'cannot be tested by the function either',
      [
        ['api/read', 'platform_unavailable'],
        ['api/write', 'store_unavailable'],
      ],
      69,
      'could_not_test',
      'the client-credentials could not be tested: content api/read: said no',
      [/Every sweep, 5 minutes apart, tries them/, /To check: latchkey status /],
    ],
  ])('says what is current, and what to do, if the first ones %s', async (...row) => {
    const [, refused, exitCode, code, message, says] = row;
    refuse(...refused);

    const { advice } = await expectFailure(put(byFunction), { exitCode, code, message });

    for (const each of [/They are stored and current, because they are the first/, ...says])
      expect(advice).toMatch(each);
    expect(world.clientCredentials.valueWith('AWSCURRENT')).toEqual(NEW);
    expect(world.invoked.at(-1)?.functionName).toBe('credential-watch');
  });

  test('loads the first ones if one token is stored, and the others have to wait', async () => {
    refuse(['api/write', 'platform_unavailable']);

    await expectDone(put(byFunction));

    expect(world.terminal.results[0]!.text).toContain('Token content api/write: missing');
  });
});

test('the advice for a machine that cannot reach the platform is a command that needs no such request', async () => {
  world.platform = () => Promise.reject(unreachable());

  const { advice } = await expectFailure(put({ revokePrevious: true }), {
    exitCode: 69,
    code: 'could_not_test',
  });

  const command = /^If only this machine cannot reach the issuer learning-platform: latchkey (.*)$/m.exec(
    advice!,
  )![1];
  expect(command).toBe(
    `credentials put --prove-by function --revoke-previous --environment staging --platform-region mea --tenant ${TENANT} --local`,
  );
});
