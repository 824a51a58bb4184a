import { revokePrevious } from '../../../cli/credentials/revoke-previous';
import { rollback } from '../../../cli/credentials/rollback';
import { FakeTerminal } from '../support/fake-terminal';
import { expectDone, expectFailure, TENANT, World } from './support/world';

const CURRENT = 'c'.repeat(32);
const PREVIOUS = 'd'.repeat(32);
const STAGED = 's'.repeat(32);

let world: World;

beforeEach(() => {
  world = new World();
  world.apiKey.add(PREVIOUS, '{"apiKey":"old"}', ['AWSCURRENT'], 24 * 60 * 60_000);
  world.apiKey.add(CURRENT, '{"apiKey":"new"}', ['AWSCURRENT']);
});

/** What another operator does just before this command moves a label. */
function justBeforeMove(act: () => void): void {
  world.secretsManager.meanwhile = ({ operation }) => {
    if (operation === 'UpdateSecretVersionStage') act();
  };
}

describe('a rollback', () => {
  test('promotes the previous value as a new version, once tested', async () => {
    const proven: string[] = [];
    world.apiKey.verdict = (value) => {
      proven.push(value);
      return 'proven';
    };

    await expectDone(world.run(rollback, {}));

    expect(proven).toEqual(['{"apiKey":"old"}']);
    expect(world.apiKey.valueWith('AWSCURRENT')).toEqual({ apiKey: 'old' });
    expect(world.apiKey.holder('AWSPREVIOUS')).toBe(CURRENT);
    expect(world.apiKey.holder('LATCHKEY_CANDIDATE')).toBeUndefined();
  });

  test('to a refused value changes nothing, and leaves no candidate', async () => {
    world.apiKey.verdict = () => 'refused';

    await expectFailure(world.run(rollback, {}), { exitCode: 77, code: 'previous_refused' });

    expect(world.apiKey.holder('AWSCURRENT')).toBe(CURRENT);
    expect(world.apiKey.holder('LATCHKEY_CANDIDATE')).toBeUndefined();
  });

  test('that could not be tested is retried by the same command', async () => {
    world.apiKey.verdict = () => 'untested';
    await expectFailure(world.run(rollback, {}), { exitCode: 69 });
    world.apiKey.verdict = () => 'proven';

    await expectDone(world.run(rollback, {}));

    expect(world.apiKey.valueWith('AWSCURRENT')).toEqual({ apiKey: 'old' });
  });

  test('exits with 1 if the previous version is the current one', async () => {
    world.apiKey.move('AWSPREVIOUS', CURRENT);

    await expectFailure(world.run(rollback, { kind: 'api-key' }), { exitCode: 1, code: 'no_previous' });
  });

  test('says that it discards an old candidate', async () => {
    world.apiKey.add(STAGED, '{}', ['LATCHKEY_CANDIDATE'], 60 * 60_000);

    await expectDone(world.run(rollback, {}));

    expect(world.terminal.said.join('\n')).toContain(`This discards the staged version ${STAGED}`);
  });

  test('changes nothing if another operator is faster', async () => {
    justBeforeMove(() => world.apiKey.move('LATCHKEY_CANDIDATE', CURRENT));

    await expectFailure(world.run(rollback, {}), { exitCode: 1, code: 'changed_meanwhile' });

    expect(world.secretsManager.commandsOf('RotateSecret')).toEqual([]);
  });
});

describe('revoking the previous version', () => {
  test('removes its label, and says what the platform still accepts', async () => {
    await expectDone(world.run(revokePrevious, {}));

    expect(world.apiKey.labels()).toEqual({ AWSCURRENT: CURRENT });
    expect(world.terminal.results[0]).toMatchObject({
      document: { outcome: 'revoked', versionId: PREVIOUS },
      text: expect.stringContaining('The platform still accepts the old API key') as string,
    });
    // So that the key stays revoked, whatever is written next.
    const event = { action: 'prove', tenantIds: [TENANT] };
    expect(world.invoked).toEqual([{ functionName: 'rotate-credentials', isAsync: true, event }]);
  });

  test('never removes the label from a version that another operator has just retired', async () => {
    justBeforeMove(() => world.apiKey.add('n'.repeat(32), '{}', ['AWSCURRENT']));

    await expectFailure(world.run(revokePrevious, {}), { exitCode: 1, code: 'changed_meanwhile' });

    expect(world.apiKey.holder('AWSPREVIOUS')).toBe(CURRENT);
  });

  test('exits with 1 if there is none', async () => {
    await expectFailure(world.run(revokePrevious, { kind: 'client-credentials' }), {
      exitCode: 1,
      code: 'no_previous',
    });
  });
});

test.each([
  ['a rollback', rollback],
  ['a revocation', revokePrevious],
])('a person may decline %s, or confirm it in advance', async (_, command) => {
  const labels = world.apiKey.labels();
  const run = (flags: object, ...answers: boolean[]) =>
    world.run(command, flags, new FakeTerminal({ isInteractive: true, answers }));

  expect((await run({}, false)).exit).toBe(1);
  expect(world.apiKey.labels()).toEqual(labels);

  expect((await run({ yes: true })).exit).toBe(0);
  expect(world.apiKey.labels()).not.toEqual(labels);
});
