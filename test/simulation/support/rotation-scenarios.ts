import { type RotationStep } from '../../../contract/rotation';
import { type CredentialKind } from '../../../contract/secret-names';
import { DOWN } from '../../faults/rotation/credential-platform';
import { type KillPoints } from '../../faults/support/kill-points';
import { OperatedDeployment } from './operated-deployment';
import { generate, load, revoke, rollBack, stageElsewhere } from './operations';
import { DAY_MS } from './simulated-world';

/** An operator's command, and how it ended. */
export type Operation = (points?: KillPoints) => Promise<string>;

/** A deployment prepared for an operation. */
export interface Arranged {
  operated: OperatedDeployment;
  run: Operation;
  /** Values of which one may be current once everything is fixed. */
  mayBeCurrent: () => (string | undefined)[];
}

/** A way of replacing credentials. */
export interface RotationScenario {
  name: string;
  /** How the operation ends if no process is killed. */
  ends: string;
  /** Number of kill points of the command, and of rotate-credentials with the repetitions by Secrets Manager. */
  points: Partial<Record<CredentialKind, { ofCommand: number; ofFunction: number }>>;
  arrange(kind: CredentialKind): Promise<Arranged>;
}

/** Runs `happen` once, before the given step. */
function once(operated: OperatedDeployment, step: RotationStep, happen: () => Promise<void> | void): void {
  let isDone = false;
  operated.functions.beforeStep = async ({ Step }) => {
    if (Step !== step || isDone) return;
    isDone = true;
    await happen();
  };
}

/** All ways in which replacing a credential can go. */
export const ROTATION_SCENARIOS: readonly RotationScenario[] = [
  {
    name: 'accepted',
    ends: 'done',
    points: {
      'client-credentials': { ofCommand: 20, ofFunction: 33 },
      'api-key': { ofCommand: 18, ofFunction: 39 },
    },
    arrange: async (kind) => {
      const operated = await OperatedDeployment.create(kind);
      const [old, fresh] = [operated.valueAt('AWSCURRENT'), operated.platform.issueValue(kind)];
      const mayBeCurrent = () => [newestThatWorks(operated, fresh) ?? old];
      return { operated, mayBeCurrent, run: (points) => load(operated, fresh, { points }) };
    },
  },
  {
    name: 'refused',
    ends: 'candidate_refused',
    points: {
      'client-credentials': { ofCommand: 16, ofFunction: 57 },
      'api-key': { ofCommand: 132, ofFunction: 93 },
    },
    arrange: async (kind) => {
      const operated = await OperatedDeployment.create(kind);
      const [old, fresh] = [operated.valueAt('AWSCURRENT'), operated.platform.issueValue(kind)];
      once(operated, 'testSecret', () => operated.platform.revoke(fresh));
      const mayBeCurrent = () => [newestThatWorks(operated, fresh) ?? old];
      return { operated, mayBeCurrent, run: (points) => load(operated, fresh, { points }) };
    },
  },
  {
    name: 'could not be tested',
    ends: 'could_not_test',
    points: {
      'client-credentials': { ofCommand: 20, ofFunction: 60 },
      'api-key': { ofCommand: 20, ofFunction: 60 },
    },
    arrange: async (kind) => {
      const operated = await OperatedDeployment.create(kind);
      const [old, fresh] = [operated.valueAt('AWSCURRENT'), operated.platform.issueValue(kind)];
      once(operated, 'testSecret', () => void (operated.platform.trouble = DOWN));
      const mayBeCurrent = () => [newestThatWorks(operated, fresh) ?? old];
      return { operated, mayBeCurrent, run: (points) => load(operated, fresh, { points }) };
    },
  },
  {
    name: 'rolled back',
    ends: 'done',
    points: {
      'client-credentials': { ofCommand: 16, ofFunction: 33 },
      'api-key': { ofCommand: 14, ofFunction: 39 },
    },
    arrange: async (kind) => {
      const operated = await OperatedDeployment.create(kind);
      const both = [operated.valueAt('AWSCURRENT'), operated.valueAt('AWSPREVIOUS')];
      return { operated, mayBeCurrent: () => both, run: (points) => rollBack(operated, points) };
    },
  },
  {
    name: 'accepted, with a newer one staged meanwhile',
    ends: 'done',
    points: {
      'client-credentials': { ofCommand: 20, ofFunction: 31 },
      'api-key': { ofCommand: 18, ofFunction: 37 },
    },
    arrange: async (kind) => {
      const operated = await OperatedDeployment.create(kind);
      const [old, fresh] = [operated.valueAt('AWSCURRENT'), operated.platform.issueValue(kind)];
      const newer = operated.platform.issueValue(kind);
      once(operated, 'setSecret', () => stageElsewhere(operated, newer));
      const mayBeCurrent = () => [newestThatWorks(operated, newer, fresh) ?? old];
      return { operated, mayBeCurrent, run: (points) => load(operated, fresh, { points }) };
    },
  },
  {
    name: 'refused, with a newer one staged meanwhile',
    ends: 'candidate_replaced',
    points: {
      'client-credentials': { ofCommand: 16, ofFunction: 33 },
      'api-key': { ofCommand: 16, ofFunction: 45 },
    },
    arrange: async (kind) => {
      const operated = await OperatedDeployment.create(kind);
      const [old, fresh] = [operated.valueAt('AWSCURRENT'), operated.platform.issueValue(kind)];
      const newer = operated.platform.issueValue(kind);
      once(operated, 'setSecret', async () => {
        operated.platform.revoke(fresh);
        await stageElsewhere(operated, newer);
      });
      const mayBeCurrent = () => [newestThatWorks(operated, newer, fresh) ?? old];
      return { operated, mayBeCurrent, run: (points) => load(operated, fresh, { points }) };
    },
  },
  {
    name: 'accepted after a refused one',
    ends: 'done',
    points: {
      'client-credentials': { ofCommand: 32, ofFunction: 33 },
      'api-key': { ofCommand: 110, ofFunction: 39 },
    },
    arrange: async (kind) => {
      const operated = await OperatedDeployment.create(kind);
      const { platform } = operated;
      const [old, bad, fresh] = [
        operated.valueAt('AWSCURRENT'),
        platform.issueValue(kind),
        platform.issueValue(kind),
      ];
      once(operated, 'testSecret', () => platform.revoke(bad));
      expect(await load(operated, bad)).toBe('candidate_refused');
      await operated.time.advance(10_000);
      const mayBeCurrent = () => [newestThatWorks(operated, fresh) ?? old];
      return { operated, mayBeCurrent, run: (points) => load(operated, fresh, { points }) };
    },
  },
  {
    name: 'accepted, the previous one revoked',
    ends: 'done',
    points: {
      'client-credentials': { ofCommand: 22, ofFunction: 33 },
      'api-key': { ofCommand: 22, ofFunction: 39 },
    },
    arrange: async (kind) => {
      const operated = await OperatedDeployment.create(kind);
      const [old, fresh] = [operated.valueAt('AWSCURRENT'), operated.platform.issueValue(kind)];
      const mayBeCurrent = () => [newestThatWorks(operated, fresh) ?? old];
      const run: Operation = (points) => load(operated, fresh, { points, revokePrevious: true });
      return { operated, mayBeCurrent, run };
    },
  },
  {
    name: 'generated',
    ends: 'done',
    points: {
      'api-key': { ofCommand: 18, ofFunction: 39 },
    },
    arrange: async (kind) => {
      const operated = await OperatedDeployment.create(kind);
      const old = operated.valueAt('AWSCURRENT');
      return {
        operated,
        mayBeCurrent: () => [generatedIn(operated) ?? old],
        run: (points) => generate(operated, points),
      };
    },
  },
  {
    name: 'generated as the first one',
    ends: 'done',
    points: {
      'api-key': { ofCommand: 14, ofFunction: 0 },
    },
    arrange: async (kind) => {
      const operated = await OperatedDeployment.empty(kind);
      return {
        operated,
        mayBeCurrent: () => [generatedIn(operated)],
        run: (points) => generate(operated, points),
      };
    },
  },
  {
    name: 'the first one',
    ends: 'done',
    points: {
      'client-credentials': { ofCommand: 12, ofFunction: 0 },
      'api-key': { ofCommand: 12, ofFunction: 0 },
    },
    arrange: async (kind) => {
      const operated = await OperatedDeployment.empty(kind);
      const fresh = operated.platform.issueValue(kind);
      const mayBeCurrent = () => [newestThatWorks(operated, fresh)];
      return { operated, mayBeCurrent, run: (points) => load(operated, fresh, { points }) };
    },
  },
  {
    name: 'not replaced, but the previous one revoked',
    ends: 'done',
    points: {
      'client-credentials': { ofCommand: 4, ofFunction: 0 },
      'api-key': { ofCommand: 6, ofFunction: 0 },
    },
    arrange: async (kind) => {
      const operated = await OperatedDeployment.create(kind);
      const old = operated.valueAt('AWSCURRENT');
      const run: Operation = (points) => revoke(operated, points);
      return { operated, mayBeCurrent: () => [old], run };
    },
  },
  {
    name: 'current already',
    ends: 'done',
    points: {
      'client-credentials': { ofCommand: 20, ofFunction: 10 },
      'api-key': { ofCommand: 20, ofFunction: 10 },
    },
    arrange: async (kind) => {
      const operated = await OperatedDeployment.create(kind);
      const old = operated.valueAt('AWSCURRENT')!;
      return { operated, mayBeCurrent: () => [old], run: (points) => load(operated, old, { points }) };
    },
  },
  {
    name: 'rolled back to a refused one',
    ends: 'previous_refused',
    points: {
      'client-credentials': { ofCommand: 14, ofFunction: 27 },
      'api-key': { ofCommand: 130, ofFunction: 39 },
    },
    arrange: async (kind) => {
      const operated = await OperatedDeployment.create(kind);
      const old = operated.valueAt('AWSCURRENT');
      operated.platform.revoke(operated.valueAt('AWSPREVIOUS')!);
      return { operated, mayBeCurrent: () => [old], run: (points) => rollBack(operated, points) };
    },
  },
  {
    name: 'the first one, after a rotation without a candidate',
    ends: 'done',
    points: {
      'client-credentials': { ofCommand: 12, ofFunction: 0 },
      'api-key': { ofCommand: 12, ofFunction: 0 },
    },
    arrange: async (kind) => {
      const operated = await OperatedDeployment.empty(kind);
      await operated.time.advance(32 * DAY_MS);
      const fresh = operated.platform.issueValue(kind);
      const mayBeCurrent = () => [newestThatWorks(operated, fresh)];
      return { operated, mayBeCurrent, run: (points) => load(operated, fresh, { points }) };
    },
  },
  {
    name: 'generated as the first one, after a rotation without a candidate',
    ends: 'done',
    points: { 'api-key': { ofCommand: 16, ofFunction: 0 } },
    arrange: async (kind) => {
      const operated = await OperatedDeployment.empty(kind);
      await operated.time.advance(32 * DAY_MS);
      return {
        operated,
        mayBeCurrent: () => [generatedIn(operated)],
        run: (points) => generate(operated, points),
      };
    },
  },
];

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
