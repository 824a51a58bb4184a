import { type RotationStep } from '../../../core/rotation/rotation';
import { type CredentialKind } from '../../../core/secrets/secret-names';
import { DOWN } from '../../support/platform/credential-platform';
import { type KillPoints } from '../../support/kill-points';
import { MINUTE_MS } from '../../support/lambdas/token-functions';
import { OperatedDeployment } from './operated-deployment';

interface Arranged {
  operated: OperatedDeployment;
  /** The operator's command. @returns how it ended */
  run: (points?: KillPoints) => Promise<string>;
  /** Values of which one may be current once everything is fixed. */
  mayBeCurrent: () => (string | undefined)[];
}

/** A way of replacing credentials. */
interface RotationScenario {
  name: string;
  ends: string;
  points: Partial<Record<CredentialKind, number>>;
  arrange(kind: CredentialKind): Promise<Arranged>;
}

function once(operated: OperatedDeployment, step: RotationStep, happen: () => Promise<void> | void): void {
  let isDone = false;
  operated.beforeStep = async ({ Step }) => {
    if (Step !== step || isDone) return;
    isDone = true;
    await happen();
  };
}

/** Prepares an operation on a deployment whose current value is `old`, if it has one. */
type Prepare = (operated: OperatedDeployment, old?: string) => Promise<Omit<Arranged, 'operated'>>;

const create = (kind: CredentialKind) => OperatedDeployment.create(kind);
const createEmpty = (kind: CredentialKind) => OperatedDeployment.empty(kind);
/** Nothing was loaded until the schedule had started a rotation. */
async function createEmptyBefore(kind: CredentialKind): Promise<OperatedDeployment> {
  const operated = await OperatedDeployment.empty(kind);
  await operated.time.advance(32 * 24 * 60 * MINUTE_MS);
  return operated;
}

/**
 * Loads a new value; the newest that works has to become current.
 * @param disturb arranges what happens meanwhile, and returns a newer value if that is staged
 */
function loading(
  disturb: (operated: OperatedDeployment, fresh: string) => Promise<string | void> | string | void = () =>
    undefined,
  flags: { revokePrevious?: boolean } = {},
): Prepare {
  return async (operated, old) => {
    const fresh = operated.platform.issueValue(operated.kind);
    const newer = (await disturb(operated, fresh)) ?? fresh;
    return {
      mayBeCurrent: () => [newestThatWorks(operated, newer, fresh) ?? old],
      run: (points) => operated.load(fresh, { points, ...flags }),
    };
  };
}

/** Another writer stages a newer value during the rotation. */
function stagedMeanwhile(operated: OperatedDeployment, happens = () => {}): string {
  const newer = operated.platform.issueValue(operated.kind);
  once(operated, 'setSecret', () => {
    happens();
    return operated.stageElsewhere(newer);
  });
  return newer;
}

/** A value that the platform refuses was loaded before. */
async function refusedBefore(operated: OperatedDeployment): Promise<void> {
  const bad = operated.platform.issueValue(operated.kind);
  once(operated, 'testSecret', () => operated.platform.revoke(bad));
  expect(await operated.load(bad)).toBe('candidate_refused');
  await operated.time.advance(10_000);
}

const generating: Prepare = async (operated, old) => ({
  mayBeCurrent: () => [generatedIn(operated) ?? old],
  run: (points) => operated.generate(points),
});

/** An operation after which one of the values at these labels is current. */
function keeping(command: 'rollBack' | 'revoke', ...labels: string[]): Prepare {
  return async (operated) => {
    const values = labels.map((label) => operated.valueAt(label));
    return { mayBeCurrent: () => values, run: (points) => operated[command](points) };
  };
}

const rollingBackToRefused: Prepare = (operated) => {
  operated.platform.revoke(operated.valueAt('AWSPREVIOUS')!);
  return keeping('rollBack', 'AWSCURRENT')(operated);
};

const loadingTheCurrentOne: Prepare = async (operated, old) => ({
  mayBeCurrent: () => [old],
  run: (points) => operated.load(old!, { points }),
});

type Row = [
  name: string,
  ends: string,
  pair: number | undefined,
  apiKey: number,
  prepare: Prepare,
  start?: (kind: CredentialKind) => Promise<OperatedDeployment>,
];

// prettier-ignore
const ROWS: Row[] = [
  ['accepted', 'done', 20, 18, loading()],
  ['refused', 'candidate_refused', 16, 132,
    loading((operated, fresh) => once(operated, 'testSecret', () => operated.platform.revoke(fresh)))],
  ['could not be tested', 'could_not_test', 20, 20,
    loading((operated) => once(operated, 'testSecret', () => void (operated.platform.trouble = DOWN)))],
  ['rolled back', 'done', 16, 14, keeping('rollBack', 'AWSCURRENT', 'AWSPREVIOUS')],
  ['accepted, with a newer one staged meanwhile', 'done', 20, 18,
    loading((operated) => stagedMeanwhile(operated))],
  ['refused, with a newer one staged meanwhile', 'candidate_replaced', 16, 16,
    loading((operated, fresh) => stagedMeanwhile(operated, () => operated.platform.revoke(fresh)))],
  ['accepted after a refused one', 'done', 32, 110, loading(refusedBefore)],
  ['accepted, the previous one revoked', 'done', 22, 22,
    loading(undefined, { revokePrevious: true })],
  ['generated', 'done', undefined, 18, generating],
  ['generated as the first one', 'done', undefined, 14, generating, createEmpty],
  ['the first one', 'done', 12, 12, loading(), createEmpty],
  ['not replaced, but the previous one revoked', 'done', 4, 6, keeping('revoke', 'AWSCURRENT')],
  ['current already', 'done', 20, 20, loadingTheCurrentOne],
  ['rolled back to a refused one', 'previous_refused', 14, 130, rollingBackToRefused],
  ['the first one, after a rotation without a candidate', 'done', 12, 12, loading(), createEmptyBefore],
  ['generated as the first one, after a rotation without a candidate', 'done', undefined, 16, generating,
    createEmptyBefore],
];

export const ROTATION_SCENARIOS: readonly RotationScenario[] = ROWS.map(
  ([name, ends, pair, apiKey, prepare, start = create]) => ({
    name,
    ends,
    points: { ...(pair && { 'client-credentials': pair }), 'api-key': apiKey },
    arrange: async (kind) => {
      const operated = await start(kind);
      return { operated, ...(await prepare(operated, operated.valueAt('AWSCURRENT'))) };
    },
  }),
);

/** The value with the generated key, if it was stored. */
function generatedIn(operated: OperatedDeployment): string | undefined {
  const [value, ...more] = operated.platform.generated;
  expect(more).toEqual([]);
  return value === undefined ? undefined : newestThatWorks(operated, value);
}

/** The newest staged value that the platform accepts, which has to become current. */
function newestThatWorks(operated: OperatedDeployment, ...values: string[]): string | undefined {
  const stored = operated.versions().map(({ secretString }) => secretString);
  return values.find((value) => operated.platform.accepts(operated.kind, value) && stored.includes(value));
}
