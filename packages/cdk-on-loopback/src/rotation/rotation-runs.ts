import { type Account, type Secret } from '../account';
import { unfinishedVersion } from '../aws/secrets-manager/labels';
import { type ClockTimer, type RunClock } from '../run-clock';
import { type FunctionInvoker, type Reporter } from '../interfaces';
import { invokeStep, ROTATION_STEPS, type RotationStep } from './rotation-function';

/** Delays before a rotation is repeated. AWS repeats it "multiple times", without saying how often or when. */
const PAUSES_SEC = [1, 2];

export interface RotationRunsOptions {
  account: Account;
  clock: RunClock;
  invoker: FunctionInvoker;
  reporter: Reporter;
  /** Called when a rotation has succeeded. */
  rotated: (secret: Secret) => void;
}

interface Run {
  readonly secret: Secret;
  /** The version with AWSPENDING. */
  readonly versionId: string;
  readonly isTest: boolean;
  failures: number;
  /** True once no step or repetition may follow. */
  isOver: boolean;
  work: Promise<void>;
  timer?: ClockTimer;
}

/** Tests of a function that run in sequence, in one warm environment. */
interface TestQueue {
  length: number;
  last: Promise<void>;
}

/** A function with more waiting tests than this gets a second environment for them. */
const MAX_QUEUE_LENGTH = 50;

interface Failure {
  step: RotationStep;
  reason: string;
}

/**
 * The running rotations and configuration tests. A secret has one at a time; its steps run in sequence, and all of them
 * are repeated if one fails. Requests before {@link RotationRuns.start} wait for it.
 * @see Secrets Manager user guide, rotate-secrets_lambda-functions and troubleshoot_rotation; API_RotateSecret
 */
export class RotationRuns {
  private readonly options: RotationRunsOptions;
  /** By secret ARN. */
  private readonly runs = new Map<string, Run>();
  /** By function ARN. */
  private readonly tests = new Map<string, [TestQueue, TestQueue]>();
  private waiting: Run[] | undefined = [];

  constructor(options: RotationRunsOptions) {
    this.options = options;
  }

  /** Starts the waiting runs; functions can be invoked from now on. */
  start(): void {
    const waiting = this.waiting ?? [];
    this.waiting = undefined;
    for (const run of waiting) this.begin(run);
  }

  /** Ends all runs, even during a step. Their outcome is ignored. */
  close(): void {
    for (const run of this.runs.values()) end(run);
  }

  /** Rotates into the version with AWSPENDING, unless that is already running. */
  rotate(secret: Secret, versionId: string): void {
    const run = this.runs.get(secret.arn);
    if (!run || run.isOver || run.versionId !== versionId) this.add(secret, versionId, false);
  }

  /** Tests the configuration with a version that has AWSPENDING, then removes that version. */
  test(secret: Secret, versionId: string): void {
    this.add(secret, versionId, true);
  }

  /** Ends a secret's run after its current step. */
  cancel(secret: Secret): void {
    const run = this.runs.get(secret.arn);
    if (run) end(run);
  }

  private add(secret: Secret, versionId: string, isTest: boolean): void {
    // An earlier run was cancelled, or its version is no longer pending, but its last step may still be running.
    const earlier = this.runs.get(secret.arn);
    if (earlier) end(earlier);
    const work = earlier?.work ?? Promise.resolve();
    const run: Run = { secret, versionId, isTest, failures: 0, isOver: false, work };
    this.runs.set(secret.arn, run);
    if (this.waiting) this.waiting.push(run);
    else this.begin(run);
  }

  private begin(run: Run): void {
    const { secret, isTest, work } = run;
    if (isTest) {
      const queue = this.testQueueOf(secret.rotation!.lambdaArn);
      queue.length += 1;
      run.work = Promise.all([work, queue.last])
        .then(() => this.testConfiguration(run))
        .finally(() => (queue.length -= 1));
      queue.last = run.work;
    } else run.work = work.then(() => this.attempt(run));
    this.options.clock.hold(run.work);
  }

  private testQueueOf(functionArn: string): TestQueue {
    const created = (): TestQueue => ({ length: 0, last: Promise.resolve() });
    const queues = this.tests.get(functionArn) ?? [created(), created()];
    this.tests.set(functionArn, queues);
    const [first, second] = queues;
    return first.length < MAX_QUEUE_LENGTH || first.length <= second.length ? first : second;
  }

  private async testConfiguration(run: Run): Promise<void> {
    const { secret, versionId } = run;
    const outcome = await this.takeSteps(run, ['testSecret']);
    const version = secret.versions.get(versionId);
    if (version && !version.stages.has('AWSCURRENT')) secret.versions.delete(versionId);
    if (isFailure(outcome) && !run.isOver)
      this.options.reporter.warning(
        `${secret.name} cannot be rotated: ${outcome.step} failed: ${outcome.reason}`,
      );
    this.remove(run);
  }

  private async attempt(run: Run): Promise<void> {
    const { clock, reporter, rotated } = this.options;
    const { secret, versionId } = run;
    const outcome = await this.takeSteps(run, ROTATION_STEPS);
    if (outcome === 'done') rotated(secret);
    if (!isFailure(outcome) || run.isOver) return this.remove(run);
    if (!this.isWanted(run)) {
      this.remove(run);
      return reporter.warning(
        `gave up rotating ${secret.name}; version ${versionId} is no longer pending: ` +
          `${outcome.step} failed: ${outcome.reason}`,
      );
    }
    const pauseSec = PAUSES_SEC[run.failures];
    run.failures += 1;
    if (pauseSec !== undefined) {
      run.timer = clock.at(clock.nowMs() + pauseSec * 1000, () => (run.work = this.attempt(run)));
      return;
    }
    this.remove(run);
    reporter.warning(
      `gave up rotating ${secret.name} after ${run.failures} attempts; version ${versionId} stays pending: ` +
        `${outcome.step} failed: ${outcome.reason}`,
    );
  }

  /** @returns `over` if the run was ended, or lost AWSPENDING or its secret */
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
