import { type Clock, type Random } from '../ports';

/** The result of one request to the platform. */
export type ProofAttempt =
  | { kind: 'proven' }
  /** `mayLag`: the platform may not know the credential yet. */
  | { kind: 'refused'; reason: string; mayLag: boolean; isOfScope?: boolean }
  /** `isOutage`: a retry within seconds may succeed. `retryAfterMs`: the platform's Retry-After. */
  | { kind: 'could_not_test'; reason: string; isOutage: boolean; retryAfterMs?: number | undefined };

/** The final result of a request. `isOfScope`: only the scope was refused. */
export type RepeatedProof =
  | { kind: 'proven' }
  | { kind: 'refused'; reason: string; isOfScope?: boolean }
  | { kind: 'could_not_test'; reason: string };

const REQUEST_TIMEOUT_MS = 5_000;
const OUTAGE_WAITS_MS = [1_000, 2_000];
/** Waits for a new credential to become known: half a minute in total. */
const LAG_WAITS_MS = [1_000, 2_000, 4_000, 8_000, 8_000, 7_000];

/**
 * Asks until the answer is final or the deadline is near. Retries an outage twice, after Retry-After or with full jitter,
 * and a refusal that may be due to lag for half a minute.
 * @param deadlineMs when to stop, in ms by the monotonic clock
 * @see https://aws.amazon.com/blogs/architecture/exponential-backoff-and-jitter/
 */
export async function repeatProof(
  ask: (timeoutMs: number) => Promise<ProofAttempt>,
  { clock, random }: { clock: Clock; random: Random },
  deadlineMs: number,
): Promise<RepeatedProof> {
  const outageWaitsMs = [...OUTAGE_WAITS_MS];
  const lagWaitsMs = [...LAG_WAITS_MS];
  for (;;) {
    const leftMs = deadlineMs - clock.monotonicMs();
    const attempt = await ask(Math.max(1, Math.min(REQUEST_TIMEOUT_MS, Math.floor(leftMs))));
    if (attempt.kind === 'proven') return { kind: 'proven' };
    const waitMs = waitAfter(attempt);
    if (waitMs === undefined || clock.monotonicMs() + waitMs >= deadlineMs) {
      const { kind, reason } = attempt;
      return kind === 'refused' && attempt.isOfScope ? { kind, reason, isOfScope: true } : { kind, reason };
    }
    await clock.sleep(waitMs);
  }

  function waitAfter(attempt: Exclude<ProofAttempt, { kind: 'proven' }>): number | undefined {
    if (attempt.kind === 'refused') return attempt.mayLag ? lagWaitsMs.shift() : undefined;
    if (!attempt.isOutage) return undefined;
    const longestMs = outageWaitsMs.shift();
    return longestMs && (attempt.retryAfterMs ?? random() * longestMs);
  }
}
