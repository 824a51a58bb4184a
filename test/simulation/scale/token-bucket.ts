import { type Clock } from '../../../lambdas/shared/ports';

/** A limit of calls per second, which lets those of one second come at once. */
export class TokenBucket {
  readonly #clock: Pick<Clock, 'monotonicMs'>;
  readonly #perSec: number;
  #room: number;
  #atMs = 0;

  constructor(clock: Pick<Clock, 'monotonicMs'>, perSec: number) {
    this.#clock = clock;
    this.#perSec = perSec;
    this.#room = perSec;
  }

  /** Whether one more call is within the limit. */
  take(): boolean {
    const nowMs = this.#clock.monotonicMs();
    this.#room = Math.min(this.#perSec, this.#room + ((nowMs - this.#atMs) / 1000) * this.#perSec);
    this.#atMs = nowMs;
    if (this.#room < 1) return false;
    this.#room -= 1;
    return true;
  }
}
