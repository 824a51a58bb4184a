import { elapsedMs, type Moment } from '../calls/moment';
import { type TokenError } from './token-errors';

/** Failures that this process remembers for a while, so that it does not repeat requests that would fail. */
export class CoolDowns {
  private readonly failures = new Map<string, { error: TokenError; since: Moment; forMs: number }>();

  /** The failure remembered under a name, with its remaining time. */
  find(name: string, now: Moment): { error: TokenError; leftMs: number } | undefined {
    const failure = this.failures.get(name);
    if (failure === undefined) return undefined;
    const leftMs = failure.forMs - elapsedMs(failure.since, now);
    if (leftMs <= 0) {
      this.failures.delete(name);
      return undefined;
    }
    return { error: failure.error, leftMs };
  }

  /** Remembers a failure, unless the one already remembered under this name lasts longer. */
  remember(name: string, error: TokenError, now: Moment, forMs: number): void {
    const known = this.find(name, now);
    if (known === undefined || known.leftMs < forMs) this.failures.set(name, { error, since: now, forMs });
  }

  forget(name: string): void {
    this.failures.delete(name);
  }
}
