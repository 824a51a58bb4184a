/** The outcome of a wait, unless the signal aborts first; the work itself may go on. @throws the signal's reason */
export async function unlessAborted<T>(wait: Promise<T>, signal: AbortSignal | null | undefined): Promise<T> {
  if (signal === null || signal === undefined) return wait;
  const done = new AbortController();
  const aborted = new Promise<never>((_, reject) => {
    const giveUp = () => reject(signal.reason as Error);
    if (signal.aborted) giveUp();
    signal.addEventListener('abort', giveUp, { once: true, signal: done.signal });
  });
  try {
    return await Promise.race([wait, aborted]);
  } finally {
    done.abort();
  }
}
