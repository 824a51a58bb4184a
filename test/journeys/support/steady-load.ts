/** What became of the calls of a load. */
export interface LoadReport {
  /** How many calls were answered with each status. */
  answers: Record<number, number>;
  /** What calls without an answer failed with. */
  failures: string[];
  slowestMs: number;
}

/** Looked so often whether a call is due. */
const TICK_MS = 5;

/**
 * Calls at a steady rate, each begun when it is due, whether or not the ones before have ended. Where a second's calls
 * are under way, those that are due are left out: a machine that is too slow for the load must not be buried under it.
 */
export class SteadyLoad {
  private readonly report: LoadReport = { answers: {}, failures: [], slowestMs: 0 };
  private readonly call: () => Promise<number>;
  private readonly underWay = new Set<Promise<void>>();
  private readonly timer: NodeJS.Timeout;

  /** @param call makes one call and tells the status that it was answered with */
  constructor(perSec: number, call: () => Promise<number>) {
    this.call = call;
    const startedMs = performance.now();
    let begun = 0;
    this.timer = setInterval(() => {
      const due = ((performance.now() - startedMs) / 1000) * perSec;
      for (; begun < due; begun += 1) if (this.underWay.size < perSec) this.begin();
    }, TICK_MS);
  }

  /** Begins no more calls, and waits for those under way. */
  async end(): Promise<LoadReport> {
    clearInterval(this.timer);
    await Promise.all(this.underWay);
    return this.report;
  }

  private begin(): void {
    const call = this.callOnce().finally(() => this.underWay.delete(call));
    this.underWay.add(call);
  }

  private async callOnce(): Promise<void> {
    const { answers, failures } = this.report;
    const startedMs = performance.now();
    try {
      const status = await this.call();
      answers[status] = (answers[status] ?? 0) + 1;
    } catch (error) {
      failures.push(String(error));
    }
    this.report.slowestMs = Math.max(this.report.slowestMs, performance.now() - startedMs);
  }
}
