import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Account, type LambdaFunction, type LogEvent } from '../../src/account';
import { standingClock } from '../../src/testing/standing-clock';
import { type StartTimer } from '../../src/run-clock';
import { LocalInvoker, type InvokerOptions } from '../../src/functions/invoker';
import { type InvocationResult } from '../../src/interfaces';
import { addRole, lambdaFunction, trustIn } from '../../src/testing/account-parts';
import { RecordingReporter } from '../../src/testing/recording-reporter';
import { emptyAccount, NOW_MS } from '../../src/testing/stacks';

/** An invoker on a clock that stands still, which records all effects. Close it after each test. */
export class FunctionHost {
  readonly account: Account = emptyAccount();
  readonly clock = standingClock(NOW_MS);
  readonly reporter = new RecordingReporter();
  readonly logged: LogEvent[] = [];
  readonly sent: { roleArn: string; queueArn: string; body: string }[] = [];
  readonly invoker: LocalInvoker;
  /** Fires the timers of running timeouts, so that tests trigger them. */
  private readonly timers = new Set<() => void>();
  private readonly dirs: string[] = [];

  constructor(more: Partial<InvokerOptions> = {}) {
    const startTimer: StartTimer = (run) => {
      this.timers.add(run);
      return () => this.timers.delete(run);
    };
    this.invoker = new LocalInvoker({
      account: this.account,
      clock: this.clock,
      reporter: this.reporter,
      issueKeys: () => ({ accessKeyId: 'ASIAEXAMPLE', secretAccessKey: 'secret', sessionToken: 'session' }),
      queueSender: {
        send: (principal, queueArn, body) => {
          const roleArn = principal.kind === 'role-session' ? principal.roleArn : '';
          this.sent.push({ roleArn, queueArn, body });
          return { messageId: 'm' };
        },
      },
      writeLogs: (_account, _principal, _group, events) => void this.logged.push(...events),
      addresses: () => ({ region: 'eu-west-1', endpointUrl: 'http://127.0.0.1:1', caFile: '/dev/null' }),
      startTimer,
      ...more,
    });
  }

  /** Adds a function whose `index.js` is `code`. */
  add(code: string, more: Partial<LambdaFunction> = {}): LambdaFunction {
    const codeDir = mkdtempSync(join(tmpdir(), 'bundle-'));
    this.dirs.push(codeDir);
    writeFileSync(join(codeDir, 'index.js'), code);
    const name = more.name ?? `function-${this.dirs.length}`;
    const roleArn = addRole(this.account, `${name}-role`, [], trustIn('lambda.amazonaws.com'));
    const asyncInvoke = { maximumRetryAttempts: 2, maximumEventAgeSec: 21_600 };
    const fn = lambdaFunction(name, { roleArn, codeDir, asyncInvoke, ...more });
    this.account.functions.set(fn.arn, fn);
    return fn;
  }

  invoke(fn: LambdaFunction, event: unknown = {}): Promise<InvocationResult> {
    return this.invoker.invoke(fn.arn, Buffer.from(JSON.stringify(event)));
  }

  /** Invokes the function and returns its result. @throws if it failed */
  async answerOf<T>(fn: LambdaFunction, event: unknown = {}): Promise<T> {
    const result = await this.invoke(fn, event);
    if (result.kind !== 'ok')
      throw new Error(`${result.kind}: ${'payload' in result ? result.payload.toString() : ''}`);
    return JSON.parse(result.payload.toString()) as T;
  }

  /** Makes everything that runs time out. */
  endTime(): void {
    for (const run of [...this.timers]) run();
  }

  async close(): Promise<void> {
    await this.invoker.close();
    this.clock.close();
    for (const dir of this.dirs) rmSync(dir, { recursive: true });
  }
}
