import { type Outcome, OUTCOMES } from '../../../contract/restore-outcomes';
import { recordRestoreMetrics } from '../../../lambdas/restore/record-restore-metrics';
import { type UpstreamResult } from '../../../lambdas/shared/ports';
import { type Canary, type VisibleText } from '../../support/canaries';
import { answerOf, CONTENT_ID, recordOf, RestoreFunction } from '../../support/lambdas/restore-functions';
import { type FaultRow, faultRow, type Hole } from '../support/fault-row';
import { SummedMetrics } from '../support/summed-metrics';
import { bodyOf, isProcessed, type PlatformFault } from './platform-fault';
import { type RestoreWorld, type Told } from './restore-world';

/** Limit of the HTTPS client for answers. */
const MAX_ANSWER_BYTES = 1024 * 1024;
const PLANTED: Canary = { name: 'body of the platform', value: 'hgZqnPkWtmRxVbKdXjLs' };

/** The use case on virtual time, and a platform with one archived content. */
export class VirtualRestoreWorld implements RestoreWorld {
  readonly where = 'virtual';
  readonly fn = new RestoreFunction();
  readonly #faults: PlatformFault[] = [];
  readonly #answers: VisibleText[] = [];
  #metrics = new SummedMetrics();
  #posts = 0;
  #restored = 0;

  constructor() {
    this.fn.platform.always = () => this.#reply();
  }

  meet(...faults: PlatformFault[]): void {
    this.#faults.push(...faults);
  }

  async restore(): Promise<Told> {
    const { clock, patienceMs } = this.fn;
    const startedMs = clock.monotonicMs();
    this.#metrics = new SummedMetrics();
    const result = await this.fn.restore();
    const durationMs = clock.monotonicMs() - startedMs;
    expect(durationMs).toBeLessThanOrEqual(patienceMs);
    recordRestoreMetrics(this.#metrics, result.outcome, durationMs);
    this.#answers.push({ place: 'result', text: JSON.stringify(result) });
    const { status, code, detail }: Outcome = OUTCOMES[result.outcome];
    return { status, code, detail: result.detail ?? detail, retryAfter: result.retryAfterSec?.toString() };
  }

  posts(): number {
    return this.#posts;
  }

  sends(): number {
    return this.fn.platform.requests.length;
  }

  async timesRestored(): Promise<number> {
    return this.#restored;
  }

  async grants(): Promise<number> {
    return this.fn.tokens.calls.filter(({ rejected }) => rejected !== undefined).length;
  }

  metrics(): Readonly<Record<string, number>> {
    const sums = Object.entries(this.#metrics.sums);
    return Object.fromEntries(sums.filter(([name]) => name !== 'RestoreLatency'));
  }

  canaries(): readonly Canary[] {
    return [PLANTED];
  }

  visible(): readonly VisibleText[] {
    return [...this.#answers, { place: 'metrics', text: JSON.stringify(this.#metrics.sums) }];
  }

  #reply(): UpstreamResult {
    const fault = this.#faults.shift();
    if (fault?.kind === 'no connection') return { kind: 'not_sent', reason: `no connection (${fault.why})` };
    if (!(fault?.kind === 'broken' && fault.at === 'first byte')) this.#posts += 1;
    const own = fault === undefined || isProcessed(fault) ? this.#process() : undefined;
    switch (fault?.kind) {
      case undefined:
        return own!;
      case 'broken':
        return { kind: 'no_answer', reason: 'connection broke (ECONNRESET)' };
      case 'silent':
        this.#waitForDeadline();
        return { kind: 'no_answer', reason: 'no complete answer' };
      case 'answer': {
        const body = bodyOf(fault, CONTENT_ID, PLANTED.value);
        if (body.length > MAX_ANSWER_BYTES) return { kind: 'unreadable', reason: 'the answer is too large' };
        return answerOf(fault.status, body, fault.headers?.['retry-after']);
      }
    }
  }

  #process(): UpstreamResult {
    if (this.#restored > 0) return answerOf(409);
    this.#restored += 1;
    return answerOf(200, recordOf(CONTENT_ID));
  }

  /** The client gives up at its deadline. */
  #waitForDeadline(): void {
    const { clock, platform } = this.fn;
    clock.advance(platform.requests.at(-1)!.deadlineMs - clock.monotonicMs());
  }
}

/** A row about a restore request; `virtual` runs in a new world. */
export function restoreRow<Variant>({
  virtual,
  hole,
  ...row
}: Omit<FaultRow<Variant>, 'virtual' | 'hole'> & {
  virtual(world: VirtualRestoreWorld, variant: Variant): Promise<void>;
  hole: Hole<Variant> & { open(world: VirtualRestoreWorld): void };
}): FaultRow {
  const run = async (variant: Variant, open?: (world: VirtualRestoreWorld) => void) => {
    const world = new VirtualRestoreWorld();
    open?.(world);
    await virtual(world, variant);
  };
  const { words, with: fixed, open } = hole;
  return faultRow<Variant>({
    ...row,
    virtual: (variant) => run(variant),
    hole: { words, with: fixed, run: (variant) => run(variant, open) },
  });
}

/**
 * Changes the platform's result before the function sees it.
 * @param alter gets the result, and a function that sends the request again
 */
export function alterResults(
  { platform }: RestoreFunction,
  alter: (
    result: UpstreamResult,
    again: () => Promise<UpstreamResult>,
  ) => UpstreamResult | Promise<UpstreamResult>,
): void {
  const { restore } = platform;
  platform.restore = async (...args) => {
    const send = () => restore.apply(platform, args);
    return alter(await send(), send);
  };
}
