import { Hono } from 'hono';
import { type ConnectionSupport, type Fault, faultSchema, unservedFault } from '../fault';
import { type Faults } from '../faults';
import { parseInput } from '../validation';
import { readJson } from './read-input';

/** State used by the faults routes. */
export interface FaultState extends ConnectionSupport {
  readonly faults: Faults;
}

/**
 * - `POST /faults` with a {@link faultSchema | fault} → 201, the fault
 * - `GET /faults` → `{faults}`, the active ones with their remaining times
 * - `DELETE /faults` → 204, deletes all faults
 */
export function faultRoutes(state: FaultState): Hono {
  const { faults } = state;
  const app = new Hono();
  app.post('/faults', async (c) => {
    return c.json(addFault(state, await readJson(c)), 201);
  });
  app.get('/faults', (c) => c.json({ faults: faults.all() }));
  app.delete('/faults', (c) => {
    faults.clear();
    return c.body(null, 204);
  });
  return app;
}

/** Adds a fault and returns it. @throws {InvalidInputError} for an invalid fault, or one that the server does not support */
export function addFault({ faults, ...support }: FaultState, input: unknown): Fault {
  const fault = parseInput(faultSchema, input, () => unservedFault(input, support));
  faults.add(fault);
  return fault;
}
