import { Hono } from 'hono';
import { z } from 'zod';
import { type SandboxClock } from '../sandbox-clock';
import { durationSecSchema } from '../seed';
import { InvalidInputError, issueLine, parseInput } from '../validation';
import { readInput } from './read-input';

/** State used by the clock routes. */
export interface ClockState {
  readonly clock: SandboxClock;
}

/** ISO 8601 needs four-digit years. */
const END_OF_TIME_MS = Date.UTC(10_000, 0);
/** The body of `POST /clock`. */
export const clockSchema = z.strictObject({ advanceSec: durationSecSchema });

/** `POST /clock {advanceSec}` → `{now}`: moves the platform's clock forward. */
export function clockRoutes({ clock }: ClockState): Hono {
  const app = new Hono();
  app.post('/clock', async (c) => {
    advanceClock(clock, await readInput(c, clockSchema));
    return c.json({ now: clock.nowIso() });
  });
  return app;
}

/** Moves the clock forward. @throws {InvalidInputError} for an invalid time, or one after the year 9999 */
export function advanceClock(clock: SandboxClock, input: { readonly advanceSec: number }): void {
  const { advanceSec } = parseInput(clockSchema, input);
  if (clock.nowMs() + advanceSec * 1000 >= END_OF_TIME_MS) {
    throw new InvalidInputError([issueLine(['advanceSec'], advanceSec, 'a time before the year 10000')]);
  }
  clock.advance(advanceSec);
}
