import { SWEEP_INTERVAL_SEC } from '../../../core/tokens/lifetimes';
import { ensure } from '../../../lambdas/token-refresh/ensure';
import { parseEnsureEvent } from '../../../lambdas/token-refresh/ensure-event';
import { sweep } from '../../../lambdas/token-refresh/sweep';
import { MINUTE_MS } from '../../support/lambdas/token-functions';
import { HOUR_MS, type SimulatedWorld } from './simulated-world';
import { type InvokeEnsure } from './token-callers';
import { startProcess } from './token-process';

/** The functions' timeouts, less the second that the handler reserves. */
const SWEEP_MS = 239_000;
const ENSURE_MS = 29_000;
/** Lambda replaces a process after some hours, which clears its cache. */
const PROCESS_LIVES_MS = 4 * HOUR_MS;

type TokenProcess = ReturnType<typeof startProcess>;

/** The token functions of a deployment: two processes for sweeps, and one for callers. */
export class SimulatedFunctions {
  sweeps = 0;
  readonly #world: SimulatedWorld;
  readonly #sweeper: () => TokenProcess;
  readonly #otherSweeper: () => TokenProcess;
  readonly #refresher: () => TokenProcess;
  #isBusy = false;

  constructor(world: SimulatedWorld) {
    this.#world = world;
    this.#sweeper = this.#replacedNowAndThen();
    this.#otherSweeper = this.#replacedNowAndThen();
    this.#refresher = this.#replacedNowAndThen();
  }

  /** Answers one caller at a time, as with a reserved concurrency of 1. */
  invokeEnsure: InvokeEnsure = async (event) => {
    if (this.#isBusy) return undefined;
    this.#isBusy = true;
    try {
      const { clock, deployment } = this.#world;
      const request = parseEnsureEvent(event, deployment);
      return await ensure(this.#refresher(), request, clock.monotonicMs() + ENSURE_MS);
    } finally {
      this.#isBusy = false;
    }
  };

  /** Runs one sweep to its end. */
  async sweepOnce(process = this.#sweeper(), afterMs = 0): Promise<void> {
    const { clock, deployment } = this.#world;
    if (afterMs > 0) await clock.sleep(afterMs);
    this.sweeps += 1;
    await sweep(process, deployment, clock.monotonicMs() + SWEEP_MS);
  }

  /** Runs sweeps by schedule, some late or twice, until the simulation ends. */
  async sweepOnSchedule(): Promise<void> {
    const { clock, random, simulation, startMs } = this.#world;
    const started: Promise<void>[] = [];
    const isIrregular = () => random.chance(simulation.irregularSweeps);
    for (let number = 1; ; number += 1) {
      const dueMs = startMs + number * SWEEP_INTERVAL_SEC * 1000;
      if (!(await this.#world.wait(dueMs - clock.nowMs()))) break;
      started.push(this.sweepOnce(this.#sweeper(), isIrregular() ? random.between(0, MINUTE_MS) : 0));
      if (isIrregular()) started.push(this.sweepOnce(this.#otherSweeper(), random.between(0, 3 * MINUTE_MS)));
    }
    await Promise.all(started);
  }

  #replacedNowAndThen(): () => TokenProcess {
    const { clock, deployment, outside, random } = this.#world;
    let process = startProcess(outside, deployment);
    let untilMs = clock.nowMs() + random.untilNext(PROCESS_LIVES_MS);
    return () => {
      if (clock.nowMs() >= untilMs) {
        process = startProcess(outside, deployment);
        untilMs = clock.nowMs() + random.untilNext(PROCESS_LIVES_MS);
      }
      return process;
    };
  }
}
