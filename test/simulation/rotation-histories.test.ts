import * as fc from 'fast-check';

import { CANDIDATE_LABEL } from '../../contract/credential-labels';
import { CREDENTIAL_KINDS } from '../../contract/secret-names';
import { KillPoints } from '../faults/support/kill-points';
import { MINUTE_MS } from '../support/lambdas/token-functions';
import { expectMended, expectSound } from './support/mended';
import { OperatedDeployment } from './support/operated-deployment';
import { HAPPENING, type Happening, play } from './support/rotation-histories';
import { IS_FULL, SEED } from '../support/test-size';

const HISTORIES = IS_FULL ? 1_000 : 60;
const TIMEOUT_MS = 300_000;

/** What stages another candidate, or gives one up. */
const STAGING: readonly Happening['is'][] = [
  'load',
  'load the current one',
  'load twice at once',
  'stage elsewhere',
  'generate',
  'rollback',
];

beforeEach(() => {
  // Time is the test's own: the signals that end calls after real time are of no use in it.
  jest.spyOn(AbortSignal, 'timeout').mockImplementation(() => new AbortController().signal);
});

afterEach(() => jest.restoreAllMocks());

function look(operated: OperatedDeployment) {
  return {
    current: operated.valueAt('AWSCURRENT'),
    candidate: operated.valueAt(CANDIDATE_LABEL),
    isRollback: operated.holderOf(CANDIDATE_LABEL) === operated.holderOf('AWSPREVIOUS'),
  };
}

/** A candidate goes only for a newer one, once it is current, or once the platform refuses it. */
function expectCandidateKept(
  operated: OperatedDeployment,
  before: ReturnType<typeof look>,
  { is }: Happening,
): void {
  const now = look(operated);
  const { candidate } = before;
  if (STAGING.includes(is) || before.isRollback || now.candidate === candidate) return;
  if (!operated.platform.accepts(operated.kind, candidate)) return;
  expect([before.current, now.current]).toContain(candidate);
}

test.each(CREDENTIAL_KINDS)(
  'whatever happens to a credential of kind %s, one that works is current, no candidate is lost, and doctor --fix mends the rest',
  async (kind) => {
    await fc.assert(
      fc.asyncProperty(fc.array(HAPPENING, { maxLength: 25 }), async (happenings) => {
        const operated = await OperatedDeployment.create(kind);
        for (const event of happenings) {
          const before = look(operated);
          await play(operated, event);
          expectSound(operated);
          expectCandidateKept(operated, before, event);
        }
        operated.functions.rotationPoints = new KillPoints();
        await operated.time.advance(11 * MINUTE_MS);

        await expectMended(operated, () => [operated.valueAt('AWSCURRENT')]);
      }),
      { numRuns: HISTORIES, seed: SEED },
    );
  },
  TIMEOUT_MS,
);
