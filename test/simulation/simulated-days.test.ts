import { IS_FULL, printFigures, SEED } from '../support/test-size';
import {
  mostIn24h,
  renewalsByDay,
  simulateDays,
  type SimulatedDays,
  tokenWritesMs,
} from './support/simulated-days';
import { DAY_MS, HOUR_MS, type Simulation } from './support/simulated-world';

/** CPU time, so that other load on the machine does not matter. */
const MOST_CPU_MS = 30_000;

const QUIET: Simulation = {
  ...(IS_FULL ? { days: 7, tenants: 20 } : { days: 1, tenants: 4 }),
  seed: SEED,
  errorRate: 0,
  secretsManagerLatencyMs: 20,
  platformLatencyMs: 200,
  betweenOutagesMs: 0,
  betweenRotationsMs: 0,
  betweenRefusalsMs: 0,
  irregularSweeps: 0,
};
const DISTURBED: Simulation = {
  ...QUIET,
  errorRate: 0.2,
  betweenOutagesMs: 4 * HOUR_MS,
  betweenRotationsMs: 2 * DAY_MS,
  betweenRefusalsMs: DAY_MS,
  irregularSweeps: 0.1,
};

async function simulate(simulation: Simulation): Promise<SimulatedDays & { cpuMs: number }> {
  const started = process.cpuUsage();
  const days = await simulateDays(simulation);
  const { user, system } = process.cpuUsage(started);
  const cpuMs = (user + system) / 1000;
  const { served, sweeps, world } = days;
  const writes = tokenWritesMs(world);
  printFigures(
    `simulated ${simulation.days} days, ${simulation.tenants} tenants, ${world.keys.length} tokens, seed ${SEED}, ` +
      `${simulation.errorRate * 100} % errors, ${world.disturbances.outages.length} outages: ` +
      `${served.served} served, ${served.failed.length} failed (${served.askedAgain} asked again), ${served.wrong.length} wrong, ` +
      `${served.unreadable} while nothing could be read, ${served.replaced} of ${served.refusals} refusals replaced, ` +
      `least life served ${Math.round(served.minLifeMs / 1000)} s; ` +
      `${sweeps} sweeps, ${world.platform.grants.size} grants, ${writes.flat().length} writes, ` +
      `at most ${Math.max(...writes.map(mostIn24h))} in 24 h; ${Math.round(cpuMs)} ms of processor`,
  );
  return { ...days, cpuMs };
}

describe('days in which a fifth of all calls fail, with outages of up to 14 minutes', () => {
  let days: Awaited<ReturnType<typeof simulate>>;
  beforeAll(async () => {
    days = await simulate(DISTURBED);
  }, 8 * MOST_CPU_MS);

  test('serve no token that is expired, was refused before, or is of another tenant, interface or scope', () => {
    expect(days.served.wrong).toEqual([]);
  });

  test('serve every caller', () => {
    expect(days.served.failed).toEqual([]);
    expect(days.served.served).toBeGreaterThan(0);
  });

  test('write each secret at most 96 times in 24 hours', () => {
    expect(Math.max(...tokenWritesMs(days.world).map(mostIn24h))).toBeLessThanOrEqual(96);
  });

  test('take less than 30 s of CPU time', () => {
    expect(days.cpuMs).toBeLessThan(MOST_CPU_MS);
  });
});

describe('days without a fault', () => {
  let days: SimulatedDays;
  beforeAll(async () => {
    days = await simulate(QUIET);
  }, 8 * MOST_CPU_MS);

  test('renew every token 32 to 36 times a day', () => {
    const renewals = renewalsByDay(days.world);
    expect(Math.min(...renewals)).toBeGreaterThanOrEqual(32);
    expect(Math.max(...renewals)).toBeLessThanOrEqual(36);
  });

  test('write every token that they request', () => {
    expect(tokenWritesMs(days.world).flat()).toHaveLength(days.world.platform.grants.size);
  });

  test('serve every caller a token valid for at least ten more minutes', () => {
    expect(days.served.failed).toEqual([]);
    expect(days.served.wrong).toEqual([]);
    expect(days.served.minLifeMs).toBeGreaterThanOrEqual(10 * 60_000);
  });
});
