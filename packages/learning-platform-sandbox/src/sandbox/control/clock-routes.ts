import { type OpenAPIHono, z } from '@hono/zod-openapi';
import { type SandboxState } from '../sandbox-state';
import { response, timeSchema } from '../openapi/parts';
import { type SandboxClock } from '../sandbox-clock';
import { durationSecSchema } from '../seed';
import { InvalidInputError, issueLine } from '../validation';
import { operationsOf } from './control-operation';

/** ISO 8601 needs four-digit years. */
const END_OF_TIME_MS = Date.UTC(10_000, 0);
export const clockSchema = z.strictObject({ advanceSec: durationSecSchema }).openapi('Clock');
const nowSchema = z.strictObject({ now: timeSchema }).openapi('Now');

export function addClockRoutes(app: OpenAPIHono, { clock }: SandboxState): void {
  const serve = operationsOf(app, 'time');
  serve('POST /clock', {
    operationId: 'advanceClock',
    summary: 'Move the clock forward',
    body: clockSchema,
    example: { advanceSec: 3600 },
    responses: { 200: response('The new platform time.', nowSchema) },
    respond: (c, input) => {
      advanceClock(clock, input);
      return c.json({ now: clock.nowIso() });
    },
  });
}

/** Moves the clock forward. @throws {InvalidInputError} if that is after the year 9999 */
export function advanceClock(clock: SandboxClock, { advanceSec }: z.output<typeof clockSchema>): void {
  if (clock.nowMs() + advanceSec * 1000 >= END_OF_TIME_MS) {
    throw new InvalidInputError([issueLine(['advanceSec'], advanceSec, 'a time before the year 10000')]);
  }
  clock.advance(advanceSec);
}
