/** What to do at a moment by the monotonic clock. */
interface Deadline {
  atMs: number;
  expire: () => void;
}

const pending = new Set<Deadline>();
let timer: NodeJS.Timeout | undefined;
let wakesAtMs = Infinity;

/**
 * Calls `expire` after a time, unless the returned function is called before. All deadlines share one timer, which stays set
 * when they are met: setting and clearing one for each request takes as long as building the request. It does not keep the
 * process running.
 */
export function expireAfter(ms: number, expire: () => void): () => void {
  const deadline: Deadline = { atMs: performance.now() + ms, expire };
  pending.add(deadline);
  wakeAt(deadline.atMs);
  return () => pending.delete(deadline);
}

function wakeAt(atMs: number): void {
  if (atMs >= wakesAtMs) return;
  clearTimeout(timer);
  wakesAtMs = atMs;
  timer = setTimeout(expireDue, atMs - performance.now()).unref();
}

function expireDue(): void {
  wakesAtMs = Infinity;
  const nowMs = performance.now();
  for (const deadline of pending) {
    if (deadline.atMs > nowMs) {
      wakeAt(deadline.atMs);
      continue;
    }
    pending.delete(deadline);
    deadline.expire();
  }
}
