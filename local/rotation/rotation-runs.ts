import { ROTATION_STEPS, type RotationStep } from '../../contract/rotation';
import { type Account, type Secret } from '../account';
import { unfinishedVersion } from '../aws/secrets-manager/labels';
import { type ClockTimer, type RunClock } from '../run-clock';
import { type FunctionInvoker, type Reporter } from '../interfaces';
import { invokeStep } from './rotation-function';

/** Pauses before the whole process is repeated. AWS repeats it "multiple times", and tells neither how often nor when. */
const PAUSES_SEC = [1, 2];

export interface RotationRunsOptions {
  account: Account;
  clock: RunClock;
  invoker: FunctionInvoker;
  reporter: Reporter;
  /** A rotation has succeeded. */
  rotated: (secret: Secret) => void;
}

/** What goes on with one secret: a rotation, or the test of its configuration. */
interface Run {
  readonly secret: Secret;
  /** A version with AWSPENDING. */
  readonly versionId: string;
  readonly isTest: boolean;
  failures: number;
  /** No further step, and no repetition. */
  isOver: boolean;
  work: Promise<void>;
  timer?: ClockTimer;
}

interface Failure {
  step: RotationStep;
  reason: string;
}

/**
 * Rotations and configuration tests under way: one per secret, its steps one after another, repeated when one fails.
 * What is asked for before {@link RotationRuns.start} waits for it.
 * @see Secrets Manager user guide, rotate-secrets_lambda-functions and troubleshoot_rotation; API_RotateSecret
 */
export class RotationRuns {
  private readonly options: RotationRunsOptions;
  /** By ARN of the secret. */
  private readonly runs = new Map<string, Run>();
  /** The last test of each function, by its ARN: the secrets of a function are tested one by one, in one warm environment. */
  private readonly tests = new Map<string, Promise<void>>();
  private waiting: Run[] | undefined = [];

  constructor(options: RotationRunsOptions) {
    this.options = options;
  }

  /** From now on functions can run. */
  start(): void {
    const waiting = this.waiting ?? [];
    this.waiting = undefined;
    for (const run of waiting) this.begin(run);
  }

  /** Ends everything in the middle of its step. What becomes of it is no news. */
  close(): void {
    for (const run of this.runs.values()) end(run);
  }

  /** Rotates into a version that has AWSPENDING, unless that is going on already. */
  rotate(secret: Secret, versionId: string): void {
    const run = this.runs.get(secret.arn);
    if (!run || run.isOver || run.versionId !== versionId) this.add(secret, versionId, false);
  }

  /** Tests the configuration with a version that has AWSPENDING, and removes that version. */
  test(secret: Secret, versionId: string): void {
    this.add(secret, versionId, true);
  }

  /** Ends what goes on with a secret after the step that it is at. */
  cancel(secret: Secret): void {
    const run = this.runs.get(secret.arn);
    if (run) end(run);
  }

  private add(secret: Secret, versionId: string, isTest: boolean): void {
    // It was cancelled, or its version is not pending any more; one step of it may still be going on.
    const earlier = this.runs.get(secret.arn);
    if (earlier) end(earlier);
    const work = earlier?.work ?? Promise.resolve();
    const run: Run = { secret, versionId, isTest, failures: 0, isOver: false, work };
    this.runs.set(secret.arn, run);
    if (this.waiting) this.waiting.push(run);
    else this.begin(run);
  }

  private begin(run: Run): void {
    const { tests } = this;
    const { secret, isTest, work } = run;
    if (isTest) {
      const functionArn = secret.rotation!.lambdaArn;
      const earlier = Promise.all([work, tests.get(functionArn)]);
      run.work = earlier.then(() => this.testConfiguration(run));
      tests.set(functionArn, run.work);
    } else run.work = work.then(() => this.attempt(run));
    this.options.clock.hold(run.work);
  }

  private async testConfiguration(run: Run): Promise<void> {
    const { secret, versionId } = run;
    const outcome = await this.takeSteps(run, ['testSecret']);
    const version = secret.versions.get(versionId);
    if (version && !version.stages.has('AWSCURRENT')) secret.versions.delete(versionId);
    if (isFailure(outcome) && !run.isOver)
      this.options.reporter.warning(
        `${secret.name} can't be rotated: ${outcome.step} failed: ${outcome.reason}`,
      );
    this.remove(run);
  }

  private async attempt(run: Run): Promise<void> {
    const { clock, reporter, rotated } = this.options;
    const { secret, versionId } = run;
    const outcome = await this.takeSteps(run, ROTATION_STEPS);
    if (outcome === 'done') rotated(secret);
    if (!isFailure(outcome) || run.isOver) return this.remove(run);
    const pauseSec = PAUSES_SEC[run.failures];
    run.failures += 1;
    if (pauseSec !== undefined) {
      run.timer = clock.at(clock.nowMs() + pauseSec * 1000, () => (run.work = this.attempt(run)));
      return;
    }
    this.remove(run);
    reporter.warning(
      `the rotation of ${secret.name} was given up after ${run.failures} tries, and version ${versionId} stays pending: ` +
        `${outcome.step} failed: ${outcome.reason}`,
    );
  }

  /** @returns `over` when somebody ended the run, or took AWSPENDING or the secret away from it. */
  private async takeSteps(run: Run, steps: readonly RotationStep[]): Promise<'done' | 'over' | Failure> {
    const { secret, versionId, isTest } = run;
    for (const step of steps) {
      if (run.isOver || !this.isWanted(run)) return 'over';
      const reason = await invokeStep(this.options, secret, versionId, step);
      if (reason !== undefined) return { step, reason };
    }
    if (isTest || unfinishedVersion(secret)?.versionId !== versionId) return 'done';
    return { step: 'finishSecret', reason: 'AWSPENDING is still on a version that is not current' };
  }

  private isWanted({ secret, versionId }: Run): boolean {
    const stages = secret.versions.get(versionId)?.stages;
    const exists =
      this.options.account.secrets.get(secret.arn) === secret && secret.deletedAtMs === undefined;
    return exists && (stages?.has('AWSPENDING') === true || stages?.has('AWSCURRENT') === true);
  }

  private remove(run: Run): void {
    if (this.runs.get(run.secret.arn) === run) this.runs.delete(run.secret.arn);
  }
}

function isFailure(outcome: 'done' | 'over' | Failure): outcome is Failure {
  return typeof outcome === 'object';
}

function end(run: Run): void {
  run.isOver = true;
  run.timer?.cancel();
}
