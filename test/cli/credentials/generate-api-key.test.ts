import { generateApiKey } from '../../../cli/credentials/generate-api-key';
import { type CommandFault } from '../../support/aws/simulated-secrets-manager';
import { HttpsError, type HttpsRequest } from '../../../lambdas/shared/adapters/https-client';
import { FakeTerminal } from '../support/fake-terminal';
import { answer, type Ending, expectDone, expectFailure, leaks, TENANT, World } from './support/world';

const SECRETS = {
  session: 'Mn4sessionCanary99',
  correlation: '0b5c0119-e1a7-4a5b-8c3d-9d1c21b1c3b1',
  key: 'Qr6generatedCanary',
};
const SESSION = { authorization: `Bearer ${SECRETS.session}`, correlationId: SECRETS.correlation };
const ANSWERS = [SESSION.authorization, SESSION.correlationId];
// The platform's specification, "Generated API key (GraphQL result)"
const GENERATED = JSON.stringify({
  data: { generateApiKey: { validUntil: '2027-03-31T00:00:00Z', apiKey: SECRETS.key } },
});
const ERRORS = JSON.stringify({
  data: null,
  errors: [{ message: `for ${SESSION.authorization}`, extensions: { code: 'FORBIDDEN' } }],
});
const VALUE = { apiKey: SECRETS.key, validUntil: '2027-03-31T00:00:00.000Z' };
const CURRENT = 'c'.repeat(32);

let world: World;
let ending: Ending | undefined;
/** The content interface's answer for the key. */
let contents: () => ReturnType<typeof answer>;
let tenants: () => ReturnType<typeof answer> | Promise<never>;

beforeEach(() => {
  world = new World({ input: JSON.stringify(SESSION) });
  contents = () => answer(200, '[]');
  tenants = () => answer(200, GENERATED);
  world.platform = (request) => (isMutation(request) ? tenants() : contents());
  ending = undefined;
});
afterEach(() => {
  if (ending !== undefined) expect(leaks(world, ending, SECRETS)).toEqual([]);
});

function isMutation({ url }: HttpsRequest): boolean {
  return url.href === `${world.tenantServiceUrl}/tenants`;
}

function mutations(): HttpsRequest[] {
  return world.requests.filter(isMutation);
}

function loadOld(): void {
  world.apiKey.add(CURRENT, '{"apiKey":"old","validUntil":"2026-03-01T00:00:00Z"}', ['AWSCURRENT']);
}

async function generate(): Promise<Ending> {
  ending = await world.run(generateApiKey, {});
  return ending;
}

/** Ctrl-C while the key is being stored. */
function interruptWhileStoring(): void {
  world.secretsManager.meanwhile = ({ operation }) => {
    if (operation === 'PutSecretValue') world.terminal.interrupt();
  };
}

describe('the mutation', () => {
  // The platform's specification, "Endpoints" 2
  test('is sent below the configured address, as the specification says', async () => {
    world.tenantServiceUrl = 'https://tenants.platform.example/base';

    await generate();

    expect(mutations()).toHaveLength(1);
    expect(mutations()[0]).toMatchObject({
      method: 'POST',
      headers: {
        authorization: SESSION.authorization,
        'content-type': 'application/json',
        accept: 'application/graphql-response+json, application/json',
        'correlation-id': SESSION.correlationId,
      },
      totalTimeoutMs: 30_000,
      maxAnswerBytes: 65_536,
    });
    expect(JSON.parse(mutations()[0]!.body)).toEqual({
      query:
        'mutation { generateApiKey(tokenType: "permanent", services: ["api-service"]) { validUntil apiKey } }',
    });
  });

  test.each([
    ['break after sending', true, 75, 'generation_unknown', 'Keys cannot be listed'],
    ['not be opened', false, 69, 'tenant_service_unavailable', 'No key was generated.'],
  ])('is never repeated if its connection should %s', async (_, isSent, exitCode, code, says) => {
    tenants = () => Promise.reject(new HttpsError('reset', 'connection broke', isSent));

    const { advice } = await expectFailure(generate(), { exitCode, code });

    expect(advice).toContain(says);
    expect(mutations()).toHaveLength(1);
    expect(world.secretsManager.commandsOf('PutSecretValue')).toEqual([]);
  });

  test.each([
    [401, '', 77, 'session_refused'],
    [404, '', 1, 'not_generated'],
    [429, '', 69, 'tenant_service_unavailable'],
    [200, ERRORS, 77, 'session_refused'],
  ])('answered with %i %s exits with %i, and is not repeated', async (status, body, exitCode, code) => {
    tenants = () => answer(status, body);

    const { message } = await expectFailure(generate(), { exitCode, code });

    expect(message).toContain(body === ERRORS ? 'errors (FORBIDDEN)' : `status ${status}`);
    expect(mutations()).toHaveLength(1);
  });

  test('is not sent if interrupted before', async () => {
    world.terminal = new FakeTerminal({ isInteractive: true });
    world.terminal.askHidden = async (question) => {
      world.terminal.interrupt();
      return question.startsWith('Auth') ? SESSION.authorization : SESSION.correlationId;
    };

    await expectFailure(generate(), { exitCode: 130, code: 'interrupted' });

    expect(world.requests).toEqual([]);
  });

  test('interrupted in flight has an unknown outcome', async () => {
    tenants = () => {
      world.terminal.interrupt();
      return new Promise<never>(() => {});
    };

    await expectFailure(generate(), { exitCode: 75, code: 'generation_unknown' });
  });
});

test.each<[string, () => unknown, object, RegExp]>([
  [
    'the configuration gives the tenant no API key',
    () => (world.apiKeyOption = false),
    { exitCode: 2, message: expect.stringMatching(/^apiKey of .*: found false; allowed: true/) as string },
    /^Set it in the configuration/,
  ],
  [
    'the configuration names no tenant service',
    () => (world.tenantServiceUrl = undefined),
    { exitCode: 2, message: expect.stringMatching(/^platform\.tenantServiceUrl: /) as string },
    /latchkey api-key put/,
  ],
  [
    'the secret is scheduled for deletion, so that the key could not be stored',
    () => (world.apiKey.secret.deletedAtMs = 0),
    { exitCode: 1, code: 'scheduled_for_deletion' },
    /`latchkey doctor --fix --environment staging/,
  ],
  [
    'another operator has just staged a key',
    () => {
      loadOld();
      world.apiKey.add('s'.repeat(32), '{}', ['LATCHKEY_CANDIDATE']);
    },
    { exitCode: 1, code: 'candidate_under_way' },
    /To replace it, add --replace/,
  ],
])('nothing is generated if %s', async (_, arrange, failure, says) => {
  arrange();

  const { advice } = await expectFailure(generate(), failure);

  expect(advice).toMatch(says);
  expect(world.requests).toEqual([]);
});

test('the prompt explains in two lines where to find the session, and hides the answers', async () => {
  world.terminal = new FakeTerminal({ isInteractive: true, answers: ANSWERS });

  await expectDone(generate());

  expect(world.terminal.said[0]).toContain('developer tools');
  expect(world.terminal.said[1]).toContain('X-Correlation-Id');
  expect(world.terminal.questions.map(({ isHidden }) => isHidden)).toEqual([true, true]);
});

describe('the first key', () => {
  test('is stored before anything is printed about it, tested, and then current and no candidate', async () => {
    world.secretsManager.meanwhile = ({ operation }) => {
      if (operation === 'PutSecretValue') expect(world.terminal.visibleText()).toBe('');
    };

    await expectDone(generate());

    expect(Object.keys(world.apiKey.labels())).toEqual(['AWSCURRENT']);
    expect(world.apiKey.valueWith('AWSCURRENT')).toEqual(VALUE);
    expect(world.requests[1]!.headers['authorization']).toBe(
      `Basic ${Buffer.from(`${TENANT}:${SECRETS.key}`).toString('base64')}`,
    );
    expect(world.invoked.map(({ functionName }) => functionName)).toEqual([
      'rotate-credentials',
      'credential-watch',
    ]);
  });

  test('becomes current even if an empty rotation left a version behind', async () => {
    world.apiKey.add('p'.repeat(32), undefined, ['AWSPENDING'], 60 * 60_000);

    await expectDone(generate());

    expect(Object.keys(world.apiKey.labels())).toEqual(['AWSCURRENT']);
    expect(world.apiKey.valueWith('AWSCURRENT')).toEqual(VALUE);
  });

  test('is reported as current even if its test is interrupted', async () => {
    interruptWhileStoring();

    const { advice } = await expectFailure(generate(), { exitCode: 130, code: 'interrupted' });

    expect(advice).toContain(
      `version ${world.apiKey.holder('AWSCURRENT')}, and is current because it is the first`,
    );
  });

  test('that the platform does not accept in time is reported as stored', async () => {
    contents = () => answer(401);

    const { advice } = await expectFailure(generate(), { exitCode: 77, code: 'credential_refused' });

    expect(advice).toContain(`version ${world.apiKey.holder('AWSCURRENT')}`);
    expect(world.apiKey.valueWith('LATCHKEY_CANDIDATE')).toEqual(VALUE);
  });
});

describe('a further key', () => {
  beforeEach(loadOld);

  test('replaces the old one once the platform accepts it, which may take a while', async () => {
    let refusals = 3;
    contents = () => ((refusals -= 1) >= 0 ? answer(401) : answer(200, '[]'));

    await expectDone(generate());

    expect(world.apiKey.valueWith('AWSCURRENT')).toEqual(VALUE);
    expect(world.apiKey.holder('AWSPREVIOUS')).toBe(CURRENT);
    expect(world.terminal.results[0]!.text).toContain('The restore API accepts it during the grace period');
  });

  test('that fails its test stays staged, and the old one current', async () => {
    contents = () => answer(503);

    const { advice } = await expectFailure(generate(), { exitCode: 69 });

    expect(advice).toContain('latchkey credentials rotate --kind api-key --environment staging');
    expect(world.apiKey.holder('AWSCURRENT')).toBe(CURRENT);
    expect(world.apiKey.valueWith('LATCHKEY_CANDIDATE')).toEqual(VALUE);
  });

  test('is stored despite an interruption, even if its first version id is taken', async () => {
    contents = () => answer(401);
    await generate();
    world.apiKey.move('LATCHKEY_CANDIDATE', undefined);
    tenants = () => answer(200, GENERATED.replace('2027', '2028'));
    interruptWhileStoring();

    const { advice } = await expectFailure(generate(), { exitCode: 130, code: 'interrupted' });

    expect(advice).toContain('latchkey credentials rotate --kind api-key');
    expect(world.apiKey.valueWith('LATCHKEY_CANDIDATE')).toMatchObject({
      validUntil: '2028-03-31T00:00:00.000Z',
    });
  });

  test('of two concurrent administrators, one is stored; the other learns that theirs is lost', async () => {
    const other = new FakeTerminal({ input: JSON.stringify(SESSION) });
    const keys = [SECRETS.key, 'St7anotherCanary00'];
    tenants = () => answer(200, GENERATED.replace(SECRETS.key, keys.shift()!));

    const [first, second] = await Promise.all([generate(), world.run(generateApiKey, {}, other)]);

    expect(first.exit).toBe(0);
    expect(second.error).toMatchObject({ exitCode: 1, code: 'key_not_stored' });
    expect(world.apiKey.valueWith('AWSCURRENT')).toEqual(VALUE);
  });
});

describe('F26: a key that was generated and cannot be stored', () => {
  /** Fails to write the version, so many times. */
  const failing = (name: string, times = Infinity, isAfterEffect = false): CommandFault => {
    const fault = { operation: 'PutSecretValue', name, isAfterEffect, times };
    world.secretsManager.faults.push(fault);
    return fault;
  };
  beforeEach(loadOld);
  afterEach(() => expect(mutations()).toHaveLength(1));

  test.each([
    ['ThrottlingException', 1, false],
    ['InternalServiceError', 2, true],
    ['TimeoutError', 3, true],
  ])(
    'for a while is retried despite an interruption, and stored once: %s',
    async (name, times, isAfterEffect) => {
      failing(name, times, isAfterEffect);
      world.onSleep = () => world.terminal.interrupt();

      await expectFailure(generate(), { exitCode: 130, code: 'interrupted' });

      expect(world.apiKey.valueWith('LATCHKEY_CANDIDATE')).toEqual(VALUE);
      expect(world.apiKey.secret.versions.size).toBe(2);
    },
  );

  test('at all is reported as lost, and the old one works', async () => {
    failing('InvalidRequestException');

    const { advice, message } = await expectFailure(generate(), { exitCode: 1, code: 'key_not_stored' });

    expect(message).toContain('a new API key was generated but not stored');
    expect(advice).toContain('latchkey api-key generate --environment staging');
    expect(world.apiKey.labels()).toEqual({ AWSCURRENT: CURRENT });
    expect(world.terminal.questions).toEqual([]);
  });

  test('in a long outage may be stored: the advice says how to check', async () => {
    failing('InternalServiceError', Infinity, true);

    const { advice } = await expectFailure(generate(), { exitCode: 75, code: 'storing_unknown' });

    expect(advice).toContain('Check whether a candidate is staged: latchkey status');
    expect(world.apiKey.holder('AWSCURRENT')).toBe(CURRENT);
  });

  test('is stored after all if the person fixes the cause', async () => {
    const fault = failing('AccessDeniedException');
    world.terminal = new FakeTerminal({ isInteractive: true, answers: [...ANSWERS, true, true] });
    const { confirm } = world.terminal;
    world.terminal.confirm = (question) => {
      if (world.terminal.questions.length === 3) fault.times = 0;
      return confirm.call(world.terminal, question);
    };

    await expectDone(generate());

    expect(world.terminal.questions).toHaveLength(4);
    expect(world.apiKey.valueWith('AWSCURRENT')).toEqual(VALUE);
  });

  test('is lost if the person gives up', async () => {
    failing('DecryptionFailure');
    world.terminal = new FakeTerminal({ isInteractive: true, answers: [...ANSWERS, false] });

    await expectFailure(generate(), { exitCode: 1, code: 'key_not_stored' });
  });
});
