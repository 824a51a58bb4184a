import { type TokenKey } from '../core/tokens/published-keys';
import { after, type Clock, type Moment, now, timeLeftMs } from './clock';
import { TokenUnavailableError } from './token-unavailable-error';

/** Bounds the memory: callers can ask for any number of keys. */
const MAX_FAILURES = 1_000;
/** How long a failure is remembered, at most, so that a fix takes effect within a minute. */
const MAX_KEPT_SEC = 60;

/** Remembers failures briefly, so that callers in a loop do not cause AWS calls. */
export class RecentFailures {
  readonly #clock: Clock;
  readonly #failures = new Map<string, { error: TokenUnavailableError; until: Moment; retryAt: Moment }>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * @param requestName identifies the token, and what the caller asked for it
   * @throws {TokenUnavailableError} if a failure of this request is remembered; `retryAfterSec` is the remaining wait
   */
  throwIfRemembered(requestName: string, key: TokenKey): void {
    const failure = this.#failures.get(requestName);
    if (failure === undefined) return;
    if (timeLeftMs(failure.until, this.#clock) > 0) {
      const { code, reason } = failure.error;
      const retryAfterSec = Math.ceil(timeLeftMs(failure.retryAt, this.#clock) / 1000);
      throw new TokenUnavailableError(code, key, reason, retryAfterSec);
    }
    this.#failures.delete(requestName);
  }

  /** @param forSec how long to remember it, at most {@link MAX_KEPT_SEC}; the error states a wait of `forSec` or longer */
  remember(requestName: string, error: TokenUnavailableError, forSec: number): void {
    const start = now(this.#clock);
    const until = after(start, Math.min(forSec, MAX_KEPT_SEC) * 1000);
    const retryAt = after(start, Math.max(error.retryAfterSec ?? 0, forSec) * 1000);
    this.#failures.delete(requestName);
    this.#failures.set(requestName, { error, until, retryAt });
    if (this.#failures.size > MAX_FAILURES) this.#failures.delete(this.#failures.keys().next().value!);
  }
}
