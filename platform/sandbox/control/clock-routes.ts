import { Hono } from 'hono';
import { z } from 'zod';
import { type SandboxClock } from '../sandbox-clock';
import { durationSecSchema } from '../seed';
import { InvalidInputError, issueLine } from '../validation';
import { readInput } from './read-input';

/** What the control of time changes. */
export interface ClockState {
  readonly clock: SandboxClock;
}

/** Later times have no four digits for the year in ISO 8601, and at some point no date at all. */
const END_OF_TIME_MS = Date.UTC(10_000, 0);
/** The body of `POST /clock`. */
export const clockSchema = z.strictObject({ advanceSec: durationSecSchema });

/** `POST /clock {advanceSec}` → `{now}`: the platform's time goes on by so much, and never back. */
export function clockRoutes({ clock }: ClockState): Hono {
  const app = new Hono();
  app.post('/clock', async (c) => {
    const { advanceSec } = await readInput(c, clockSchema);
    if (clock.nowMs() + advanceSec * 1000 >= END_OF_TIME_MS) {
      throw new InvalidInputError([issueLine(['advanceSec'], advanceSec, 'time ends with the year 9999')]);
    }
    clock.advance(advanceSec);
    return c.json({ now: clock.nowIso() });
  });
  return app;
}
