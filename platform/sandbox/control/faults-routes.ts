import { Hono } from 'hono';
import { faultSchema } from '../fault';
import { type Faults } from '../faults';
import { InvalidInputError, issueLine } from '../validation';
import { readInput } from './read-input';

/** What the control of faults changes. */
export interface FaultState {
  readonly faults: Faults;
  /** Whether faults of certificates can be served. */
  readonly certificateFaults: boolean;
}

/**
 * - `POST /faults` a {@link faultSchema | fault} → 201, the fault
 * - `GET /faults` → `{faults}`, those in force with the times that are left
 * - `DELETE /faults` → 204, all of them are gone
 */
export function faultRoutes({ faults, certificateFaults }: FaultState): Hono {
  const app = new Hono();
  app.post('/faults', async (c) => {
    const fault = await readInput(c, faultSchema);
    if (fault.certificate && !certificateFaults) {
      throw new InvalidInputError([
        issueLine(
          ['certificate'],
          fault.certificate,
          'only where each address has a port of its own: start the sandbox with --separate-ports',
        ),
      ]);
    }
    faults.add(fault);
    return c.json(fault, 201);
  });
  app.get('/faults', (c) => c.json({ faults: faults.all() }));
  app.delete('/faults', (c) => {
    faults.clear();
    return c.body(null, 204);
  });
  return app;
}
