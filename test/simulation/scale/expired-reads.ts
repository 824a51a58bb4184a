import { DEFAULT_READER_CACHE_SEC } from '../../../core/tokens/lifetimes';
import { MINUTE_MS } from './scale-world';

/** A time in ms since the epoch. */
export interface Span {
  fromMs: number;
  untilMs: number;
}

export const isWithin = ({ fromMs, untilMs }: Span, atMs: number): boolean =>
  fromMs <= atMs && atMs < untilMs;

/**
 * What readers get who read each token all the time, with every possible phase of a cache of 5 minutes. Such a reader has an
 * expired token from its expiry until 5 minutes after the write of the next one.
 */
export class ExpiredReads {
  /** Times at which a reader could have an expired token, and none of the reasons held. */
  readonly avoidable: string[] = [];
  /** How many there were with a reason. */
  unavoidable = 0;
  /** Least remaining life of a token when it was replaced, with no reason that held. */
  minLifeMs = Infinity;

  /** Counts the replacement of a token. @param excused when it could not be renewed; these times do not overlap */
  replaced(name: string, expiresAtMs: number, nowMs: number, excused: readonly Span[]): void {
    if (!excused.some((span) => isWithin(span, nowMs)))
      this.minLifeMs = Math.min(this.minLifeMs, expiresAtMs - nowMs);
    const untilMs = nowMs + DEFAULT_READER_CACHE_SEC * 1000;
    let leftMs = untilMs - expiresAtMs;
    if (leftMs <= 0) return;
    for (const span of excused)
      leftMs -= Math.max(0, Math.min(untilMs, span.untilMs) - Math.max(expiresAtMs, span.fromMs));
    if (leftMs <= 0) this.unavoidable += 1;
    else
      this.avoidable.push(`${name} for ${leftMs / MINUTE_MS} min until ${new Date(untilMs).toISOString()}`);
  }
}
