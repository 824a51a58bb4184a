/** The results of a load. */
export interface LoadReport {
  /** Number of calls by answered status. */
  answers: Record<number, number>;
  /** Errors of calls without an answer. */
  failures: string[];
  slowestMs: number;
}

/** How often to start the calls that are due. */
const TICK_MS = 5;

/**
 * Starts calls at a steady rate without waiting for earlier ones. Skips calls while a second's worth is
 * under way, so that a slow machine is not overloaded.
 */
export class SteadyLoad {
  private readonly report: LoadReport = { answers: {}, failures: [], slowestMs: 0 };
  private readonly call: () => Promise<number>;
  private readonly underWay = new Set<Promise<void>>();
  private readonly timer: NodeJS.Timeout;

  /** @param call makes one call and returns the answered status */
  constructor(perSec: number, call: () => Promise<number>) {
    this.call = call;
    const startedMs = performance.now();
    let begun = 0;
    this.timer = setInterval(() => {
      const due = ((performance.now() - startedMs) / 1000) * perSec;
      for (; begun < due; begun += 1) if (this.underWay.size < perSec) this.begin();
    }, TICK_MS);
  }

  /** Starts no more calls, and waits for those under way. */
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
