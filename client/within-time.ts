import { type Clock } from './clock';

/** The outcome of work, unless time is over first; the work itself goes on. @throws what `timeout` makes */
export async function withinTime<T>(
  work: Promise<T>,
  timeoutMs: number,
  clock: Clock,
  timeout: () => Error,
): Promise<T> {
  const sleep = clock.sleep(timeoutMs);
  const isOver = sleep.then(() => {
    throw timeout();
  });
  try {
    return await Promise.race([work, isOver]);
  } finally {
    sleep.cancel?.();
  }
}
