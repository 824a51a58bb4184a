import { revokePrevious } from '../../../cli/credentials/revoke-previous';
import { rollback } from '../../../cli/credentials/rollback';
import { FakeTerminal } from '../support/fake-terminal';
import { expectDone, expectFailure, TENANT, World } from './support/world';

const CURRENT = 'c'.repeat(32);
const PREVIOUS = 'd'.repeat(32);

let world: World;

beforeEach(() => {
  world = new World();
  world.apiKey.add(PREVIOUS, '{"apiKey":"old"}', ['AWSCURRENT'], 24 * 60 * 60_000);
  world.apiKey.add(CURRENT, '{"apiKey":"new"}', ['AWSCURRENT']);
});

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
    const { error } = await world.run(rollback, {});
    world.apiKey.verdict = () => 'proven';

    const { exit } = await world.run(rollback, {});

    expect(error).toMatchObject({ exitCode: 69 });
    expect(exit).toBe(0);
    expect(world.apiKey.valueWith('AWSCURRENT')).toEqual({ apiKey: 'old' });
  });

  test.each([
    ['there is no previous version', () => world.apiKey.move('AWSPREVIOUS', undefined)],
    ['the previous version is the current one', () => world.apiKey.move('AWSPREVIOUS', CURRENT)],
  ])('exits with 1 if %s', async (_, arrange) => {
    arrange();

    await expectFailure(world.run(rollback, { kind: 'api-key' }), { exitCode: 1, code: 'no_previous' });
  });

  test.each([
    ['declined', {}, [false], 1],
    ['confirmed in advance', { yes: true }, [], 0],
  ])('%s at a terminal is done or not', async (_, flags, answers, exit) => {
    const ending = await world.run(rollback, flags, new FakeTerminal({ isInteractive: true, answers }));

    expect(ending.exit).toBe(exit);
    expect(world.apiKey.holder('AWSCURRENT') === CURRENT).toBe(exit === 1);
  });

  test('says that it discards an old candidate', async () => {
    world.apiKey.add('s'.repeat(32), '{}', ['LATCHKEY_CANDIDATE'], 60 * 60_000);

    await expectDone(world.run(rollback, {}));

    expect(world.terminal.said.join('\n')).toContain(`This discards the staged version ${'s'.repeat(32)}`);
  });

  test('leaves another operator’s recent candidate alone', async () => {
    world.apiKey.add('s'.repeat(32), '{}', ['LATCHKEY_CANDIDATE']);

    await expectFailure(world.run(rollback, {}), { exitCode: 1, code: 'candidate_under_way' });
  });

  test('changes nothing if another operator is faster', async () => {
    world.secretsManager.meanwhile = ({ operation }) => {
      if (operation === 'UpdateSecretVersionStage') {
        world.apiKey.move('LATCHKEY_CANDIDATE', CURRENT);
      }
    };

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

  test.each([
    ['declined', {}, [false], PREVIOUS],
    ['confirmed in advance', { yes: true }, [], undefined],
  ])('%s at a terminal is done or not', async (_, flags, answers, holder) => {
    await world.run(revokePrevious, flags, new FakeTerminal({ isInteractive: true, answers }));

    expect(world.apiKey.holder('AWSPREVIOUS')).toBe(holder);
  });

  test('never removes the label from a version that another operator has just retired', async () => {
    world.secretsManager.meanwhile = ({ operation }) => {
      if (operation === 'UpdateSecretVersionStage') world.apiKey.add('n'.repeat(32), '{}', ['AWSCURRENT']);
    };

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
