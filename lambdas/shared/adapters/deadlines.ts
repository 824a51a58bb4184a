interface Deadline {
  /** By the monotonic clock. */
  atMs: number;
  expire: () => void;
}

const pendingDeadlines = new Set<Deadline>();
let timer: NodeJS.Timeout | undefined;
let timerFiresAtMs = Infinity;

/**
 * Calls `expire` after `ms` milliseconds. The returned function cancels the call.
 *
 * All deadlines share one timer, because a timer for each request takes as long as building the request. Canceling a
 * deadline leaves the timer set. The timer does not keep the process running.
 */
export function expireAfter(ms: number, expire: () => void): () => void {
  const deadline: Deadline = { atMs: performance.now() + ms, expire };
  pendingDeadlines.add(deadline);
  fireTimerBy(deadline.atMs);
  return () => pendingDeadlines.delete(deadline);
}

function fireTimerBy(atMs: number): void {
  if (atMs >= timerFiresAtMs) return;
  clearTimeout(timer);
  timerFiresAtMs = atMs;
  timer = setTimeout(expireDueDeadlines, atMs - performance.now()).unref();
}

function expireDueDeadlines(): void {
  timerFiresAtMs = Infinity;
  const nowMs = performance.now();
  for (const deadline of pendingDeadlines) {
    if (deadline.atMs > nowMs) {
      fireTimerBy(deadline.atMs);
    } else {
      pendingDeadlines.delete(deadline);
      deadline.expire();
    }
  }
}
