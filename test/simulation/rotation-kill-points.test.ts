import { type CredentialKind } from '../../core/secrets/secret-names';
import { KillPoints } from '../faults/support/kill-points';
import { MINUTE_MS } from '../support/lambdas/token-functions';
import { expectFixed, expectReplaceable, expectSound } from './support/fixed';
import { type Arranged, type Operation, ROTATION_SCENARIOS } from './support/rotation-scenarios';
import { IS_FULL, printFigures } from '../support/test-size';

/** After this time a rotation counts as abandoned. */
const LEFT_BEHIND_MS = 11 * MINUTE_MS;
/** Outside of full size, only every twelfth point. */
const STRIDE = IS_FULL ? 1 : 12;
const TIMEOUT_MS = 60_000;

const CASES = ROTATION_SCENARIOS.flatMap(({ points, ...scenario }) =>
  Object.entries(points).map(([kind, counts]) => ({ ...scenario, kind: kind as CredentialKind, ...counts })),
);

/** Kills a process during an operation. */
type Killing = (arranged: Arranged, points: KillPoints) => Promise<void>;

const killCommand: Killing = async ({ run }, points) => void (await run(points));
const killFunction =
  (isKilledOnce: boolean): Killing =>
  async ({ operated, run }, points) => {
    Object.assign(operated.functions, { rotationPoints: points, isKilledOnce });
    await run();
  };

beforeEach(() => {
  // On virtual time, signals of real timeouts are useless.
  jest.spyOn(AbortSignal, 'timeout').mockImplementation(() => new AbortController().signal);
});

afterEach(() => jest.restoreAllMocks());

/**
 * Kills the process at each point in turn, and applies the fixes.
 * @returns the number of points
 */
async function sweepPoints(
  arrange: () => Promise<Arranged>,
  kill: Killing,
  expectRecovery: (
    operated: Arranged['operated'],
    mayBeCurrent: Arranged['mayBeCurrent'],
  ) => Promise<void> = expectFixed,
): Promise<number> {
  const counted = new KillPoints();
  const undisturbed = await arrange();
  await kill(undisturbed, counted);
  await undisturbed.operated.time.advance(LEFT_BEHIND_MS);
  for (let point = 1; point <= counted.passed; point += STRIDE) {
    const arranged = await arrange();
    const { operated, mayBeCurrent } = arranged;
    const points = new KillPoints(point);
    await kill(arranged, points);
    await operated.time.advance(LEFT_BEHIND_MS);
    expect(points.passed).toBeGreaterThanOrEqual(point);
    expectSound(operated);
    operated.functions.rotationPoints = new KillPoints();
    await expectRecovery(operated, mayBeCurrent);
  }
  return counted.passed;
}

describe.each(CASES)('$kind $name', ({ kind, name, ends, ofCommand, ofFunction, arrange }) => {
  const arrangeKind = () => arrange(kind);

  test('leaves one working current value if no process is killed', async () => {
    const { operated, run }: { operated: Arranged['operated']; run: Operation } = await arrangeKind();

    expect(await run()).toBe(ends);

    await operated.time.advance(LEFT_BEHIND_MS);
    expectSound(operated);
  });

  test(
    'leaves a state that doctor --fix repairs if the command is killed, at any point',
    async () => expect(await sweepPoints(arrangeKind, killCommand)).toBe(ofCommand),
    TIMEOUT_MS,
  );

  if (ofFunction === 0) return;

  test.each([
    ['once, and the rotation repeated', true],
    ['in every repetition', false],
  ])(
    'leaves a state that doctor --fix repairs if rotate-credentials is killed, at any point, %s',
    async (_, isKilledOnce) =>
      expect(await sweepPoints(arrangeKind, killFunction(isKilledOnce))).toBe(ofFunction),
    TIMEOUT_MS,
  );

  test(
    'does not block the next credential if rotate-credentials is killed, at any point, and nothing is fixed',
    async () =>
      expect(await sweepPoints(arrangeKind, killFunction(false), expectReplaceable)).toBe(ofFunction),
    TIMEOUT_MS,
  );

  afterAll(() =>
    printFigures(`kill points, ${kind} ${name}: ${ofCommand} of the command, ${ofFunction} of a run`),
  );
});
