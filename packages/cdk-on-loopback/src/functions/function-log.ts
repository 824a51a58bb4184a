import { type Account, type LambdaFunction, type LogEvent } from '../account';
import { type Principal } from '../iam/principal';
import { type Clock, type Reporter } from '../interfaces';

/** Writes log events with the permissions of `principal`. @throws an error with AWS's text if they are insufficient */
export type WriteLogs = (
  account: Account,
  principal: Principal,
  logGroupName: string,
  events: readonly LogEvent[],
) => void;

const TAIL_BYTES = 4096;

/** The log of one process. Lines go to the log group, with the permissions of the function's role, and to the reporter. */
export class FunctionLog {
  private readonly fn: LambdaFunction;
  private readonly clock: Clock;
  private readonly reporter: Reporter;
  private readonly write: (events: readonly LogEvent[]) => void;
  private pending: LogEvent[] = [];
  private tailLines: string[] = [];
  private hasWarned = false;

  constructor(
    fn: LambdaFunction,
    clock: Clock,
    reporter: Reporter,
    write: (events: readonly LogEvent[]) => void,
  ) {
    this.fn = fn;
    this.clock = clock;
    this.reporter = reporter;
    this.write = write;
  }

  /** Adds a line that the process printed. */
  addPrinted(line: string): void {
    this.reporter.functionLog(this.fn.name, line);
    this.add(line);
  }

  /** Adds a line, such as Lambda's own, that the reporter does not show. */
  add(line: string): void {
    if (this.pending.length === 0) setImmediate(() => this.flush());
    this.pending.push({ timestampMs: this.clock.nowMs(), message: line });
    this.tailLines.push(line);
  }

  /** Flushes, and returns the last 4 KB since the previous call, as Lambda's `LogType: Tail` does. */
  tail(): string {
    this.flush();
    const text = Buffer.from(this.tailLines.map((line) => `${line}\n`).join(''));
    this.tailLines = [];
    return text.subarray(Math.max(0, text.length - TAIL_BYTES)).toString();
  }

  private flush(): void {
    const events = this.pending;
    this.pending = [];
    if (events.length === 0) return;
    try {
      this.write(events);
    } catch (error) {
      // AWS loses such lines silently, and the function keeps running.
      if (!this.hasWarned)
        this.reporter.warning(`could not write log lines of ${this.fn.name}: ${(error as Error).message}`);
      this.hasWarned = true;
    }
  }
}
