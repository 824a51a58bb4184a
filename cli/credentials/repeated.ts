import { type CommandContext } from '../command';
import { CommandError } from '../command-error';
import { EXIT } from '../exit-codes';

const WAITS_MS = [1_000, 2_000, 4_000];

/** Whether the same call may succeed within seconds. */
export function isUnavailable(error: unknown): boolean {
  return error instanceof CommandError && error.exitCode === EXIT.unavailable;
}

/** Repeats a call that is harmless when repeated, while AWS cannot answer; four times at most. An interruption ends the waits, not the work. */
export async function repeatedWhileUnavailable<T>(
  context: CommandContext,
  call: () => Promise<T>,
): Promise<T> {
  for (const waitMs of WAITS_MS) {
    try {
      return await call();
    } catch (error) {
      if (!isUnavailable(error)) throw error;
    }
    await context.sleep(waitMs).catch(() => undefined);
  }
  return call();
}
