import { type TokenKey } from '../contract/token-key';
import { after, type Clock, type Moment, now, timeLeftMs } from './clock';
import { TokenUnavailableError } from './token-unavailable-error';

/** Names come from callers, who may make up any number of them. */
const MOST = 1_000;
const USUAL_SEC = 1;
const LONGEST_SEC = 60;

/** Failures that are remembered for a moment, so that callers who ask in a loop cost nothing. */
export class RecentFailures {
  readonly #clock: Clock;
  readonly #failures = new Map<string, { error: TokenUnavailableError; until: Moment }>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** @throws {TokenUnavailableError} the failure that is still remembered under a name, with the wait that is left */
  throwIfRemembered(name: string, key: TokenKey): void {
    const failure = this.#failures.get(name);
    if (failure === undefined) return;
    const leftMs = timeLeftMs(failure.until, this.#clock);
    if (leftMs > 0) {
      const { code, reason } = failure.error;
      throw new TokenUnavailableError(code, key, reason, Math.ceil(leftMs / 1000));
    }
    this.#failures.delete(name);
  }

  remember(name: string, error: TokenUnavailableError): void {
    const forSec = Math.min(error.retryAfterSec ?? USUAL_SEC, LONGEST_SEC);
    this.#failures.delete(name);
    this.#failures.set(name, { error, until: after(now(this.#clock), forSec * 1000) });
    if (this.#failures.size > MOST) this.#failures.delete(this.#failures.keys().next().value!);
  }
}
