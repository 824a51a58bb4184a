import { harmlessLines } from './safe-text';
import { type Progress, type Style } from './terminal';

const FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
const FRAME_MS = 100;
/** Assumed width of a window of unknown size. */
const DEFAULT_COLUMNS = 80;

interface SpinnerStream {
  readonly columns?: number;
  write(text: string): unknown;
}

/** Shows one line with a spinner, and at the end the result. Reads no keys. */
export function startSpinner(stream: SpinnerStream, style: Style, label: string): Progress {
  let current = label;
  let frame = 0;
  const draw = () => {
    // A wrapped line could not be overwritten.
    const shown = harmlessLines(current).slice(0, Math.max(1, (stream.columns || DEFAULT_COLUMNS) - 3));
    stream.write(`\r\u001b[K${FRAMES[frame % FRAMES.length]} ${shown}`);
    frame += 1;
  };
  const timer = setInterval(draw, FRAME_MS).unref();
  draw();
  const end = (line: string) => {
    clearInterval(timer);
    stream.write(`\r\u001b[K${harmlessLines(line)}\n`);
  };
  return {
    isDrawnOver: true,
    update: (next) => {
      current = next;
      draw();
    },
    done: (last) => end(`${style.good('✓')} ${last}`),
    failed: (last) => end(`${style.bad('✗')} ${last}`),
  };
}
