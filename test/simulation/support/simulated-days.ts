import { type ServedTokens } from './served-tokens';
import { SimulatedCallers } from './simulated-callers';
import { SimulatedFunctions } from './simulated-functions';
import { DAY_MS, SimulatedWorld, type Simulation } from './simulated-world';

/** The results of simulated days of a deployment. */
export interface SimulatedDays {
  world: SimulatedWorld;
  served: ServedTokens;
  sweeps: number;
}

/** Simulates days: a first sweep loads every token, then callers and disturbances begin. */
export async function simulateDays(simulation: Simulation): Promise<SimulatedDays> {
  const world = await SimulatedWorld.create(simulation);
  const functions = new SimulatedFunctions(world);
  const callers = new SimulatedCallers(world, functions.invokeEnsure);
  await functions.sweepOnce();
  await Promise.all([
    functions.sweepOnSchedule(),
    callers.call(),
    ...world.deployment.tenants.map(({ tenantId }) => world.rotateCredentials(tenantId)),
  ]);
  return { world, served: callers.served, sweeps: functions.sweeps };
}

/** When the secret of each token was written, in ms. */
export function tokenWritesMs(world: SimulatedWorld): number[][] {
  const { keys, secrets } = world;
  return keys.map((key) => secrets.writesMs.get(world.tokenSecret(key))!);
}

/**
 * The maximum number of times within 24 hours.
 * @param timesMs in ascending order
 */
export function mostIn24h(timesMs: readonly number[]): number {
  let first = 0;
  return timesMs.reduce((most, timeMs, index) => {
    while (timesMs[first]! <= timeMs - DAY_MS) first += 1;
    return Math.max(most, index - first + 1);
  }, 0);
}

/** Number of renewals of each token on each day. */
export function renewalsByDay(world: SimulatedWorld): number[] {
  return tokenWritesMs(world).flatMap((timesMs) =>
    Array.from({ length: world.simulation.days }, (_, day) => {
      const fromMs = world.startMs + day * DAY_MS;
      return timesMs.filter((timeMs) => timeMs >= fromMs && timeMs < fromMs + DAY_MS).length;
    }),
  );
}
