import { DEFAULT_READER_CACHE_SEC } from '../../../core/tokens/lifetimes';
import { type StoredToken } from '../../../core/tokens/stored-token';
import { MINUTE_MS } from './per-minute';

const CACHE_MS = DEFAULT_READER_CACHE_SEC * 1000;

/** A time in ms since the start. */
export interface Span {
  fromMs: number;
  untilMs: number;
}

/**
 * What readers get who read each token all the time, with every possible phase of a cache of 5 minutes. Such a reader has an
 * expired token from its expiry until 5 minutes after the write of the next one.
 */
export class ExpiredReads {
  /** Times at which a reader could have an expired token, and none of the reasons held. */
  avoidable = 0;
  /** The same with a reason. */
  unavoidable = 0;
  /** Least remaining life of a token when it was replaced, with no reason that held. */
  minLifeMs = Infinity;
  readonly examples: string[] = [];
  readonly #startMs: number;

  /** @param startMs of the simulation, since the epoch */
  constructor(startMs: number) {
    this.#startMs = startMs;
  }

  /**
   * Counts the replacement of a token.
   * @param excused when it could not be renewed
   * @param nowMs since the epoch
   */
  replaced(name: string, { expiresAtMs }: StoredToken, nowMs: number, excused: readonly Span[]): void {
    const fromMs = expiresAtMs - this.#startMs;
    const writtenMs = nowMs - this.#startMs;
    const isExcused = (atMs: number) => excused.some((span) => span.fromMs <= atMs && atMs < span.untilMs);
    if (!isExcused(writtenMs)) this.minLifeMs = Math.min(this.minLifeMs, fromMs - writtenMs);
    const untilMs = writtenMs + CACHE_MS;
    if (fromMs >= untilMs) return;
    // Spans do not overlap in a way that leaves a part of the time without a reason in its middle.
    const unexcusedMs = withoutSpans({ fromMs, untilMs }, excused);
    if (unexcusedMs <= 0) {
      this.unavoidable += 1;
      return;
    }
    this.avoidable += 1;
    if (this.examples.length < 5)
      this.examples.push(`${name} from minute ${fromMs / MINUTE_MS} to ${untilMs / MINUTE_MS}`);
  }
}

/** How much of a time is outside all spans, in ms. */
function withoutSpans({ fromMs, untilMs }: Span, spans: readonly Span[]): number {
  let leftMs = untilMs - fromMs;
  let doneMs = fromMs;
  for (const span of [...spans].sort((a, b) => a.fromMs - b.fromMs)) {
    const from = Math.max(doneMs, span.fromMs);
    const until = Math.min(untilMs, span.untilMs);
    if (until <= from) continue;
    leftMs -= until - from;
    doneMs = until;
  }
  return leftMs;
}
