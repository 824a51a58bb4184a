import { spanText } from '../../inspect/times';
import { type Progress, type Terminal } from '../terminal';
import { type RestoreAnswer } from './answer';
import { failureOf } from './outcome-kinds';
import { type Wait } from './pace';

/** Time between two lines, if they are not drawn over. */
const LINE_EVERY_MS = 10_000;
/** The same during a wait. */
const WAIT_LINE_EVERY_MS = 60_000;
const BAR_WIDTH = 12;

/** The number of contents in each state. */
export interface Counts {
  restored: number;
  failed: number;
  unknown: number;
  left: number;
}

/** Shows the progress of a run: a bar on a terminal, otherwise an occasional line. */
export class RunProgress {
  readonly #progress: Progress;
  readonly #nowMs: () => number;
  readonly #counts: Counts;
  readonly #startedAtMs: number;
  readonly #leftAtStart: number;
  #shownAtMs: number;
  #wait: Wait | undefined;
  #waitShownAtMs = -Infinity;
  #isEnding = false;

  /** @param counts before the run: includes what earlier runs restored; contents to resend count as left */
  constructor(terminal: Pick<Terminal, 'progress'>, nowMs: () => number, counts: Counts) {
    this.#nowMs = nowMs;
    this.#counts = { ...counts };
    this.#leftAtStart = counts.left;
    this.#startedAtMs = nowMs();
    this.#shownAtMs = this.#startedAtMs;
    this.#progress = terminal.progress(this.#text());
  }

  /** Counts a content's outcome. */
  recorded(answer: RestoreAnswer): void {
    this.#counts.left -= 1;
    this.#counts[bucketOf(answer)] += 1;
    const isDue = this.#progress.isDrawnOver || this.#nowMs() - this.#shownAtMs >= LINE_EVERY_MS;
    if (isDue) this.#show();
  }

  /** Shows a pause; undefined when it is over. */
  waiting(wait: Wait | undefined): void {
    this.#wait = wait;
    const isLineDue = wait !== undefined && this.#nowMs() - this.#waitShownAtMs >= WAIT_LINE_EVERY_MS;
    if (isLineDue) this.#waitShownAtMs = this.#nowMs();
    if (isLineDue || this.#progress.isDrawnOver) this.#show();
  }

  /** Shows that the run only waits for requests in flight. */
  ending(): void {
    this.#isEnding = true;
    this.#show();
  }

  /** Shows the final counts. @param isGood whether all are restored */
  end(isGood: boolean): void {
    if (isGood) this.#progress.done(this.#text());
    else this.#progress.failed(this.#text());
  }

  #show(): void {
    this.#shownAtMs = this.#nowMs();
    this.#progress.update(this.#text());
  }

  #text(): string {
    const { restored, failed, unknown, left } = this.#counts;
    const total = restored + failed + unknown + left;
    const done = total === 0 ? 1 : (total - left) / total;
    const filled = Math.floor(done * BAR_WIDTH);
    const figures = [
      `${'█'.repeat(filled)}${'░'.repeat(BAR_WIDTH - filled)} ${Math.floor(done * 100)} %`,
      `${restored} restored`,
      `${failed} failed`,
      `${unknown} unknown`,
      `${left} left`,
      ...this.#speed(),
    ];
    const text = figures.join(' · ');
    if (this.#isEnding)
      return `Waiting for requests in flight; Ctrl-C again leaves their outcome unknown · ${text}`;
    return this.#wait === undefined ? text : `${waitText(this.#wait)} · ${text}`;
  }

  #speed(): string[] {
    const sent = this.#leftAtStart - this.#counts.left;
    const spentMs = this.#nowMs() - this.#startedAtMs;
    if (sent === 0 || spentMs < 1_000) return [];
    const leftMs = (spentMs / sent) * this.#counts.left;
    return [
      `${((sent * 1_000) / spentMs).toFixed(1)}/s`,
      ...(leftMs > 0 ? [`${spanText(leftMs)} to go`] : []),
    ];
  }
}

/** The time comes first, because a narrow window cuts off the end. */
function waitText({ waitMs, detail }: Wait): string {
  const reason = detail.charAt(0).toLowerCase() + detail.slice(1).replace(/\.$/, '');
  return `Trying again in ${spanText(Math.ceil(waitMs / 1_000) * 1_000)}: ${reason}`;
}

function bucketOf({ outcome }: RestoreAnswer): Exclude<keyof Counts, 'left'> {
  if (outcome === 'restored') return 'restored';
  return failureOf(outcome).kind === 'unknown' ? 'unknown' : 'failed';
}
