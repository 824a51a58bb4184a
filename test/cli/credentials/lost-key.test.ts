import { generateApiKey } from '../../../cli/credentials/generate-api-key';
import { FakeTerminal } from '../support/fake-terminal';
import { type CommandFault } from '../../support/aws/simulated-secrets-manager';
import { leaks } from './support/no-leak';
import { answer, type Ending, expectDone, expectFailure, World } from './support/world';

/**
 * F26: a key was generated, but storing it fails. The command always reports a lost key, and never repeats the mutation.
 */
const KEY = 'Uv8generatedCanary';
const SESSION = {
  authorization: 'Bearer Wx9sessionCanary',
  correlationId: '6c6b5ee5-9e8d-4ae4-9d1c-21b1c3b1a111',
};
const SECRETS = { key: KEY, session: 'Wx9sessionCanary', correlation: SESSION.correlationId };
const CURRENT = 'c'.repeat(32);
const SEEDS = [1, 2, 3];
const PASSING = ['ThrottlingException', 'InternalServiceError', 'TimeoutError'];
const LASTING = ['AccessDeniedException', 'InvalidRequestException', 'DecryptionFailure'];

let world: World;
let mutations: number;

beforeEach(() => {
  world = new World({ input: JSON.stringify(SESSION) });
  mutations = 0;
  world.platform = ({ url }) => {
    if (!url.pathname.endsWith('/tenants')) return answer(200, '[]');
    mutations += 1;
    const generateApiKey = { validUntil: '2027-03-31T00:00:00Z', apiKey: KEY };
    return answer(200, JSON.stringify({ data: { generateApiKey } }));
  };
  world.apiKey.add(CURRENT, '{"apiKey":"old","validUntil":"2026-03-01T00:00:00Z"}', ['AWSCURRENT']);
});

/** A seeded failure of the write. */
function faultOf(seed: number, names: string[], times: number): CommandFault {
  return {
    operation: 'PutSecretValue',
    name: names[seed % names.length]!,
    isAfterEffect: seed % 2 === 1,
    times,
  };
}

async function generate(terminal = world.terminal): Promise<Ending> {
  const ending = await world.run(generateApiKey, {}, terminal);
  expect(leaks(world, ending, SECRETS)).toEqual([]);
  expect(mutations).toBe(1);
  return ending;
}

test.each(SEEDS)(
  'a write that fails temporarily is retried, and creates one version (seed %i)',
  async (seed) => {
    world.secretsManager.faults.push(faultOf(seed, PASSING, seed));

    await expectDone(generate());

    expect(world.apiKey.valueWith('AWSCURRENT')).toMatchObject({ apiKey: KEY });
    const holders = [...world.apiKey.secret.versions.values()].filter(({ secretString }) =>
      secretString?.includes(KEY),
    );
    // The candidate, and the rotation's copy of it.
    expect(holders).toHaveLength(2);
  },
);

test.each(SEEDS)(
  'a write that fails permanently ends with advice, and the old key works (seed %i)',
  async (seed) => {
    world.secretsManager.faults.push({ ...faultOf(seed, LASTING, Infinity), isAfterEffect: false });

    const { advice, message } = await expectFailure(generate(), { exitCode: 1, code: 'key_not_stored' });

    expect(message).toContain('a new API key was generated but not stored');
    expect(advice).toContain('latchkey api-key generate --environment staging');
    expect(world.apiKey.labels()).toEqual({ AWSCURRENT: CURRENT });
    expect(world.terminal.questions).toEqual([]);
  },
);

test.each(SEEDS)(
  'a long outage exits with 75, and says how to check whether the key was stored (seed %i)',
  async (seed) => {
    world.secretsManager.faults.push(faultOf(seed, PASSING, Infinity));

    const { advice } = await expectFailure(generate(), { exitCode: 75, code: 'storing_unknown' });

    expect(advice).toContain('Check whether a candidate is staged: latchkey status');
    expect(world.apiKey.holder('AWSCURRENT')).toBe(CURRENT);
  },
);

test.each(SEEDS)('an interruption does not stop the retries (seed %i)', async (seed) => {
  world.secretsManager.faults.push(faultOf(seed, PASSING, seed));
  world.onSleep = () => world.terminal.interrupt();

  await expectFailure(generate(), { exitCode: 130, code: 'interrupted' });

  expect(world.apiKey.valueWith('LATCHKEY_CANDIDATE')).toMatchObject({ apiKey: KEY });
});

test.each(SEEDS)('a person can fix the cause, and the key is stored after all (seed %i)', async (seed) => {
  const fault = { ...faultOf(seed, LASTING, Infinity), isAfterEffect: false };
  world.secretsManager.faults.push(fault);
  const answers = [SESSION.authorization, SESSION.correlationId, true, true];
  const terminal = new FakeTerminal({ isInteractive: true, answers });
  let questions = 0;
  terminal.confirm = async (question) => {
    terminal.questions.push({ question, isHidden: false });
    questions += 1;
    if (questions === 2) fault.times = 0;
    return true;
  };

  await expectDone(generate(terminal));

  expect(questions).toBe(2);
  expect(world.apiKey.valueWith('AWSCURRENT')).toMatchObject({ apiKey: KEY });
});

test('a key that the person gives up on is reported as lost', async () => {
  world.secretsManager.faults.push(faultOf(2, LASTING, Infinity));
  const answers = [SESSION.authorization, SESSION.correlationId, false];

  await expectFailure(generate(new FakeTerminal({ isInteractive: true, answers })), {
    exitCode: 1,
    code: 'key_not_stored',
  });
});
