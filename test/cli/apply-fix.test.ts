import { applyFix, type FixableFinding } from '../../cli/apply-fix';
import { type Finding, type Fix } from '../../core/findings/finding';
import { World, TENANT } from './credentials/support/world';

const STOPPED = 's'.repeat(32);
const KEY_SECRET = `latchkey/staging/mea/${TENANT}/api-key`;

async function repair(world: World, fix: Fix, terminal = world.terminal) {
  const system = await world.context().system();
  const finding: Finding = {
    kind: 'candidate_waiting',
    severity: 'warning',
    place: { environment: 'staging', platformRegion: 'mea', tenantId: TENANT },
    credential: 'api-key',
    message: '',
    meaning: '',
    repair: { command: '', fix },
  };
  const [deployment] = system.deployments;
  const each: FixableFinding = { deployment: deployment!, finding, fix };
  return applyFix(world.context(terminal), system, each);
}

/** A world with an API key that waits for its rotation. */
function worldWithCandidate(): World {
  const world = new World();
  world.apiKey.add('current', '{"apiKey":"a"}', ['AWSCURRENT']);
  world.apiKey.add('staged', '{"apiKey":"b"}', ['LATCHKEY_CANDIDATE']);
  return world;
}

describe('a fix', () => {
  it('removes only the labels that are still there', async () => {
    const world = new World();
    world.apiKey.add('current', 'a', ['AWSCURRENT']);
    world.apiKey.add(STOPPED, undefined, ['AWSPENDING']);
    const versions = [{ versionId: STOPPED, labels: ['AWSPENDING' as const, 'LATCHKEY_REFUSED' as const] }];

    const outcome = await repair(world, { action: 'remove_labels', secretId: KEY_SECRET, versions });

    expect(outcome).toMatchObject({ isDone: true, outcome: expect.stringContaining('1 of them') as string });
    expect(world.apiKey.labels()).toEqual({ AWSCURRENT: 'current' });
  });

  it.each([
    [{ outcome: 'proven' }, true, 'The platform accepts the API key'],
    [{ outcome: 'refused', reason: 'it answered 401' }, false, 'refused: it answered 401'],
  ])('has the API key proven (%j)', async (proof, isDone, outcome) => {
    const world = new World();
    world.proof = proof;

    expect(await repair(world, { action: 'prove_key' })).toEqual({ isDone, outcome });

    const event = { action: 'prove', tenantIds: [TENANT] };
    expect(world.invoked).toEqual([{ functionName: 'rotate-credentials', isAsync: false, event }]);
  });

  it('promotes the candidate', async () => {
    const world = worldWithCandidate();

    const outcome = await repair(world, { action: 'rotate', credential: 'api-key' });

    expect(outcome.isDone).toBe(true);
    expect(world.apiKey.valueWith('AWSCURRENT')).toEqual({ apiKey: 'b' });
  });

  it.each([
    ['cron(0 8 1 */3 ? *)', { ScheduleExpression: 'cron(0 8 1 */3 ? *)' }],
    ['none', { AutomaticallyAfterDays: 1000 }],
  ])('sets the rotation schedule %s, and rotates nothing', async (schedule, RotationRules) => {
    const world = new World();
    const sent = jest.spyOn(world.secretsManager, 'send').mockResolvedValue({});

    const outcome = await repair(world, { action: 'set_rotation_schedule', secretId: KEY_SECRET, schedule });

    expect(outcome.isDone).toBe(true);
    expect(sent.mock.calls.map(([{ input }]) => input)).toEqual([
      { SecretId: KEY_SECRET, RotateImmediately: false, RotationRules },
    ]);
  });

  it('says who may set a rotation schedule if the operator policy does not allow it', async () => {
    const world = new World();
    world.secretsManager.faults.push({ operation: 'RotateSecret', name: 'AccessDeniedException' });

    const schedule = 'cron(0 8 1 */3 ? *)';
    const outcome = await repair(world, { action: 'set_rotation_schedule', secretId: KEY_SECRET, schedule });

    expect(outcome).toEqual({
      isDone: false,
      outcome: expect.stringContaining('an administrator of the account can run this command') as string,
    });
  });

  it('says that a rotation continues if it does not finish in time', async () => {
    const world = worldWithCandidate();
    world.apiKey.verdict = () => 'silent';

    const outcome = await repair(world, { action: 'rotate', credential: 'api-key' });

    expect(outcome).toMatchObject({ isDone: false, isUnfinished: true });
  });

  it('exits with 75 if interrupted during a rotation', async () => {
    const world = worldWithCandidate();
    world.onSleep = () => world.terminal.interrupt();

    const repairing = repair(world, { action: 'rotate', credential: 'api-key' });

    await expect(repairing).rejects.toMatchObject({ exitCode: 75, code: 'rotation_unfinished' });
  });

  it('cancels the deletion of a secret, and can be repeated', async () => {
    const world = new World();
    world.apiKey.secret.deletedAtMs = 0;

    const fix: Fix = { action: 'restore_secret', secretId: KEY_SECRET };
    const outcomes = [await repair(world, fix), await repair(world, fix)];

    expect(outcomes.map(({ isDone }) => isDone)).toEqual([true, true]);
    expect(world.apiKey.secret.deletedAtMs).toBeUndefined();
  });

  it('reports why token-refresh failed', async () => {
    const world = new World();
    const error = { code: 'platform_unavailable', message: 'no answer' };
    world.ensureAnswerTo = () => ({ ok: false, error });

    const token = { interface: 'content', scope: 'api/read' } as const;
    const outcome = await repair(world, { action: 'refresh_token', token });

    expect(outcome).toEqual({ isDone: false, outcome: 'platform_unavailable: no answer' });
  });
});
