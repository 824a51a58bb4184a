import { type CredentialKind } from '../../contract/secret-names';
import { KillPoints } from '../faults/support/kill-points';
import { MINUTE_MS } from '../support/lambdas/token-functions';
import { expectMended, expectReplaceable, expectSound } from './support/mended';
import { type Arranged, type Operation, ROTATION_SCENARIOS } from './support/rotation-scenarios';
import { IS_FULL, printFigures } from '../support/test-size';

/** After so long nobody takes a rotation for one that is going on. */
const LEFT_BEHIND_MS = 11 * MINUTE_MS;
/** `npm test` looks at every so-many-th point only. */
const STRIDE = IS_FULL ? 1 : 12;
const TIMEOUT_MS = 60_000;

const CASES = ROTATION_SCENARIOS.flatMap(({ points, ...scenario }) =>
  Object.entries(points).map(([kind, counts]) => ({ ...scenario, kind: kind as CredentialKind, ...counts })),
);

/** Where a process is killed in an operation. */
type Killing = (arranged: Arranged, points: KillPoints) => Promise<void>;

const killCommand: Killing = async ({ run }, points) => void (await run(points));
const killFunction =
  (isKilledOnce: boolean): Killing =>
  async ({ operated, run }, points) => {
    Object.assign(operated.functions, { rotationPoints: points, isKilledOnce });
    await run();
  };

beforeEach(() => {
  // Time is the test's own: the signals that end calls after real time are of no use in it.
  jest.spyOn(AbortSignal, 'timeout').mockImplementation(() => new AbortController().signal);
});

afterEach(() => jest.restoreAllMocks());

/** Kills at every point in turn, and has what was left mended. @returns how many points there are */
async function sweepPoints(
  arrange: () => Promise<Arranged>,
  kill: Killing,
  mend: (
    operated: Arranged['operated'],
    mayBeCurrent: Arranged['mayBeCurrent'],
  ) => Promise<void> = expectMended,
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
    await mend(operated, mayBeCurrent);
  }
  return counted.passed;
}

describe.each(CASES)('$kind $name', ({ kind, name, ends, ofCommand, ofFunction, arrange }) => {
  const arrangeKind = () => arrange(kind);

  test('leaves one current value that works where nobody is killed', async () => {
    const { operated, run }: { operated: Arranged['operated']; run: Operation } = await arrangeKind();

    expect(await run()).toBe(ends);

    await operated.time.advance(LEFT_BEHIND_MS);
    expectSound(operated);
  });

  test(
    'leaves what doctor --fix mends where the command is killed, at any point',
    async () => expect(await sweepPoints(arrangeKind, killCommand)).toBe(ofCommand),
    TIMEOUT_MS,
  );

  if (ofFunction === 0) return;

  test.each([
    ['once, and the rotation repeated', true],
    ['in every repetition', false],
  ])(
    'leaves what doctor --fix mends where rotate-credentials is killed, at any point, %s',
    async (_, isKilledOnce) =>
      expect(await sweepPoints(arrangeKind, killFunction(isKilledOnce))).toBe(ofFunction),
    TIMEOUT_MS,
  );

  test(
    'is in nobody’s way where rotate-credentials is killed, at any point, and nothing is mended',
    async () =>
      expect(await sweepPoints(arrangeKind, killFunction(false), expectReplaceable)).toBe(ofFunction),
    TIMEOUT_MS,
  );

  afterAll(() =>
    printFigures(`kill points, ${kind} ${name}: ${ofCommand} of the command, ${ofFunction} of a run`),
  );
});
