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

/** Arranges what happens while a value is loaded. @returns the newer value that is then staged, if any */
type Disturbance = (operated: OperatedDeployment, fresh: string) => Promise<void> | string | void;

/** Loads a new value; the newest that works has to become current. */
function loading(disturb: Disturbance = () => undefined, flags: { revokePrevious?: boolean } = {}): Prepare {
  return async (operated, old) => {
    const fresh = operated.platform.issueValue(operated.kind);
    const newer = (await disturb(operated, fresh)) ?? fresh;
    return {
      mayBeCurrent: () => [newestThatWorks(operated, newer, fresh) ?? old],
      run: (points) => operated.load(fresh, { points, ...flags }),
    };
  };
}

const refusedMeanwhile: Disturbance = (operated, fresh) =>
  once(operated, 'testSecret', () => operated.platform.revoke(fresh));

const downMeanwhile: Disturbance = (operated) =>
  once(operated, 'testSecret', () => void (operated.platform.trouble = DOWN));

/** Another writer stages a newer value during the rotation. */
function stagedMeanwhile(operated: OperatedDeployment, _fresh: string, happens = () => {}): string {
  const newer = operated.platform.issueValue(operated.kind);
  once(operated, 'setSecret', () => {
    happens();
    return operated.stageElsewhere(newer);
  });
  return newer;
}

const refusedAndStagedMeanwhile: Disturbance = (operated, fresh) =>
  stagedMeanwhile(operated, fresh, () => operated.platform.revoke(fresh));

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
  prepare: Prepare,
  start?: (kind: CredentialKind) => Promise<OperatedDeployment>,
  kinds?: CredentialKind[],
];

const ROWS: Row[] = [
  ['accepted', 'done', loading()],
  ['refused', 'candidate_refused', loading(refusedMeanwhile)],
  ['could not be tested', 'could_not_test', loading(downMeanwhile)],
  ['rolled back', 'done', keeping('rollBack', 'AWSCURRENT', 'AWSPREVIOUS')],
  ['accepted, with a newer one staged meanwhile', 'done', loading(stagedMeanwhile)],
  ['refused, with a newer one staged meanwhile', 'candidate_replaced', loading(refusedAndStagedMeanwhile)],
  ['accepted after a refused one', 'done', loading(refusedBefore)],
  ['accepted, the previous one revoked', 'done', loading(undefined, { revokePrevious: true })],
  ['generated', 'done', generating, create, ['api-key']],
  ['generated as the first one', 'done', generating, createEmpty, ['api-key']],
  ['the first one', 'done', loading(), createEmpty],
  ['not replaced, but the previous one revoked', 'done', keeping('revoke', 'AWSCURRENT')],
  ['current already', 'done', loadingTheCurrentOne],
  ['rolled back to a refused one', 'previous_refused', rollingBackToRefused],
  ['the first one, after a rotation without a candidate', 'done', loading(), createEmptyBefore],
  [
    'generated as the first one, after a rotation without a candidate',
    'done',
    generating,
    createEmptyBefore,
    ['api-key'],
  ],
];

/** Ways of replacing credentials, with how they end, and the kinds unless both. */
export const ROTATION_SCENARIOS = ROWS.map(([name, ends, prepare, start = create, kinds]) => ({
  name,
  ends,
  kinds,
  arrange: async (kind: CredentialKind): Promise<Arranged> => {
    const operated = await start(kind);
    return { operated, ...(await prepare(operated, operated.valueAt('AWSCURRENT'))) };
  },
}));

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
