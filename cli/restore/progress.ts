import { spanText } from '../../core/findings/times';
import { type Progress, type Terminal } from '../terminal';
import { type RestoreAnswer } from './answer';
import { kindOf } from './outcome-kinds';
import { type Tally } from './plan';

/** Time between two lines, if they are not drawn over. */
const LINE_EVERY_MS = 10_000;
const BAR_WIDTH = 12;

/** Shows the progress of a run: a bar on a terminal, otherwise an occasional line. */
export class RunProgress {
  readonly #progress: Progress;
  readonly #interrupted: AbortSignal;
  readonly #onInterrupt = () => this.#progress.update(this.#text());
  readonly #nowMs: () => number;
  readonly #counts: { restored: number; failed: number; unknown: number; left: number };
  readonly #startedAtMs: number;
  readonly #leftAtStart: number;
  #shownAtMs: number;
  #pause: { readonly ms: number; readonly text: string } | undefined;

  /** @param settled what earlier runs have settled; contents to resend count as left */
  constructor(terminal: Terminal, nowMs: () => number, settled: Tally) {
    const { restored, failed, unknown, left } = settled;
    this.#counts = { restored, failed, unknown, left };
    this.#nowMs = nowMs;
    this.#leftAtStart = left;
    this.#startedAtMs = this.#shownAtMs = nowMs();
    this.#interrupted = terminal.interrupted;
    this.#progress = terminal.progress(this.#text());
    this.#interrupted.addEventListener('abort', this.#onInterrupt);
  }

  /** Counts a content's outcome. */
  recorded({ outcome }: RestoreAnswer): void {
    const kind = kindOf(outcome);
    this.#counts[kind === 'restored' || kind === 'unknown' ? kind : 'failed'] += 1;
    this.#counts.left -= 1;
    this.#showIfDue();
  }

  /** Shows a pause after a throttled request, or the longest of several. @param detail of the answer, as in the contract */
  pausing(ms: number, detail: string): void {
    if (this.#pause !== undefined && this.#pause.ms >= ms) return;
    const reason = detail.charAt(0).toLowerCase() + detail.slice(1).replace(/\.$/, '');
    // The time comes first, because a narrow window cuts off the end.
    this.#pause = { ms, text: `Pausing for ${spanText(Math.ceil(ms / 1_000) * 1_000)}: ${reason} · ` };
    this.#showIfDue();
  }

  resumed(): void {
    this.#pause = undefined;
    if (this.#progress.isDrawnOver) this.#showIfDue();
  }

  /** Shows the final counts. */
  end(): void {
    this.#interrupted.removeEventListener('abort', this.#onInterrupt);
    const { failed, unknown, left } = this.#counts;
    if (failed + unknown + left === 0) this.#progress.done(this.#text());
    else this.#progress.failed(this.#text());
  }

  #showIfDue(): void {
    if (!this.#progress.isDrawnOver && this.#nowMs() - this.#shownAtMs < LINE_EVERY_MS) return;
    this.#shownAtMs = this.#nowMs();
    this.#progress.update(this.#text());
  }

  #text(): string {
    const { restored, failed, unknown, left } = this.#counts;
    const total = restored + failed + unknown + left;
    const done = (total - left) / total;
    const bar = '█'.repeat(Math.floor(done * BAR_WIDTH)).padEnd(BAR_WIDTH, '░');
    const before = this.#interrupted.aborted
      ? 'Waiting for requests in flight; Ctrl-C again leaves their outcome unknown · '
      : (this.#pause?.text ?? '');
    const counts = `${restored} restored · ${failed} failed · ${unknown} unknown · ${left} left`;
    return `${before}${bar} ${Math.floor(done * 100)} % · ${counts}${this.#speed(left)}`;
  }

  #speed(left: number): string {
    const sent = this.#leftAtStart - left;
    const spentMs = this.#nowMs() - this.#startedAtMs;
    if (sent === 0 || spentMs < 1_000) return '';
    const toGo = left === 0 ? '' : ` · ${spanText((spentMs / sent) * left)} to go`;
    return ` · ${((sent * 1_000) / spentMs).toFixed(1)}/s${toGo}`;
  }
}
