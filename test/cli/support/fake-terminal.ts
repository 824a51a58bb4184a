import { CommandError, interruption } from '../../../cli/command-error';
import { EXIT } from '../../../cli/exit-codes';
import { PLAIN } from '../../../cli/style';
import { type Progress, type Style, type Terminal } from '../../../cli/terminal';

export interface FakeTerminalOptions {
  isInteractive?: boolean;
  showsOutputToPerson?: boolean;
  /** The content of standard input. */
  input?: string;
  /** Answers to the questions, in order. */
  answers?: (string | boolean)[];
}

/** A terminal that records its output and gives scripted answers. */
export class FakeTerminal implements Terminal {
  readonly isInteractive: boolean;
  readonly showsOutputToPerson: boolean;
  readonly messageStyle = PLAIN;
  /** Messages. */
  readonly said: string[] = [];
  readonly results: { document: object; text: string }[] = [];
  readonly frames: string[] = [];
  readonly questions: { question: string; isHidden: boolean }[] = [];
  /** What checks the answers to the questions, in order. */
  readonly checks: [question: string, check: (answer: string) => string | undefined][] = [];
  readonly #input: string;
  readonly #answers: (string | boolean)[];
  readonly #interruption = new AbortController();

  constructor({
    isInteractive = false,
    showsOutputToPerson = false,
    input = '',
    answers = [],
  }: FakeTerminalOptions = {}) {
    this.isInteractive = isInteractive;
    this.showsOutputToPerson = showsOutputToPerson;
    this.#input = input;
    this.#answers = [...answers];
  }

  get interrupted(): AbortSignal {
    return this.#interruption.signal;
  }

  /** Ctrl-C. */
  interrupt(): void {
    this.#interruption.abort();
  }

  /** Everything that was shown. */
  visibleText(): string {
    const results = this.results.map(({ document, text }) => `${JSON.stringify(document)}\n${text}`);
    const questions = this.questions.map(({ question }) => question);
    return [...this.said, ...questions, ...results, ...this.frames].join('\n');
  }

  say(line: string): void {
    this.said.push(line);
  }

  result(document: object, render: (style: Style) => string): void {
    this.results.push({ document, text: render(PLAIN) });
  }

  redraw(render: (style: Style) => string): void {
    this.frames.push(render(PLAIN));
  }

  async ask(question: string, { check }: Parameters<Terminal['ask']>[1] = {}): Promise<string> {
    if (check !== undefined) this.checks.push([question, check]);
    return this.#answer(question, false) as string;
  }

  async choose<T extends string>(question: string): Promise<T> {
    return this.#answer(question, false) as T;
  }

  async askHidden(question: string): Promise<string> {
    return this.#answer(question, true) as string;
  }

  async confirm(question: string): Promise<boolean> {
    return this.#answer(question, false) as boolean;
  }

  async readInput(maxBytes: number): Promise<string> {
    if (Buffer.byteLength(this.#input) > maxBytes) {
      throw new CommandError(EXIT.usage, 'usage', `standard input: longer than ${maxBytes} bytes`);
    }
    return this.#input;
  }

  progress(label: string): Progress {
    const say = (line: string) => void this.said.push(line);
    say(label);
    return { isDrawnOver: this.isInteractive, update: say, done: say, failed: say };
  }

  #answer(question: string, isHidden: boolean): string | boolean {
    this.questions.push({ question, isHidden });
    const answer = this.#answers.shift();
    if (answer === undefined) throw interruption();
    return answer;
  }
}
