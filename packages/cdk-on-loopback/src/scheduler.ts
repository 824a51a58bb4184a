import { randomUUID } from 'node:crypto';
import { type Account, type Schedule } from './account';
import { type ClockTimer, MAX_FULL_JUMP_MS, type RunClock } from './run-clock';
import { requireInvocationAllowed } from './iam/authorize';
import { type FunctionInvoker, type QueueSender, type Reporter, type ScheduleUpdates } from './interfaces';
import { parseScheduleExpression, type ScheduleTimes } from './schedule-expression';
import { type RolePrincipal } from './iam/principal';
import { assumeAsService } from './service-roles';

const MAX_RETRY_DELAY_SEC = 300;
/** A frequent schedule fires only at the end of a jump over {@link MAX_FULL_JUMP_MS}. */
const JUMP_END_MS = 60 * 60 * 1000;

interface SchedulerOptions {
  account: Account;
  clock: RunClock;
  invoker: FunctionInvoker;
  queueSender: QueueSender;
  reporter: Reporter;
}

interface FollowedSchedule {
  expression: string;
  /** Absent if there is no further firing. */
  timer?: ClockTimer;
}

interface Firing {
  schedule: Schedule;
  executionId: string;
  scheduledAtMs: number;
  attempts: number;
}

/**
 * Fires the account's schedules on the run's clock, with the permissions of each schedule's role. A firing ends when the
 * target has accepted it.
 * @see Amazon EventBridge Scheduler User Guide, "Schedule types" and "Configuring a schedule's dead-letter queue"
 */
export class Scheduler implements ScheduleUpdates {
  private readonly options: SchedulerOptions;
  /** The next firing of each schedule. Disabled ones are included, so that they keep their rhythm when enabled again. */
  private readonly followed = new Map<string, FollowedSchedule>();
  private isStopped = false;

  constructor(options: SchedulerOptions) {
    this.options = options;
  }

  /**
   * Starts the account's schedules; those with a rate fire now. Call it again after the account has changed: it stops those
   * that were deleted, and restarts those with another expression.
   */
  start(): void {
    const { schedules } = this.options.account;
    for (const [arn, { expression, timer }] of this.followed) {
      if (schedules.get(arn)?.expression === expression) continue;
      timer?.cancel();
      this.followed.delete(arn);
    }
    for (const schedule of schedules.values()) if (!this.followed.has(schedule.arn)) this.follow(schedule);
  }

  /** Stops all firings. */
  stop(): void {
    this.isStopped = true;
  }

  /** Restarts a schedule whose expression changed. Other changes take effect at its next firing. */
  replaced(previous: Schedule, current: Schedule): void {
    if (previous.expression !== current.expression) this.start();
  }

  private follow({ arn, expression }: Schedule): void {
    const { account, clock } = this.options;
    const times = parseScheduleExpression(expression);
    const followed: FollowedSchedule = { expression };
    this.followed.set(arn, followed);
    const plan = (dueMs: number | undefined): void => {
      if (dueMs === undefined) return;
      followed.timer = clock.at(dueMs, () => {
        if (this.isStopped) return;
        plan(this.nextMs(times, dueMs));
        const schedule = account.schedules.get(arn);
        if (schedule?.state !== 'ENABLED') return;
        this.attempt({ schedule, executionId: randomUUID(), scheduledAtMs: dueMs, attempts: 0 });
      });
    };
    plan(times.firstMs(clock.nowMs()));
  }

  private nextMs(times: ScheduleTimes, previousMs: number): number | undefined {
    const { intervalMs } = times;
    const nextMs = times.nextMs(previousMs);
    const jump = this.options.clock.currentJump();
    if (!jump || jump.toMs - jump.fromMs <= MAX_FULL_JUMP_MS) return nextMs;
    if (intervalMs === undefined || nextMs === undefined || intervalMs >= MAX_FULL_JUMP_MS) return nextMs;
    const skipped = Math.floor((jump.toMs - JUMP_END_MS - nextMs) / intervalMs);
    return nextMs + Math.max(skipped, 0) * intervalMs;
  }

  private attempt(firing: Firing): void {
    if (this.isStopped) return;
    const { schedule } = firing;
    firing.attempts += 1;
    try {
      this.deliver(schedule);
    } catch (error) {
      const { message } = error as Error;
      this.options.reporter.warning(`schedule ${schedule.name} could not invoke its target: ${message}`);
      this.retry(firing, error as Error);
    }
  }

  /** @throws {AwsError} AccessDeniedException if the role lacks permission, or if the function does not exist */
  private deliver(schedule: Schedule): void {
    const { account, invoker } = this.options;
    requireInvocationAllowed({ account, principal: this.sessionOf(schedule) }, schedule.targetArn);
    invoker.invokeAsync(schedule.targetArn, Buffer.from(schedule.input));
  }

  private retry(firing: Firing, error: Error): void {
    const { clock } = this.options;
    const { schedule, scheduledAtMs, attempts } = firing;
    if (attempts > schedule.maximumRetryAttempts) return this.giveUp(firing, error, 'MaximumRetryAttempts');
    const expiryMs = scheduledAtMs + schedule.maximumEventAgeSec * 1000;
    const dueMs = clock.nowMs() + Math.min(2 ** (attempts - 1), MAX_RETRY_DELAY_SEC) * 1000;
    if (dueMs < expiryMs) clock.at(dueMs, () => this.attempt(firing));
    else clock.at(expiryMs, () => this.giveUp(firing, error, 'MaximumEventAgeInSeconds'));
  }

  private giveUp(
    { schedule, executionId, scheduledAtMs, attempts }: Firing,
    error: Error & { code?: string },
    condition: 'MaximumRetryAttempts' | 'MaximumEventAgeInSeconds',
  ): void {
    const { queueSender, reporter } = this.options;
    if (this.isStopped || schedule.deadLetterArn === undefined) return;
    try {
      queueSender.send(this.sessionOf(schedule), schedule.deadLetterArn, schedule.input, {
        ERROR_CODE: error.code ?? error.name,
        ERROR_MESSAGE: error.message,
        EXECUTION_ID: executionId,
        EXHAUSTED_RETRY_CONDITION: condition,
        IS_PAYLOAD_TRUNCATED: 'false',
        RETRY_ATTEMPTS: String(attempts - 1),
        SCHEDULED_TIME: new Date(scheduledAtMs).toISOString(),
        SCHEDULE_ARN: schedule.arn,
        TARGET_ARN: schedule.targetArn,
      });
    } catch (refusal) {
      reporter.warning(`schedule ${schedule.name} dropped an invocation: ${(refusal as Error).message}`);
    }
  }

  /**
   * The source ARN is that of the schedule group, not of the schedule.
   * @see Amazon EventBridge Scheduler User Guide, "Confused deputy prevention"
   */
  private sessionOf({ roleArn, name }: Schedule): RolePrincipal {
    const { account } = this.options;
    const sourceArn = account.arn('scheduler', 'schedule-group/default');
    return assumeAsService(account, roleArn, name, { service: 'scheduler.amazonaws.com', sourceArn });
  }
}
