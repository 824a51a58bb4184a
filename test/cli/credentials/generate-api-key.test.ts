import { generateApiKey } from '../../../cli/credentials/generate-api-key';
import { type CommandContext } from '../../../cli/command';
import { HttpsError, type HttpsRequest } from '../../../lambdas/shared/adapters/https-client';
import { FakeTerminal } from '../support/fake-terminal';
import { leaks } from './support/no-leak';
import { answer, type Ending, expectDone, expectFailure, TENANT, World } from './support/world';

const SECRETS = {
  session: 'Mn4sessionCanary99',
  correlation: '0b5c0119-e1a7-4a5b-8c3d-9d1c21b1c3b1',
  key: 'Qr6generatedCanary',
};
const SESSION = { authorization: `Bearer ${SECRETS.session}`, correlationId: SECRETS.correlation };
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
let contents = () => answer(200, '[]');
let tenants: () => ReturnType<typeof answer> | Promise<never> = () => answer(200, GENERATED);

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

async function generate(flags: Parameters<typeof generateApiKey>[1] = {}): Promise<Ending> {
  ending = await world.run(generateApiKey, flags);
  return ending;
}

test('names the setting of a tenant without an API key, and asks the platform for none', async () => {
  world.apiKeyOption = false;

  const { message } = await expectFailure(generate(), { exitCode: 2 });

  expect(message).toMatch(/^apiKey of .*: found false; allowed: true for an API key/);
  expect(mutations()).toEqual([]);
});

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
    [502, '', 75, 'generation_unknown'],
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

describe('nothing is generated', () => {
  test('if the configuration names no tenant service', async () => {
    world.tenantServiceUrl = undefined;

    await expectFailure(generate(), {
      exitCode: 2,
      message: expect.stringMatching(/^platform\.tenantServiceUrl: /) as string,
      advice: expect.stringContaining('latchkey api-key put') as string,
    });
  });

  test('without permission to describe the secret, and nobody is asked for a session', async () => {
    world.terminal = new FakeTerminal({ isInteractive: true });
    world.secretsManager.faults.push({ operation: 'DescribeSecret', name: 'AccessDeniedException' });

    await expectFailure(generate(), { exitCode: 77, code: 'access_denied' });

    expect(world.terminal.questions).toEqual([]);
  });

  test('if the secret is scheduled for deletion, so that the key could not be stored', async () => {
    world.apiKey.secret.deletedAtMs = 0;

    const { advice } = await expectFailure(generate(), { exitCode: 1, code: 'scheduled_for_deletion' });

    expect(advice).toContain('`latchkey doctor --fix --environment staging');
    expect(world.requests).toEqual([]);
  });

  test('if another operator has just staged a key', async () => {
    world.apiKey.add('a'.repeat(32), '{}', ['AWSCURRENT']);
    world.apiKey.add('s'.repeat(32), '{}', ['LATCHKEY_CANDIDATE']);

    await expectFailure(generate(), { exitCode: 1, code: 'candidate_under_way' });

    expect(world.requests).toEqual([]);
  });
});

test('the prompt explains in two lines where to find the session, and hides the answers', async () => {
  const answers = [SESSION.authorization, SESSION.correlationId];
  world.terminal = new FakeTerminal({ isInteractive: true, answers });

  await expectDone(generate());

  expect(world.terminal.said[0]).toContain('developer tools');
  expect(world.terminal.said[1]).toContain('X-Correlation-Id');
  expect(world.terminal.questions.map(({ isHidden }) => isHidden)).toEqual([true, true]);
});

test('the key is stored before anything is printed about it', async () => {
  world.secretsManager.meanwhile = ({ operation }) => {
    if (operation === 'PutSecretValue') expect(world.terminal.visibleText()).toBe('');
  };

  await expectDone(generate());

  expect(world.apiKey.valueWith('AWSCURRENT')).toEqual(VALUE);
});

describe('the first key', () => {
  test('is current, and once tested no longer a candidate', async () => {
    await expectDone(generate());

    expect(Object.keys(world.apiKey.labels())).toEqual(['AWSCURRENT']);
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
    world.secretsManager.meanwhile = ({ operation }) => {
      if (operation === 'PutSecretValue') world.terminal.interrupt();
    };

    const { advice } = await expectFailure(generate(), { exitCode: 130, code: 'interrupted' });

    expect(advice).toContain(
      `version ${world.apiKey.holder('AWSCURRENT')}, and is current because it is the first`,
    );
  });

  test('needs a rotation if someone loads another one while it is tested', async () => {
    world.apiKey.add('p'.repeat(32), undefined, ['AWSPENDING'], 60 * 60_000);
    contents = () => {
      if (world.apiKey.holder('AWSCURRENT') === undefined) loadOld();
      return answer(200, '[]');
    };

    await expectDone(generate());

    expect(world.apiKey.valueWith('AWSCURRENT')).toEqual(VALUE);
    expect(world.apiKey.holder('AWSPREVIOUS')).toBe(CURRENT);
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

  test('replaces the old one, which becomes the previous one', async () => {
    await expectDone(generate());

    expect(world.apiKey.valueWith('AWSCURRENT')).toEqual(VALUE);
    expect(world.apiKey.holder('AWSPREVIOUS')).toBe(CURRENT);
    expect(world.terminal.results[0]!.text).toContain('The restore API accepts it during the grace period');
  });

  test('is promoted although the platform accepts it only after a while', async () => {
    let refusals = 3;
    contents = () => ((refusals -= 1) >= 0 ? answer(401) : answer(200, '[]'));

    await expectDone(generate());

    expect(world.apiKey.valueWith('AWSCURRENT')).toEqual(VALUE);
  });

  test.each([
    [401, 77],
    [503, 69],
  ])('that fails its test (%i) stays staged, and the old one current', async (status, exit) => {
    contents = () => answer(status);

    const { advice } = await expectFailure(generate(), { exitCode: exit });

    expect(advice).toContain('latchkey credentials rotate --kind api-key --environment staging');
    expect(world.apiKey.holder('AWSCURRENT')).toBe(CURRENT);
    expect(world.apiKey.valueWith('LATCHKEY_CANDIDATE')).toEqual(VALUE);
  });

  test('is stored despite an interruption, with advice how to continue', async () => {
    world.secretsManager.meanwhile = ({ operation }) => {
      if (operation === 'PutSecretValue') world.terminal.interrupt();
    };

    const { advice } = await expectFailure(generate(), { exitCode: 130, code: 'interrupted' });

    expect(advice).toContain('latchkey credentials rotate --kind api-key');
    expect(world.apiKey.valueWith('LATCHKEY_CANDIDATE')).toEqual(VALUE);
  });

  test('is stored despite an interruption, even if its first version id is taken', async () => {
    contents = () => answer(401);
    await generate();
    world.apiKey.move('LATCHKEY_CANDIDATE', undefined);
    tenants = () => answer(200, GENERATED.replace('2027', '2028'));
    world.secretsManager.meanwhile = ({ operation }) => {
      if (operation === 'PutSecretValue') world.terminal.interrupt();
    };

    await generate();

    expect(world.apiKey.valueWith('LATCHKEY_CANDIDATE')).toMatchObject({
      validUntil: '2028-03-31T00:00:00.000Z',
    });
  });

  test('of two concurrent administrators, one is stored; the other learns that theirs is lost', async () => {
    const command = (context: CommandContext) => generateApiKey(context, {});
    const other = new FakeTerminal({ input: JSON.stringify(SESSION) });
    const keys = [SECRETS.key, 'St7anotherCanary00'];
    tenants = () => answer(200, GENERATED.replace(SECRETS.key, keys.shift()!));

    const [first, second] = await Promise.all([world.run(command, {}), world.run(command, {}, other)]);

    expect(first.exit).toBe(0);
    expect(second.error).toMatchObject({ exitCode: 1, code: 'key_not_stored' });
    expect(world.apiKey.valueWith('AWSCURRENT')).toEqual(VALUE);
  });
});
