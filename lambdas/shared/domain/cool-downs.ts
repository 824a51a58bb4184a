import { type TokenError } from './token-errors';

/** Failures that this process remembers for a while, so that asking again costs the platform nothing. */
export class CoolDowns {
  private readonly failures = new Map<string, { error: TokenError; untilMs: number }>();

  /** The failure that is still remembered under a name, with the time that is left of it. */
  find(name: string, nowMs: number): { error: TokenError; leftMs: number } | undefined {
    const failure = this.failures.get(name);
    if (failure === undefined) return undefined;
    if (failure.untilMs <= nowMs) {
      this.failures.delete(name);
      return undefined;
    }
    return { error: failure.error, leftMs: failure.untilMs - nowMs };
  }

  remember(name: string, error: TokenError, nowMs: number, forMs: number): void {
    this.failures.set(name, { error, untilMs: nowMs + forMs });
  }

  forget(name: string): void {
    this.failures.delete(name);
  }
}
