import { Hono } from 'hono';
import { faultSchema, unservedFault } from '../fault';
import { type Faults } from '../faults';
import { readInput } from './read-input';

/** State used by the faults routes. */
export interface FaultState {
  readonly faults: Faults;
  /** Whether the server supports certificate faults. */
  readonly certificateFaults: boolean;
}

/**
 * - `POST /faults` with a {@link faultSchema | fault} → 201, the fault
 * - `GET /faults` → `{faults}`, the active ones with their remaining times
 * - `DELETE /faults` → 204, deletes all faults
 */
export function faultRoutes({ faults, certificateFaults }: FaultState): Hono {
  const app = new Hono();
  app.post('/faults', async (c) => {
    const fault = await readInput(c, faultSchema, (input) => unservedFault(input, certificateFaults));
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
