import * as fc from 'fast-check';

import { CANDIDATE_LABEL } from '../../core/secrets/credential-labels';
import { CREDENTIAL_KINDS } from '../../core/secrets/secret-names';
import { KillPoints } from '../faults/support/kill-points';
import { MINUTE_MS } from '../support/lambdas/token-functions';
import { expectFixed, expectSound } from './support/fixed';
import { OperatedDeployment } from './support/operated-deployment';
import { HAPPENING, type Happening, play } from './support/rotation-histories';
import { IS_FULL, SEED } from '../support/test-size';

const HISTORIES = IS_FULL ? 1_000 : 60;
const TIMEOUT_MS = 300_000;

/** Events that stage another candidate, or give one up. */
const STAGING: readonly Happening['is'][] = [
  'load',
  'load the current one',
  'load twice at once',
  'stage elsewhere',
  'generate',
  'rollback',
];

beforeEach(() => {
  // On virtual time, signals of real timeouts are useless.
  jest.spyOn(AbortSignal, 'timeout').mockImplementation(() => new AbortController().signal);
});

afterEach(() => jest.restoreAllMocks());

function look(operated: OperatedDeployment) {
  const createdAtMs = (label: string) =>
    operated.versions().find(({ stages }) => stages.has(label))?.createdAtMs ?? 0;
  return {
    current: operated.valueAt('AWSCURRENT'),
    candidate: operated.valueAt(CANDIDATE_LABEL),
    // Like a promoted candidate, so that doctor removes its label; only a value written by hand makes it so.
    isOutdated: createdAtMs(CANDIDATE_LABEL) < createdAtMs('AWSCURRENT'),
    isRollback: operated.holderOf(CANDIDATE_LABEL) === operated.holderOf('AWSPREVIOUS'),
  };
}

/** Expects the candidate to stay until a newer one replaces it, it becomes current, or the platform refuses it. */
function expectCandidateKept(
  operated: OperatedDeployment,
  before: ReturnType<typeof look>,
  { is }: Happening,
): void {
  const now = look(operated);
  const { candidate } = before;
  if (STAGING.includes(is) || before.isRollback || before.isOutdated || now.candidate === candidate) return;
  if (!operated.platform.accepts(operated.kind, candidate)) return;
  expect([before.current, now.current]).toContain(candidate);
}

test.each(CREDENTIAL_KINDS)(
  'after any sequence of events a working credential of kind %s is current, no candidate is lost, and doctor --fix fixes every finding',
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

        await expectFixed(operated, () => [operated.valueAt('AWSCURRENT')]);
      }),
      { numRuns: HISTORIES, seed: SEED },
    );
  },
  TIMEOUT_MS,
);
